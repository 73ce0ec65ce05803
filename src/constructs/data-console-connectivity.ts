import type { Construct } from "constructs";
import { computedOf } from "./computed";
import { ConsoleDataSource } from "./console-data-source";
import type {
  DataConsoleConnectivityAttributes,
  DataConsoleConnectivityProps,
} from "./props/data-console-connectivity";
import { connectivity, connectivityAttributes } from "../provider/data-sources/connectivity";

/**
 * Whether the console is reachable, takes the credentials and has a license (specification, section
 * 4.2). A console that cannot be reached is no error here.
 */
export class DataConsoleConnectivity
  extends ConsoleDataSource
  implements DataConsoleConnectivityAttributes
{
  static readonly tfResourceType = "cwp_connectivity";

  constructor(scope: Construct, id: string, props: DataConsoleConnectivityProps = {}) {
    super(scope, id, connectivity, props);
  }

  get reachable(): DataConsoleConnectivityAttributes["reachable"] {
    return computedOf(this, connectivityAttributes).reachable;
  }

  get authenticated(): DataConsoleConnectivityAttributes["authenticated"] {
    return computedOf(this, connectivityAttributes).authenticated;
  }

  get licensed(): DataConsoleConnectivityAttributes["licensed"] {
    return computedOf(this, connectivityAttributes).licensed;
  }

  get release(): DataConsoleConnectivityAttributes["release"] {
    return computedOf(this, connectivityAttributes).release;
  }

  get message(): DataConsoleConnectivityAttributes["message"] {
    return computedOf(this, connectivityAttributes).message;
  }
}
