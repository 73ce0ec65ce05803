import { error } from "../../core/diagnostics";
import { errorText } from "../../core/io/file-problem";
import type { ObjectValue } from "../../core/values";
import type { Journal, JournalRecord } from "../backends/backend";
import type { Operation } from "../../core/documents/events";
import type { Evaluated } from "../expressions/evaluated";
import type { InstanceState } from "../../core/documents/state";
import type { ResourceChange } from "../../core/documents/stack-plan";
import type { PlannedInstance } from "../plan/planned-instance";
import { idOf } from "../evaluation/stored-objects";
import type { EngineOptions, StackRun } from "../plan/run";
import type { Target } from "../plan/target";

/** An object of an instance as the state keeps it; null removes it. */
export interface StoredResult {
  readonly instance: InstanceState | null;
  /** Default: the current object. */
  readonly deposed?: string | undefined;
  /** Recorded during an action, which is not done. */
  readonly checkpoint?: true;
}

/** The progress of the apply of one stack. */
export class StackApply {
  /** The completed changes. */
  readonly counts = { import: 0, add: 0, change: 0, destroy: 0 };
  /** The values of the objects that exist after their changes. */
  readonly values = new Map<ResourceChange, Evaluated>();
  /** The deposed keys of objects that wait for their destruction. */
  readonly deposed = new Map<ResourceChange, string>();
  private readonly imported = new Set<ResourceChange>();
  private journal: Journal | undefined;
  private halted = false;

  constructor(
    readonly run: StackRun,
    readonly options: EngineOptions,
    /** The changes with `create_before_destroy` in the state. */
    readonly createdFirst: ReadonlySet<ResourceChange>,
    /** Undefined after an error, which is in the run. */
    private readonly openJournal: () => Promise<Journal | undefined>,
  ) {}

  /** Opens the journal. A stack that only reads or evaluates needs none. False if that fails. */
  async open(): Promise<boolean> {
    this.journal = await this.openJournal();
    return this.journal !== undefined;
  }

  /** True if nothing new starts, because the changes could not be recorded. */
  get isHalted(): boolean {
    return this.halted;
  }

  /** Records an action that is about to start. False if that fails: see `record`. */
  recordIntent(address: string, action: string): boolean {
    const { journal } = this;
    if (!journal) throw new Error(NO_JOURNAL);
    try {
      journal.note({ kind: "intent", address, action });
      return true;
    } catch (cause) {
      return this.halt(cause);
    }
  }

  /** Stores objects of an instance in the state, and makes them durable; see `record`. */
  store(
    { instance: at, providerAddress: provider, where: { address } }: Target,
    ...results: readonly StoredResult[]
  ): Promise<boolean> {
    const { state } = this.run;
    for (const { instance, deposed } of results) {
      if (instance) state.set(at, provider, instance);
      else state.remove(at, deposed);
    }
    const about = { kind: "instance", address, provider } as const;
    return this.record(...results.map((result) => ({ ...about, ...result })));
  }

  /**
   * Makes records durable. Returns false if that fails; then nothing new of the stack starts, and
   * the results so far are written with the state at the end.
   */
  async record(...records: readonly JournalRecord[]): Promise<boolean> {
    const { journal } = this;
    if (!journal) throw new Error(NO_JOURNAL);
    try {
      // All of them are appended before the first is awaited, so that they share one batch.
      await Promise.all(records.map((one) => journal.append(one)));
      return true;
    } catch (cause) {
      return this.halt(cause);
    }
  }

  /** Reports an imported object when the steps of its change begin. */
  reportImport({ change, imported }: PlannedInstance): void {
    const { importing, address } = change;
    if (!imported || !importing || this.imported.has(change)) return;
    this.imported.add(change);
    const about = { stack: this.run.name, address, id: importing.id };
    this.options.observe({ type: "import_apply_start", ...about });
    this.counts.import++;
    this.options.observe({ type: "import_apply_complete", ...about });
  }

  /** Reports an operation to observers, from its start to its end. */
  follow({ address, deposed }: ResourceChange, action: Operation, before: ObjectValue | null) {
    const { observe } = this.options;
    const key = deposed === undefined ? {} : { deposed };
    const about = { stack: this.run.name, address, action, ...key };
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

  private halt(cause: unknown): false {
    if (!this.halted) {
      this.run.report([
        error(
          "Journal cannot be written",
          `No further changes are made, because they could not be recorded: ${errorText(cause)}`,
        ),
      ]);
    }
    this.halted = true;
    return false;
  }
}

const PROGRESS_INTERVAL_MS = 10_000;
const NO_JOURNAL = "a stack with changes has no journal";
