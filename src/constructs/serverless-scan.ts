import type { Construct } from "constructs";
import { ConsoleCollection } from "./console-collection";
import type { ServerlessScanProps } from "./props/serverless-scan";
import { serverlessScan } from "../provider/resources/serverless-scan";

/** Which serverless functions the console scans (specification, sections 4.4 and 9.3.3). */
export class ServerlessScan extends ConsoleCollection {
  static readonly tfResourceType = "cwp_serverless_scan";

  constructor(scope: Construct, id: string, props: ServerlessScanProps) {
    super(scope, id, serverlessScan, props);
  }
}
