import type { ContentRecord } from "../../core/definitions/content-record";
import { RefusedError } from "../../core/definitions/failure";
import { error } from "../../core/diagnostics";
import type { ObjectRecord, RunMark } from "../../core/documents/run-record";
import { errorText } from "../../core/io/file-problem";
import { world, type Timer } from "../../core/io/world";
import { isWhollyKnown, type Evaluated, type ObjectValue } from "../../core/values";
import type { Journal, JournalRecord } from "../../backends";
import type { ActionStep } from "../../core/documents/events";
import { repeat } from "../evaluation/repetition";
import type { Surroundings } from "../evaluation/stack-values";
import type { InstanceKey, InstanceState } from "../../core/documents/state";
import type { ResourceChange } from "../../core/documents/stack-plan";
import type { PlannedInstance } from "../plan/planned-instance";
import { idOf } from "../evaluation/stored-objects";
import type { EngineOptions, StackRun } from "../plan/run";
import type { Pause } from "../graph/walk";
import type { Target } from "../plan/target";

/** An object of an instance as the state keeps it; null removes it. */
export interface StoredResult {
  readonly instance: InstanceState | null;
  /** Default: the current object. */
  readonly deposed?: string | undefined;
  /** Recorded during an action, which is not done. */
  readonly checkpoint?: true;
}

/** Asks before a stack writes, and records its changes. */
interface StackPermit {
  /** Undefined after an error, which is in the run. */
  readonly openJournal: () => Promise<Journal | undefined>;
  /** Resolves when the stack may write, and to false if it may not. Default: always. */
  readonly permit?: () => boolean | Promise<boolean>;
  /** See `Pace.waitUntil`. */
  readonly waitUntil?: number | undefined;
  /** See `Pace.record`. */
  readonly record?: (entries: readonly ObjectRecord[]) => Promise<RunMark>;
}

/** The progress of the apply of one stack. */
export class StackApply {
  /** The completed changes. */
  readonly counts = { import: 0, add: 0, change: 0, destroy: 0 };
  /** The values of the objects that exist after their changes. */
  readonly values = new Map<ResourceChange, Evaluated>();
  /** The deposed keys of objects that wait for their destruction. */
  readonly deposed = new Map<ResourceChange, string>();
  /** The starts of operations that have changed nothing yet. */
  private readonly starts = new Map<string, ObjectRecord>();
  private readonly imported = new Set<ResourceChange>();
  private readonly repeated = new Map<string, ReadonlyMap<InstanceKey | undefined, Surroundings>>();
  private journal: Journal | undefined;
  private halted = false;
  private stored = false;
  private marked = false;
  private permission: "needed" | "granted" | "refused";

  constructor(
    readonly run: StackRun,
    readonly options: EngineOptions,
    /** The changes with `create_before_destroy` in the state. */
    readonly createdFirst: ReadonlySet<ResourceChange>,
    readonly pace: StackPermit,
  ) {
    this.permission = pace.permit ? "needed" : "granted";
  }

  /** Opens the journal. A stack that only reads or evaluates needs none. False if that fails. */
  async open(): Promise<boolean> {
    this.journal = await this.pace.openJournal();
    return this.journal !== undefined;
  }

  /** True if nothing new starts: the stack may not write, or the changes could not be recorded. */
  get isHalted(): boolean {
    return this.halted || this.permission === "refused";
  }

  /** True if the stack had to ask before it writes, and has written nothing. */
  get isUntouched(): boolean {
    return this.permission !== "granted";
  }

  /** True if no object of the state was changed. */
  get isUnchanged(): boolean {
    return !this.stored;
  }

  /** True if the run has a record, and it has nothing of the stack: its state must have nothing, either. */
  get isUnrecorded(): boolean {
    return this.pace.record !== undefined && !this.marked;
  }

  /** Returns an instance with the present configuration of its provider; undefined without one. */
  connected(planned: PlannedInstance): PlannedInstance | undefined {
    const { target } = planned;
    const configured = this.run.connections.get(target.providerKey);
    return configured && { ...planned, target: { ...target, connection: configured.connection } };
  }

