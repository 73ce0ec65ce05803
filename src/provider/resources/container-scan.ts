import { z } from "zod";
import type { FinishedScan } from "../../api/areas/scan-run";
import { ScanTimeoutError } from "../../api/errors";
import { parseTimestamp } from "../../api/areas/timestamp";
import { unlessGone } from "../console/availability";
import type { Console } from "../console/connection";
import type { ResourceDefinition } from "../definitions/resource-definition";
import { error, type Diagnostic } from "../diagnostics";
import type { ResourceListing } from "../definitions/listing";
import { computed, map, number, optional, string } from "../schema/attribute";

const containerScanAttributes = {
  id: computed(string(), "Always `container-scan`: a scan is of all containers.", {
    plan: () => "container-scan",
  }),
  triggers: optional(
    map(string()),
    "Arbitrary strings; a change of any of them scans again. The policy set's `content_sha256` is one that changes with the policies.",
    { requiresReplace: true },
  ),
  timeout: optional(number(z.number().positive()), "How long a scan may take, in seconds.", {
    default: 300,
  }),
  poll_interval: optional(
    number(z.number().positive()),
    "How long to wait before each look at the results, in seconds (specification, section 8).",
    { default: 10 },
  ),
  started_at: computed(string(), "When the scan started, by the console's clock; ISO 8601.", {
    stable: true,
  }),
  completed_at: computed(
    string(),
    "When the scan was through with the last container, by the console's clock; ISO 8601.",
    { stable: true },
  ),
  container_count: computed(number(), "How many containers there were at its end.", {
    stable: true,
  }),
  issue_count: computed(number(), "How many compliance issues all of them had.", { stable: true }),
};

/**
 * One scan of all containers, waited for (specification, sections 3 and 4.2). It takes place when
 * the resource is created: the request that starts it is a GET with an effect, so it belongs to no
 * plan and no refresh, and is never sent twice. A scan that failed or was not complete in time
 * leaves no state: the next apply starts another one.
 */
export const containerScan: ResourceDefinition<typeof containerScanAttributes, Console> &
  ResourceListing = {
  type: "cwp_container_scan",
  category: "Containers",
  construct: "ContainerScan",
  sample: { triggers: { policies: "1" } },
  description:
    "Scans all containers and waits for the results; again when a trigger changes (specification, section 4.2).",
  version: 0,
  attributes: containerScanAttributes,
  endpoints: ["getContainers", "startContainerScan", "getRuntimePolicies"],

  // What was found then stays as it was. A console without a license has been installed anew.
  async read(state, privateState, { connection, signal }) {
    const answer = await unlessGone(async () => {
      await connection.client.getRuntimePolicies(signal);
      return "scanned";
    });
    return { state: answer === undefined ? null : state, private: privateState };
  },

  async create(planned, _, { connection, signal, progress }) {
    const { triggers, timeout, poll_interval: interval } = planned;
    try {
      const scan = await connection.client.containers.scan({
        timeout: timeout * 1000,
        interval: interval * 1000,
        onProgress: ({ finished, count }) => {
          progress(`${finished} of ${count} containers scanned`);
        },
        signal,
      });
      return {
        state: {
          id: "container-scan",
          triggers,
          timeout,
          poll_interval: interval,
          ...summaryOf(scan),
        },
      };
    } catch (failure) {
      if (!(failure instanceof ScanTimeoutError)) throw failure;
      return { state: null, diagnostics: [notInTime(failure)] };
    }
  },

  // What can change in place concerns only the next scan.
  update: (prior, { timeout, poll_interval: interval }, _, privateState) =>
    Promise.resolve({
      state: { ...prior, timeout, poll_interval: interval },
      private: privateState,
    }),

  delete: () => Promise.resolve({ state: null }),

  insteadOfImport: "A scan is not found but made: an apply starts one.",
};

/** What a scan found, as one line of numbers. */
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

function notInTime({ message }: ScanTimeoutError): Diagnostic {
  return error(
    "Scan did not end in time",
    `${message}\n\nThe console may still go on with it. Give the scan a longer timeout, and apply again: that starts another one.`,
    ["timeout"],
  );
}
