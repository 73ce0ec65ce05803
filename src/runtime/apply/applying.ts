import { error } from "../../core/diagnostics";
import { errorText } from "../../core/io/file-problem";
import type { ObjectValue } from "../../core/values";
import type { Journal, JournalRecord } from "../backends/backend";
import type { Operation } from "../../core/documents/events";
import type { Surroundings } from "../evaluation/stack-values";
import { isWhollyKnown, type Evaluated } from "../expressions/evaluated";
import type { ChangeCounts } from "../../core/documents/stack-plan";
import type { PlannedInstance } from "../plan/planned-instance";
import { idOf } from "../plan/refresh";
import type { Planning, StackRun } from "../plan/run";
import type { Target } from "../plan/target";

/** The progress of an apply. */
export interface Applying {
  readonly planning: Planning;
  /** By stack. Those that only read or evaluate have none. */
  readonly journals: Map<string, Journal>;
  /** The stacks that start nothing new, because their changes could not be recorded. */
  readonly halted: Set<string>;
  /** The values of the objects that were created or updated. */
  readonly values: Map<PlannedInstance, Evaluated>;
  /** The changes whose import was reported. */
  readonly imported: Set<PlannedInstance>;
  /** The changes with `create_before_destroy` in the state: see `createdFirst`. */
  readonly createdFirst: ReadonlySet<PlannedInstance>;
  /** The deposed keys of objects to destroy. */
  readonly deposed: Map<PlannedInstance, string>;
  /** The counts of completed changes, by stack that was started. */
  readonly counts: Map<string, { import: number; add: number; change: number; destroy: number }>;
}

/** The `each` and `count` of an instance. `each.value` may be known only after the plan. */
export function surroundingsOf(
  run: StackRun,
  { surroundings, target: { config, instance } }: PlannedInstance,
): Surroundings {
  const { each } = surroundings;
  if (!config?.forEach || !each || isWhollyKnown(each.value)) return surroundings;
  return run.repeatedFor(config, instance.key) ?? surroundings;
}

/** The target of a change, with the present configuration of its provider. */
export function connectedTarget(run: StackRun, { target }: PlannedInstance): Target | undefined {
  const configured = run.connections.get(target.providerKey);
  return configured && { ...target, connection: configured.connection };
}

/** The counts of a stack that starts. */
export function nothingDone() {
  return { import: 0, add: 0, change: 0, destroy: 0 };
}

export function count({ counts }: Applying, run: StackRun, what: keyof ChangeCounts): void {
  const counted = counts.get(run.name);
  if (counted) counted[what]++;
}

/**
 * Makes records durable. Returns false if that fails; then nothing new of the stack starts, and what
 * was done so far is written with the state at the end.
 */
export async function record(
  applying: Applying,
  run: StackRun,
  ...records: readonly JournalRecord[]
): Promise<boolean> {
  const journal = journalOf(applying, run);
  try {
    // All of them are appended before the first is awaited, so that they share one batch.
    await Promise.all(records.map((one) => journal.append(one)));
    return true;
  } catch (cause) {
    halt(applying, run, cause);
    return false;
  }
}

/** The record of an object of a change, or of the object that it deposed. */
export type InstanceEntry = Omit<
  Extract<JournalRecord, { readonly kind: "instance" }>,
  "kind" | "address" | "provider"
>;

/** Records the object at the address of a change; see `record`. */
export function recordInstance(
  applying: Applying,
  run: StackRun,
  { change: { address } }: PlannedInstance,
  provider: string,
  ...entries: readonly InstanceEntry[]
): Promise<boolean> {
  const about = { kind: "instance", address, provider } as const;
  return record(applying, run, ...entries.map((entry) => ({ ...about, ...entry })));
}

/** Records an action that is about to start; see `record`. */
export function recordIntent(
  applying: Applying,
  run: StackRun,
  address: string,
  action: string,
): boolean {
  try {
    journalOf(applying, run).note({ kind: "intent", address, action });
    return true;
  } catch (cause) {
    halt(applying, run, cause);
    return false;
  }
}

function journalOf({ journals }: Applying, run: StackRun): Journal {
  const journal = journals.get(run.name);
  if (!journal) throw new Error(`stack ${run.name} has no journal`);
  return journal;
}

function halt({ halted }: Applying, run: StackRun, cause: unknown): void {
  if (!halted.has(run.name)) {
    run.report([
      error(
        "Journal cannot be written",
        `No further changes are made, because they could not be recorded: ${errorText(cause)}`,
      ),
    ]);
  }
  halted.add(run.name);
}

const PROGRESS_INTERVAL_MS = 10_000;

/** Reports an operation to observers, from its start to its end. */
export function follow(
  { planning: { options } }: Applying,
  { target: { stack }, change }: PlannedInstance,
  action: Operation,
  before: ObjectValue | null,
) {
  const { address } = change;
  const { observe } = options;
  const about = { stack, address, action, ...deposedKey(change) };
  const started = performance.now();
  const elapsedMs = () => performance.now() - started;
  observe({ type: "apply_start", ...about, ...idOf(before) });
  const timer = setInterval(() => {
    observe({ type: "apply_progress", ...about, elapsedMs: elapsedMs(), ...idOf(before) });
  }, PROGRESS_INTERVAL_MS);
  // A process that only waits for this timer hangs.
  timer.unref();
  return {
    progress: (message: string) => {
      observe({ type: "apply_progress", ...about, elapsedMs: elapsedMs(), message });
    },
    end: (failed: boolean, after: ObjectValue | null) => {
      clearInterval(timer);
      if (failed) observe({ type: "apply_errored", ...about, elapsedMs: elapsedMs() });
      else observe({ type: "apply_complete", ...about, elapsedMs: elapsedMs(), ...idOf(after) });
    },
  };
}

function deposedKey({ deposed }: PlannedInstance["change"]): { deposed?: string } {
  return deposed === undefined ? {} : { deposed };
}
