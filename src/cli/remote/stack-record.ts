import { SharedTask } from "../../core/io/shared-task";
import type { ObjectRecord, RunMark } from "../../core/documents/run-record";
import type { Diagnostic } from "../../core/diagnostics";
import type { RunOperation } from "../../fleet/run-log/entries";
import type { TextStore } from "../../backends";
import {
  isApplyable,
  markOf,
  whoRuns,
  type AppliedStack,
  type Session,
  type StackOrigin,
  type StackPlan,
} from "../../runtime";
import type { ApplyBatch } from "../../temporal";
import { RecordLines, resultEntry, statusOf } from "../rollout/record-lines";
import { runLogMessage, type RunLogMessage } from "../rollout/run-log-message";
import { notStored, recordName, recordText } from "./found-records";

/** The run whose worker records a stack. */
interface RecordingRun {
  readonly runId: string;
  readonly operation: RunOperation;
  readonly rollsBack?: string | undefined;
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
    private readonly run: string,
    private readonly stack: string,
  ) {
    this.lines = new RecordLines((line) => (this.text += `${line}\n`), Buffer.from(text));
  }

  /** Begins or continues a record. Nothing is stored before the first change. */
  static async open(
    store: TextStore,
    { runId, operation, rollsBack }: RecordingRun,
    stack: string,
    origin: StackOrigin | undefined,
  ): Promise<StackRecord | { readonly problem: Diagnostic }> {
    try {
      const before = recordText(await store.get());
      const record = new StackRecord(store, before ?? "", runId, stack);
      const back = rollsBack !== undefined && { rolls_back: rollsBack };
      const about = { operation, resumed: before !== undefined, stacks: [stack], id: runId };
      record.add({ type: "run_start", run: { ...about, by: whoRuns(), ...back } });
      record.add({ type: "stack_start", stack, ...(origin && { origin }) });
      return record;
    } catch (cause) {
      return { problem: notStored("read", store.location, cause) };
    }
  }

  /** Records changes, as `Pace.record`. */
  async addObjects(objects: readonly ObjectRecord[]): Promise<RunMark> {
    for (const object of objects) this.lines.addObject(this.stack, object);
    const mark = this.lines.mark(this.run);
    await this.save();
    return mark;
  }

  /** @param interrupted - the stack is incomplete without errors, because the run was stopped */
  async end(applied: AppliedStack, interrupted: boolean): Promise<void> {
    const { stack, state } = applied;
    const status = statusOf(applied, interrupted);
    this.add(resultEntry(stack, status, applied, state && markOf(state)));
    const is = (one: typeof status) => Number(status === one);
    const counts = { applied: is("applied"), failed: is("failed"), excluded: 0, not_started: 0 };
    this.add({ type: "run_result", run: { ...counts, interrupted: status === "interrupted" } });
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

/** Opens the records of the stacks that are applied. */
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
  const open = async ({ stack }: StackPlan): Promise<void> => {
    const store = session.beside(stack, recordName(batch.runId, stack));
    if (!store || operation === "plan") return;
    const run = { ...batch, operation };
    const record = await StackRecord.open(store, run, stack, session.origin(stack));
    if ("problem" in record) faults.set(stack, record.problem);
    else records.set(stack, record);
  };
  const applied = session.plans.filter((plan) => isApplyable(plan) && !others.has(plan.stack));
  await Promise.all(applied.map(open));
  return { records, faults };
}
