import type { RunRecord } from "./read-run-log";
import type { JoinedRecord } from "./join-shards";

export type RunStatus = "complete" | "failed" | "interrupted" | "unfinished" | "waiting";

/** A run among others. */
export interface PastRun extends JoinedRecord {
  readonly status: RunStatus;
  /** The stacks that later runs have rolled back. */
  readonly rolledBack: readonly string[];
}

/**
 * Relates the records of runs, the first one first. Shards of one run must be joined before.
 */
export function historyOf(records: readonly JoinedRecord[]): readonly PastRun[] {
  const rolledBack = new Map<string, Set<string>>();
  for (const { record } of records) {
    if (record.rollsBack === undefined) continue;
    const stacks = rolledBack.get(record.rollsBack) ?? new Set();
    rolledBack.set(record.rollsBack, stacks);
    for (const stack of record.done) stacks.add(stack);
  }
  return [...records]
    .sort((a, b) => (startOf(a.record) < startOf(b.record) ? -1 : 1))
    .map((joined) => {
      const { record } = joined;
      const gone = rolledBack.get(record.id ?? "") ?? new Set();
      const stacks = record.stacks.filter((stack) => gone.has(stack));
      return { ...joined, status: statusOf(record), rolledBack: stacks };
    });
}

function startOf({ startedAt = "" }: RunRecord): string {
  return startedAt;
}

/** A run without a result was killed, or runs still. */
function statusOf({ result, waits }: RunRecord): RunStatus {
  if (waits && !result?.interrupted) return "waiting";
  if (!result) return "unfinished";
  if (result.interrupted) return "interrupted";
  return result.failed + result.excluded + result.not_started > 0 ? "failed" : "complete";
}
