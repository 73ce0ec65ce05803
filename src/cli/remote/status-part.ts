import { joinStatus } from "../../review/status/status-document";
import { statusSchema, type StatusDocument } from "../../review/status/status-schema";
import type { RolloutResult, Rollouts } from "../../temporal";
import { decodeLines, encodeLines } from "./part-text";

/** Encodes the status of a batch; undefined if it is too large for one message. */
export function encodeStatus(document: StatusDocument): string | undefined {
  return encodeLines([JSON.stringify(document)]);
}

/**
 * Joins the parts of a status that workers have made. A stack that no worker could read has the reason as
 * a finding. Rejects if a part is not what this program writes.
 */
export async function readReport(
  rollouts: Rollouts,
  runId: string,
  { status, outcomes }: RolloutResult,
): Promise<StatusDocument> {
  const parts = await rollouts.review(runId, 0, status.reviews);
  const documents = parts.map((part) => statusSchema.parse(JSON.parse(decodeLines(part).join(""))));
  const unread = [...outcomes.values()]
    .filter((one) => one.status === "excluded")
    .map(({ stack: name, reason = "" }) => ({
      ...NOT_READ,
      name,
      findings: [{ kind: "unread", text: reason } as const],
    }));
  return joinStatus(documents, { unread, createdAt: new Date(status.started_at) });
}

const NOT_READ = { consoles: [], labels: {}, last_apply: null, lock: null };
