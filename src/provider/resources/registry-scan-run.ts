import { z } from "zod";
import type { FinishedRegistryScan } from "../../api/areas/registry-images";
import type { StateOf } from "../../core/schema/types";
import type { WriteContext } from "../../core/definitions/resource-definition";
import { computed, map, number, optional, string } from "../../core/schema/attribute";
import { unlessGone } from "../console/availability";
import type { Console } from "../console/connection";
import { consoleResource } from "../listing";
import { scanAttributes, scanned } from "./container-scan";

const ID = "registry-scan";

/** The attributes of everything that scans all registries and waits. */
export const registryScanAttributes = {
  ...scanAttributes,
  timeout: optional(number(z.number().positive()), "How long a scan may take, in seconds.", {
    default: 3600,
  }),
};

const attributes = {
  id: computed(string(), `Always \`${ID}\`: a scan covers all registries.`, { plan: () => ID }),
  triggers: optional(
    map(string()),
    "Arbitrary strings; a change of any of them starts a new scan.",
    { requiresReplace: true },
  ),
  ...registryScanAttributes,
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

  // The results do not change. A console without a license was reinstalled.
  async read(state, privateState, { connection, signal }) {
    const answer = await unlessGone(async () => {
      await connection.client.getRuntimePolicies(signal);
      return "scanned";
    });
    return { state: answer === undefined ? null : state, private: privateState };
  },

  async create({ triggers, timeout, poll_interval }, _, context) {
    const again = "Increase timeout and apply again, which starts a new scan.";
    const scan = await scanImages({ timeout, poll_interval }, context, again);
    if ("problem" in scan) return { state: null, diagnostics: [scan.problem] };
    return { state: { id: ID, triggers, timeout, poll_interval, ...summaryOfImages(scan) } };
  },

  // In-place changes affect the next scan only.
  update: (prior, { timeout, poll_interval }, _, privateState) =>
    Promise.resolve({ state: { ...prior, timeout, poll_interval }, private: privateState }),

  delete: () => Promise.resolve({ state: null }),

  insteadOfImport: "A scan cannot be imported; an apply starts one.",
});

/** Scans the images of all registries and waits for the results. */
export function scanImages(
  settings: StateOf<typeof registryScanAttributes>,
  context: WriteContext<Console>,
  again: string,
) {
  const { registryImages } = context.connection.client;
  return scanned("images", (options) => registryImages.scan(options), settings, context, again);
}

/** Summarizes a finished scan. */
export function summaryOfImages({ startedAt, images }: FinishedRegistryScan) {
  const ends = images.flatMap(({ scannedAt }) => scannedAt?.getTime() ?? []);
  const last = ends.reduce((latest, end) => Math.max(latest, end), startedAt.getTime());
  return {
    started_at: startedAt.toISOString(),
    completed_at: new Date(last).toISOString(),
    image_count: images.length,
    vulnerability_count: images.reduce((sum, { vulnerabilities }) => sum + vulnerabilities, 0),
  };
}
