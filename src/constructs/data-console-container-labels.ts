import type { Construct } from "constructs";
import { computedOf } from "./computed";
import { ConsoleDataSource } from "./console-data-source";
import type {
  DataConsoleContainerLabelsAttributes,
  DataConsoleContainerLabelsProps,
} from "./props/data-console-container-labels";
import {
  containerLabels,
  containerLabelsAttributes,
} from "../provider/data-sources/container-labels";

/**
 * The labels of containers (specification, section 4.5).
 *
 * The console has deprecated them in release 20.09 (section 9.2): a plan warns.
 */
export class DataConsoleContainerLabels
  extends ConsoleDataSource
  implements DataConsoleContainerLabelsAttributes
{
  static readonly tfResourceType = "cwp_container_labels";

  constructor(scope: Construct, id: string, props: DataConsoleContainerLabelsProps = {}) {
    super(scope, id, containerLabels, props);
  }

  get labels(): DataConsoleContainerLabelsAttributes["labels"] {
    return computedOf(this, containerLabelsAttributes).labels;
  }
}