  /**
   * Returns the `each` and `count` of an instance. `each.value` may be known only during the apply:
   * one evaluation serves all instances whose values are known by it.
   */
  surroundingsOf({ surroundings, target }: PlannedInstance): Surroundings {
    const { config, instance } = target;
    const { each } = surroundings;
    if (!config?.forEach || !each || isWhollyKnown(each.value)) return surroundings;
    const known = this.repeated.get(config.address)?.get(instance.key);
    if (known?.each && isWhollyKnown(known.each.value)) return known;
    const { instances = [] } = repeat(config, this.run.values);
    const repeated = new Map(instances.map((one) => [one.key, one.surroundings]));
    this.repeated.set(config.address, repeated);
    return repeated.get(instance.key) ?? surroundings;
  }

  /** Resolves when the stack may write; to false if it may not, and then never may. */
  async mayWrite(pause: Pause): Promise<boolean> {
    if (this.permission === "needed" && this.pace.permit) {
      const permitted = this.pace.permit();
      const granted = typeof permitted === "boolean" ? permitted : await pause(permitted);
      this.permission = granted ? "granted" : "refused";
    }
    return this.permission === "granted";
  }

  /** Records an action that is about to start. False if that fails: see `record`. */
  private async recordIntent(address: string, action: ActionStep): Promise<boolean> {
    const { journal } = this;
    if (!journal) throw new Error(NO_JOURNAL);
    try {
      journal.note({ kind: "intent", address, action });
    } catch (cause) {
      return this.halt(cause);
    }
    return this.recordMarked(await this.enter(address, []));
  }

  /** Records objects that a plan has moved, after the mark of the run; see `record`. */
  async recordMoves(moves: readonly JournalRecord[]): Promise<boolean> {
    return this.recordMarked(await this.mark([]), ...moves);
  }

  /** Makes records durable, after a mark. Nothing is recorded, or written, if there is no mark. */
  private async recordMarked(
    mark: RunMark | boolean,
    ...records: readonly JournalRecord[]
  ): Promise<boolean> {
    if (mark === false && !this.run.hasErrors) this.run.report([NOT_RECORDED]);
    return mark !== false && this.record(...marksOf(mark), ...records);
  }

  /** Adds entries to the record of the run, after the start of their operation; see `mark`. */
  private enter(address: string, entries: readonly ObjectRecord[]): Promise<RunMark | boolean> {
    const start = this.starts.get(address);
    this.starts.delete(address);
    return this.mark(start ? [start, ...entries] : entries);
  }

  /**
   * Adds entries to the record of the run. Returns the mark of its last line, true without a record,
   * and false if that fails.
   */
  private async mark(entries: readonly ObjectRecord[]): Promise<RunMark | boolean> {
    if (!this.pace.record) return true;
    try {
      const mark = await this.pace.record(entries);
      this.run.state.setRunMark(mark);
      this.marked = true;
      return mark;
    } catch {
      // The one who records reports it.
      this.halted = true;
      return false;
    }
  }

