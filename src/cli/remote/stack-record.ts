import { sumCounts, type ChangeCounts, type StackPlan } from "../../core/documents/stack-plan";
import { SharedTask } from "../../core/io/shared-task";
import type { ObjectRecord, RunMark } from "../../core/documents/run-record";
import type { Diagnostic } from "../../core/diagnostics";
import type { RunOperation } from "../../fleet/run-log/entries";
import { readRunLog } from "../../fleet/run-log/read-run-log";
import type { TextStore } from "../../backends";
import { markOf, whoRuns, type AppliedStack, type Session, type StackOrigin } from "../../runtime";
import { isReadOnly, type ApplyBatch } from "../../temporal";
import { RecordLines, resultEntry, statusOf } from "../rollout/record-lines";
import { runLogMessage, type RunLogMessage } from "../rollout/run-log-message";
import { countEarlier } from "./earlier-changes";
import { notStored, recordName, recordText } from "./found-records";

/** The run whose worker records a stack. */
interface RecordingRun {
  readonly runId: string;
  readonly operation: RunOperation;
  readonly rollsBack?: string | undefined;
}

/** The stack that a worker applies, perhaps behind another one. */
interface RecordedAttempt {
  readonly stack: string;
  readonly origin: StackOrigin | undefined;
  /** Undefined if the stack was excluded. */
  readonly plan: StackPlan | undefined;
}

/**
 * The part of the record of a run that is about one stack. A worker keeps it next to the state, where
 * another worker continues it.
 */
export class StackRecord {
  readonly problems: Diagnostic[] = [];
  private readonly lines: RecordLines;
  private readonly saved = new SharedTask(() => this.store.put(Buffer.from(this.text)));

  private constructor(
    private readonly store: TextStore,
    private text: string,
    private readonly about: {
      readonly runId: string;
      readonly stack: string;
      readonly earlier: ChangeCounts;
    },
  ) {
    this.lines = new RecordLines((line) => (this.text += `${line}\n`), Buffer.from(text));
  }

  /** Begins or continues a record. Nothing is stored before the first change. */
  static async open(
    store: TextStore,
    { runId, operation, rollsBack }: RecordingRun,
    { stack, origin, plan }: RecordedAttempt,
  ): Promise<StackRecord | { readonly problem: Diagnostic }> {
    try {
      const before = recordText(await store.get());
      const read = before === undefined ? undefined : readRunLog(before, store.location);
      const changes = read && "record" in read ? read.record.recorded.get(stack) : undefined;
      const earlier = countEarlier(changes?.objects ?? [], plan);
      const record = new StackRecord(store, before ?? "", { runId, stack, earlier });
      const back = rollsBack !== undefined && { rolls_back: rollsBack };
      const about = { operation, resumed: before !== undefined, stacks: [stack], id: runId };
      record.add({ type: "run_start", run: { ...about, by: whoRuns(), ...back } });
      record.add({ type: "stack_start", stack, ...(origin && { origin }) });
      return record;
    } catch (cause) {
      return { problem: notStored("read", store.location, cause) };
    }
  }

  /** The changes that the run had made to the stack before it was planned again. */
  get earlier(): ChangeCounts {
    return this.about.earlier;
  }

  /** Records changes, as `Pace.record`. */
  async addObjects(objects: readonly ObjectRecord[]): Promise<RunMark> {
    const { stack, runId } = this.about;
    for (const object of objects) this.lines.addObject(stack, object);
    const mark = this.lines.mark(runId);
    await this.save();
    return mark;
  }

  /** @param interrupted - the stack is incomplete without errors, because the run was stopped */
  async end(applied: AppliedStack, interrupted: boolean): Promise<void> {
    const { stack, state } = applied;
    const status = statusOf(applied, interrupted);
    const counts = sumCounts([this.earlier, applied.counts]);
    this.add(resultEntry(stack, status, { ...applied, counts }, state && markOf(state)));
    const is = (one: typeof status) => Number(status === one);
    const run = { applied: is("applied"), failed: is("failed"), excluded: 0, not_started: 0 };
    this.add({ type: "run_result", run: { ...run, interrupted: status === "interrupted" } });
    // The error is in the problems.
    await this.save().catch(() => undefined);
  }

  private add(entry: RunLogMessage): void {
    this.lines.add(runLogMessage(entry), "stack" in entry ? [entry.stack] : []);
  }

  private async save(): Promise<void> {
    try {
      await this.saved.run();
    } catch (cause) {
      if (this.problems.length === 0)
        this.problems.push(notStored("written", this.store.location, cause));
      throw cause;
    }
  }
}

/** Opens the records of the stacks of a batch, without those that are not applied. */
export async function openRecords(
  { operation, ...batch }: ApplyBatch,
  session: Session,
  others: ReadonlySet<string>,
): Promise<{
  readonly records: ReadonlyMap<string, StackRecord>;
  readonly faults: ReadonlyMap<string, Diagnostic>;
}> {
  const records = new Map<string, StackRecord>();
  const faults = new Map<string, Diagnostic>();
  const plans = new Map(session.plans.map((plan) => [plan.stack, plan]));
  const open = async (stack: string): Promise<void> => {
    const store = session.beside(stack, recordName(batch.runId, stack));
    if (!store || isReadOnly(operation)) return;
    const attempt = { stack, origin: session.origin(stack), plan: plans.get(stack) };
    const record = await StackRecord.open(store, { ...batch, operation }, attempt);
    if ("problem" in record) faults.set(stack, record.problem);
    else records.set(stack, record);
  };
  await Promise.all(batch.stacks.filter((stack) => !others.has(stack)).map(open));
  return { records, faults };
}
