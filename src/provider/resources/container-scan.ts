import { printed } from "../../core/printed";
import { z } from "zod";
import type { FinishedScan } from "../../api/areas/containers";
import type { ScanOptions } from "../../api/areas/scan";
import { ScanTimeoutError } from "../../api/errors";
import { parseTimestamp } from "../../api/areas/timestamp";
import { unlessGone } from "../console/availability";
import type { Console } from "../console/connection";
import type { WriteContext } from "../../core/definitions/resource-definition";
import { error, type Diagnostic } from "../../core/diagnostics";
import { consoleResource } from "../listing";
import { computed, map, number, optional, string } from "../../core/schema/attribute";
import type { StateOf } from "../../core/schema/types";

/** The attributes of everything that scans all containers and waits. */
export const scanAttributes = {
  timeout: optional(number(z.number().positive()), "How long a scan may take, in seconds.", {
    default: 300,
  }),
  poll_interval: optional(
    number(z.number().positive()),
    "Interval between polls for results, in seconds (specification, section 8).",
    { default: 10 },
  ),
};

const containerScanAttributes = {
  id: computed(string(), "Always `container-scan`: a scan covers all containers.", {
    plan: () => "container-scan",
  }),
  triggers: optional(
    map(string()),
    "Arbitrary strings; a change of any of them starts a new scan. The policy set's `content_sha256` changes with the policies.",
    { requiresReplace: true },
  ),
  ...scanAttributes,
  started_at: computed(string(), "Start time of the scan by the console's clock, in ISO 8601.", {
    stable: true,
  }),
  completed_at: computed(
    string(),
    "Time at which the last container was scanned, by the console's clock, in ISO 8601.",
    { stable: true },
  ),
  container_count: computed(number(), "Number of containers at the end of the scan.", {
    stable: true,
  }),
  issue_count: computed(number(), "Number of compliance issues in all containers.", {
    stable: true,
  }),
};

/**
 * One scan of all containers (specification, sections 3 and 4.2). Create starts it and waits for its
 * end. The request is a GET with an effect, so plan and refresh do not send it, and it is never
 * retried. A scan that fails or times out leaves no state: the next apply starts a new one.
 */
export const containerScan = consoleResource({
  type: "cwp_container_scan",
  category: "Containers",
  construct: "ContainerScan",
  sample: { triggers: { policies: "1" } },
  description:
    "Scans all containers and waits for the results (specification, section 4.2). A change of a trigger starts a new scan; a destroy keeps the results on the console.",
  version: 0,
  attributes: containerScanAttributes,
  endpoints: ["getContainers", "startContainerScan", "getRuntimePolicies"],

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
    const scan = await scanContainers({ timeout, poll_interval }, context, again);
    if ("problem" in scan) return { state: null, diagnostics: [scan.problem] };
    const state = { id: "container-scan", triggers, timeout, poll_interval, ...summaryOf(scan) };
    return { state };
  },

  // In-place changes affect the next scan only.
  update: (prior, { timeout, poll_interval: interval }, _, privateState) =>
    Promise.resolve({
      state: { ...prior, timeout, poll_interval: interval },
      private: privateState,
    }),

  delete: () => Promise.resolve({ state: null }),

  insteadOfImport: "A scan cannot be imported; an apply starts one.",
});

/**
 * Scans all containers and waits for the results.
 *
 * @param again - how to start another scan, if this one does not end in time
 */
export function scanContainers(
  settings: StateOf<typeof scanAttributes>,
  context: WriteContext<Console>,
  again: string,
): Promise<FinishedScan | { readonly problem: Diagnostic }> {
  const { containers } = context.connection.client;
  return scanned("containers", (options) => containers.scan(options), settings, context, again);
}

/** Scans, shows the progress, and returns why the scan did not end in time. */
export async function scanned<Finished>(
  what: string,
  scan: (options: ScanOptions) => Promise<Finished>,
  { timeout, poll_interval: interval }: StateOf<typeof scanAttributes>,
  { signal, progress, beforeWrite }: WriteContext<Console>,
  again: string,
): Promise<Finished | { readonly problem: Diagnostic }> {
  await beforeWrite();
  try {
    return await scan({
      timeout: timeout * 1000,
      interval: interval * 1000,
      onProgress: ({ finished, count }) => {
        progress(`${finished} of ${count} ${what} scanned`);
      },
      signal,
    });
  } catch (failure) {
    if (!(failure instanceof ScanTimeoutError)) throw failure;
    return { problem: notInTime(failure, again) };
  }
}

/** Summarizes a finished scan. */
export function summaryOf({ startedAt, containers }: FinishedScan) {
  const ends = containers.flatMap(({ scanTime }) => parseTimestamp(scanTime)?.getTime() ?? []);
  const last = ends.reduce((latest, end) => Math.max(latest, end), startedAt.getTime());
  return {
    started_at: startedAt.toISOString(),
    completed_at: new Date(last).toISOString(),
    container_count: containers.length,
    issue_count: containers.reduce(
      (count, { info }) => count + (info?.complianceIssues?.length ?? 0),
      0,
    ),
  };
}

function notInTime({ message }: ScanTimeoutError, again: string): Diagnostic {
  return error(
    "Scan did not end in time",
    printed`${message}\n\nThe console may continue the scan. ${again}`,
    ["timeout"],
  );
}
