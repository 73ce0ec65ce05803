import type { FinishedScan } from "../../api/areas/containers";
import { parseTimestamp } from "../../api/areas/timestamp";
import { computed, map, number, optional, string } from "../../core/schema/attribute";
import { scanAttributes, scanOperations, timesOf, type ConsoleScan } from "../console/scan";
import { consoleResource } from "../listing";

const ID = "container-scan";

/** The attributes of everything that scans all containers and waits. */
export const containerScanSettings = scanAttributes(300);

/** Summarizes a finished scan. */
export function summaryOf({ startedAt, containers }: FinishedScan) {
  return {
    ...timesOf(
      startedAt,
      containers.map(({ scanTime }) => parseTimestamp(scanTime)),
    ),
    container_count: containers.length,
    issue_count: containers.reduce(
      (count, { info }) => count + (info?.complianceIssues?.length ?? 0),
      0,
    ),
  };
}

/** A scan of all containers. */
export const scanOfContainers = {
  what: "containers",
  run: ({ containers }, options) => containers.scan(options),
  summaryOf,
} satisfies ConsoleScan<FinishedScan, unknown>;

const containerScanAttributes = {
  id: computed(string(), `Always \`${ID}\`: a scan covers all containers.`, { plan: () => ID }),
  triggers: optional(
    map(string()),
    "Arbitrary strings; a change of any of them starts a new scan. The policy set's `content_sha256` changes with the policies.",
    { requiresReplace: true },
  ),
  ...containerScanSettings,
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
  ...scanOperations(ID, scanOfContainers),
});
