import type { Construct } from "constructs";
import { computedOf } from "./computed";
import { ConsoleDataSource } from "./console-data-source";
import type {
  DataConsoleCloudDiscoveryAttributes,
  DataConsoleCloudDiscoveryProps,
} from "./props/data-console-cloud-discovery";
import { cloudDiscovery, cloudDiscoveryAttributes } from "../provider/data-sources/cloud-discovery";

/** What the cloud accounts hold, and how much of it is defended (specification, section 4.5). */
export class DataConsoleCloudDiscovery
  extends ConsoleDataSource
  implements DataConsoleCloudDiscoveryAttributes
{
  static readonly tfResourceType = "cwp_cloud_discovery";

  constructor(scope: Construct, id: string, props: DataConsoleCloudDiscoveryProps = {}) {
    super(scope, id, cloudDiscovery, props);
  }

  get services(): DataConsoleCloudDiscoveryAttributes["services"] {
    return computedOf(this, cloudDiscoveryAttributes).services;
  }

  get errors(): DataConsoleCloudDiscoveryAttributes["errors"] {
    return computedOf(this, cloudDiscoveryAttributes).errors;
  }
}
