import type { ActionDefinition } from "../../core/definitions/action-definition";
import type { Console } from "../console/connection";
import {
  registryScanAttributes,
  scanImages,
  summaryOfImages,
} from "../resources/registry-scan-run";
import { AGAIN } from "./container-scan";

/** One scan of all registries, as the resource of the same name starts it. */
export const registryScanAction: ActionDefinition<typeof registryScanAttributes, Console> = {
  type: "cwp_registry_scan_run",
  category: "Registries",
  description:
    "Scans the images of all registries and waits for the results, without an object in the state. Terraform has actions since 1.14; OpenTofu and the embedded executor have none.",
  attributes: registryScanAttributes,

  async invoke(config, context) {
    const scan = await scanImages(config, context, AGAIN);
    if ("problem" in scan) return [scan.problem];
    const { image_count: images, vulnerability_count: count } = summaryOfImages(scan);
    context.progress(`Scan complete. Images: ${images}, vulnerabilities: ${count}`);
    return [];
  },
};
