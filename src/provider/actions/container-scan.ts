import type { Console } from "../console/connection";
import type { ActionDefinition } from "../../core/definitions/action-definition";
import { scanAttributes, scanContainers, summaryOf } from "../resources/container-scan";

/** A trigger has had its event when its action fails. */
export const AGAIN =
  "Increase timeout and invoke the action with -invoke: an apply without changes does not invoke it again.";

/** One scan of all containers, as the resource of the same name starts it. */
export const containerScanAction: ActionDefinition<typeof scanAttributes, Console> = {
  type: "cwp_container_scan",
  category: "Containers",
  description:
    "Scans all containers and waits for the results (specification, section 4.2), without an object in the state. Terraform has actions since 1.14; OpenTofu and the embedded executor have none.",
  attributes: scanAttributes,

  async invoke(config, context) {
    const scan = await scanContainers(config, context, AGAIN);
    if ("problem" in scan) return [scan.problem];
    const { container_count: containers, issue_count: issues } = summaryOf(scan);
    context.progress(`Scan complete. Containers: ${containers}, compliance issues: ${issues}`);
    return [];
  },
};
