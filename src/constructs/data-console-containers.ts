import type { Construct } from "constructs";
import { computedOf } from "./computed";
import { ConsoleDataSource } from "./console-data-source";
import type {
  DataConsoleContainersAttributes,
  DataConsoleContainersProps,
} from "./props/data-console-containers";
import { containers, containersAttributes } from "../provider/data-sources/containers";

/** Containers and the compliance issues that scans found in them (specification, section 4.2). */
export class DataConsoleContainers
  extends ConsoleDataSource
  implements DataConsoleContainersAttributes
{
  static readonly tfResourceType = "cwp_containers";

  constructor(scope: Construct, id: string, props: DataConsoleContainersProps = {}) {
    super(scope, id, containers, props);
  }

  get containers(): DataConsoleContainersAttributes["containers"] {
    return computedOf(this, containersAttributes).containers;
  }
}