  /**
   * Stores objects of an instance in the state, and makes them durable; see `record`. The record of the
   * run has them first: the state may have them as soon as the journal does, after a kill too.
   */
  async store(
    { instance: at, providerAddress: provider, where: { address } }: Target,
    ...results: readonly StoredResult[]
  ): Promise<boolean> {
    const { state } = this.run;
    for (const { instance, deposed } of results) {
      // A create that failed before its first write has changed nothing.
      this.stored ||= Boolean(instance) || state.find(at, deposed) !== undefined;
      if (instance) state.set(at, provider, instance);
      else state.remove(at, deposed);
    }
    const current = results.filter(({ deposed }) => deposed === undefined);
    const mark = await this.enter(
      address,
      current.map(({ instance }) => ({ kind: "stored", address, after: instance })),
    );
    const about = { kind: "instance", address, provider } as const;
    // A kill may leave a part of them: a journal with a change has the mark of its run.
    const isStored = await this.record(
      ...marksOf(mark),
      ...results.map((result) => ({ ...about, ...result })),
    );
    if (mark === false && !this.run.hasErrors) this.run.report([NOT_RECORDED_ANY_MORE]);
    return mark !== false && isStored;
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

  /**
   * Reports an imported object when the steps of its change begin. False if the stack may not write:
   * it then keeps its state.
   */
  async reportImport({ change, imported }: PlannedInstance, pause: Pause): Promise<boolean> {
    const { importing, address } = change;
    if (!imported || !importing || this.imported.has(change)) return true;
    if (!(await this.mayWrite(pause))) return false;
    this.imported.add(change);
    const about = { stack: this.run.name, address, id: importing.id };
    this.options.observe({ type: "import_apply_start", ...about });
    this.counts.import++;
    this.options.observe({ type: "import_apply_complete", ...about });
    return true;
  }

  /**
   * Begins an operation on an object, which observers see from its start to its end. Undefined if it
   * cannot be recorded. In a stack that has to ask first, it starts with its first write or progress.
   */
  async begin({ change, target, prior }: PlannedInstance, action: ActionStep, pause: Pause) {
    const { observe } = this.options;
    const { address, deposed } = change;
    const before = prior?.value ?? null;
    if (deposed === undefined && this.pace.record) {
      const { instance, providerAddress: provider } = target;
      const stored = this.run.storedInstance(instance) ?? null;
      this.starts.set(address, { kind: "start", address, provider, action, before: stored });
    }
    const key = deposed === undefined ? {} : { deposed };
    const about = { stack: this.run.name, address, action, ...key };
    let started: number | undefined;
    let timer: Timer | undefined;
    let isRecorded = false;
    let isRefused = false;
    const elapsedMs = () => world.clock.steady() - (started ?? world.clock.steady());
    const start = () => {
      const goOn = () => {
        observe({ type: "apply_progress", ...about, elapsedMs: elapsedMs(), ...idOf(before) });
      };
      timer ??= world.clock.every(PROGRESS_INTERVAL_MS, goOn).letGo();
      if (started !== undefined) return;
      started = world.clock.steady();
      observe({ type: "apply_start", ...about, ...idOf(before) });
    };
    const stop = () => {
      timer?.cancel();
      timer = undefined;
    };
    /** Resolves to true when the object may be changed. */
    const mayWrite = async (): Promise<boolean> => {
      if (isRecorded) return true;
      stop();
      isRecorded = (await this.mayWrite(pause)) && (await this.recordIntent(address, action));
      isRefused = !isRecorded;
      if (isRecorded) start();
      return isRecorded;
    };
    const operation = {
      mayWrite,
      /** True if nothing was changed, because `mayWrite` has resolved to false. */
      get isRefused(): boolean {
        return isRefused;
      },
      /** The functions that the provider calls during the operation. */
      callbacks: {
        beforeWrite: mayWrite,
        progress: (message: string) => {
          start();
          observe({ type: "apply_progress", ...about, elapsedMs: elapsedMs(), message });
        },
        /** Records a write to a collection or a setting. Rejects if that fails: nothing may be written. */
        record:
          this.pace.record &&
          (async (content: ContentRecord) => {
            const mark = await this.enter(address, [{ kind: "content", address, content }]);
            if (mark !== false && (await this.record(...marksOf(mark)))) return;
            throw new RefusedError(NOT_RECORDED);
          }),
      },
      end: (failed: boolean, after: ObjectValue | null) => {
        if (!isRefused) start();
        stop();
        if (started === undefined) return;
        if (failed) observe({ type: "apply_errored", ...about, elapsedMs: elapsedMs() });
        else observe({ type: "apply_complete", ...about, elapsedMs: elapsedMs(), ...idOf(after) });
      },
    };
    if (this.permission === "needed") return operation;
    return (await mayWrite()) ? operation : undefined;
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

function marksOf(mark: RunMark | boolean): readonly JournalRecord[] {
  return typeof mark === "boolean" ? [] : [{ kind: "mark", ...mark }];
}

const PROGRESS_INTERVAL_MS = 10_000;
const NOT_RECORDED = error(
  "Change was not recorded",
  "Nothing was written, because the record of the run could not be written first.",
);
const NOT_RECORDED_ANY_MORE = error(
  "Change was not recorded",
  "What was done is stored in the state. No further changes are made, because the record of the run could not be written.",
);
const NO_JOURNAL = "a stack with changes has no journal";
