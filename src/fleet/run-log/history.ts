import type { RunRecord } from "./read-run-log";

export type RunStatus = "complete" | "failed" | "interrupted" | "unfinished";

/** A run among others. */
export interface PastRun {
  readonly file: string;
  readonly record: RunRecord;
  readonly status: RunStatus;
  /** The stacks that later runs have rolled back. */
  readonly rolledBack: readonly string[];
}

/** Relates the records of runs, the first one first. */
export function historyOf(
  records: readonly { readonly file: string; readonly record: RunRecord }[],
): readonly PastRun[] {
  const rolledBack = new Map<string, Set<string>>();
  for (const { record } of records) {
    if (record.rollsBack === undefined) continue;
    const stacks = rolledBack.get(record.rollsBack) ?? new Set();
    rolledBack.set(record.rollsBack, stacks);
    for (const stack of record.done) stacks.add(stack);
  }
  return [...records]
    .sort((a, b) => (startOf(a.record) < startOf(b.record) ? -1 : 1))
    .map(({ file, record }) => {
      const gone = rolledBack.get(record.id ?? "") ?? new Set();
      const stacks = record.stacks.filter((stack) => gone.has(stack));
      return { file, record, status: statusOf(record), rolledBack: stacks };
    });
}

function startOf({ startedAt = "" }: RunRecord): string {
  return startedAt;
}

/** A run without a result was killed, or runs still. */
function statusOf({ result }: RunRecord): RunStatus {
  if (!result) return "unfinished";
  if (result.interrupted) return "interrupted";
  return result.failed + result.excluded + result.not_started > 0 ? "failed" : "complete";
}
