import type { Construct } from "constructs";
import { computedOf } from "./computed";
import { ConsoleDataSource } from "./console-data-source";
import type {
  DataConsoleAutoDeployStatusAttributes,
  DataConsoleAutoDeployStatusProps,
} from "./props/data-console-auto-deploy-status";
import {
  autoDeployStatus,
  autoDeployStatusAttributes,
} from "../provider/data-sources/auto-deploy-status";

/** How far auto-deploy has come with functions and with hosts (specification, section 4.4). */
export class DataConsoleAutoDeployStatus
  extends ConsoleDataSource
  implements DataConsoleAutoDeployStatusAttributes
{
  static readonly tfResourceType = "cwp_auto_deploy_status";

  constructor(scope: Construct, id: string, props: DataConsoleAutoDeployStatusProps = {}) {
    super(scope, id, autoDeployStatus, props);
  }

  get serverless(): DataConsoleAutoDeployStatusAttributes["serverless"] {
    return computedOf(this, autoDeployStatusAttributes).serverless;
  }

  get hosts(): DataConsoleAutoDeployStatusAttributes["hosts"] {
    return computedOf(this, autoDeployStatusAttributes).hosts;
  }
}
