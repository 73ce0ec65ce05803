import { scanAction } from "../console/scan";
import { registryScanSettings, scanOfRegistries } from "../resources/registry-scan-run";

/** One scan of all registries. */
export const registryScanAction = scanAction(scanOfRegistries, {
  type: "cwp_registry_scan_run",
  category: "Registries",
  description:
    "Scans the images of all registries and waits for the results, without an object in the state. Terraform has actions since 1.14; OpenTofu and the embedded executor have none.",
  attributes: registryScanSettings,
  resultOf: ({ image_count: images, vulnerability_count: count }) =>
    `Images: ${images}, vulnerabilities: ${count}`,
});
