import type { FinishedRegistryScan } from "../../api/areas/registry-images";
import { computed, map, number, optional, string } from "../../core/schema/attribute";
import { scanAttributes, scanOperations, timesOf, type ConsoleScan } from "../console/scan";
import { consoleResource } from "../listing";

const ID = "registry-scan";

/** The attributes of everything that scans all registries and waits. */
export const registryScanSettings = scanAttributes(3600);

/** A scan of the images of all registries. */
export const scanOfRegistries = {
  what: "images",
  run: ({ registryImages }, options) => registryImages.scan(options),
  summaryOf: ({ startedAt, images }) => ({
    ...timesOf(
      startedAt,
      images.map(({ scannedAt }) => scannedAt),
    ),
    image_count: images.length,
    vulnerability_count: images.reduce((sum, { vulnerabilities }) => sum + vulnerabilities, 0),
  }),
} satisfies ConsoleScan<FinishedRegistryScan, unknown>;

const attributes = {
  id: computed(string(), `Always \`${ID}\`: a scan covers all registries.`, { plan: () => ID }),
  triggers: optional(
    map(string()),
    "Arbitrary strings; a change of any of them starts a new scan.",
    { requiresReplace: true },
  ),
  ...registryScanSettings,
  started_at: computed(string(), "Start time of the scan by the console's clock, in ISO 8601.", {
    stable: true,
  }),
  completed_at: computed(string(), "Time at which the last image was scanned, in ISO 8601.", {
    stable: true,
  }),
  image_count: computed(number(), "Number of images at the end of the scan.", { stable: true }),
  vulnerability_count: computed(number(), "Number of vulnerabilities in all images.", {
    stable: true,
  }),
};

/** One scan of all registries. The request that starts it is sent once, and never by a plan. */
export const registryScanRun = consoleResource({
  type: "cwp_registry_scan_run",
  category: "Registries",
  construct: "RegistryScanRun",
  sample: { triggers: { settings: "1" } },
  description:
    "Scans the images of all registries and waits for the results. A change of a trigger starts a new scan; a destroy keeps the results on the console. The specification has no such request: clients of consoles in the field send it.",
  version: 0,
  attributes,
  endpoints: ["getRuntimePolicies"],
  ...scanOperations(ID, scanOfRegistries),
});
