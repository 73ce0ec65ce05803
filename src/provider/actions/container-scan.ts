import { scanAction } from "../console/scan";
import { containerScanSettings, scanOfContainers } from "../resources/container-scan";

/** One scan of all containers. */
export const containerScanAction = scanAction(scanOfContainers, {
  type: "cwp_container_scan",
  category: "Containers",
  description:
    "Scans all containers and waits for the results (specification, section 4.2), without an object in the state. Terraform has actions since 1.14; OpenTofu and the embedded executor have none.",
  attributes: containerScanSettings,
  resultOf: ({ container_count: containers, issue_count: issues }) =>
    `Containers: ${containers}, compliance issues: ${issues}`,
});
