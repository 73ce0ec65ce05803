import type { Construct } from "constructs";
import { ConsoleCollection } from "./console-collection";
import type { ServerlessAutoDeployProps } from "./props/serverless-auto-deploy";
import { serverlessAutoDeploy } from "../provider/resources/serverless-auto-deploy";

/** Which serverless functions get their defender by themselves (specification, section 4.4). */
export class ServerlessAutoDeploy extends ConsoleCollection {
  static readonly tfResourceType = "cwp_serverless_auto_deploy";

  constructor(scope: Construct, id: string, props: ServerlessAutoDeployProps) {
    super(scope, id, serverlessAutoDeploy, props);
  }
}
