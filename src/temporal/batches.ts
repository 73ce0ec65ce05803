import type { Rollout } from "../fleet/rollout/rollout";
import type { AppliedStack } from "../runtime";
import type { StackOutcome } from "./messages";

/** The stacks of one unit that are applied together, by a worker of one queue. */
export interface UnitToApply {
  readonly stacks: readonly string[];
  readonly queue: string;
  /** False if nothing is to be applied: the unit then needs no worker. */
  readonly changed: boolean;
}

export interface BatchRun {
  readonly rollout: Pick<Rollout, "pace">;
  readonly units: readonly UnitToApply[];
  /** Applies stacks of one queue. Must not reject. */
  readonly apply: (
    queue: string,
    stacks: readonly string[],
  ) => Promise<ReadonlyMap<string, StackOutcome>>;
  /** Resolves when batches may be handed out. */
  readonly open: () => Promise<void>;
  /** True if nothing may be handed out any more, because another execution of the workflow does it. */
  readonly isLeaving: () => boolean;
}

/** Stacks of a batch, unless one unit has more. */
export const BATCH = 25;

/** Batches that are handed out at a time: Temporal limits the open activities of a workflow to 2,000. */
const MOST_OPEN = 500;

/**
 * Runs a rollout by batches, as the executor runs it in one process: a unit is handed out when its wave
 * has begun and, if it changes something, when it has a slot. Units that become ready together share a
 * batch.
 */
export async function runInBatches(run: BatchRun): Promise<void> {
  const ready = new ReadyUnits(run);
  await Promise.all(run.units.map((unit) => runUnit(run, unit, ready)));
}

async function runUnit(run: BatchRun, unit: UnitToApply, ready: ReadyUnits): Promise<void> {
  const { pace } = run.rollout;
  for (const stack of unit.stacks) await pace.admit?.(stack);
  await run.open();
  if (unit.stacks.filter((stack) => pace.start?.(stack) ?? true).length === 0) return;
  if (unit.changed) {
    // All stacks of a unit share its slot.
    for (const stack of unit.stacks) {
      if ((await pace.beforeWrite?.(stack)) ?? true) continue;
      for (const other of unit.stacks) pace.refused?.(other);
      return;
    }
  }
  const outcomes = unit.changed ? await ready.add(unit) : new Map<string, StackOutcome>();
  for (const stack of unit.stacks) {
    const outcome = outcomes.get(stack) ?? unchangedOutcome(stack, "applied");
    if (outcome.status === "changed") pace.refused?.(stack);
    else pace.ended?.(appliedStack(outcome));
  }
}

interface ReadyUnit {
  readonly unit: UnitToApply;
  readonly done: (outcomes: ReadonlyMap<string, StackOutcome>) => void;
}

/** The units that may be handed out, by their queues. */
class ReadyUnits {
  private waiting: ReadyUnit[] = [];
  private isCollecting = false;
  private handedOut = 0;

  constructor(private readonly run: BatchRun) {}

  add(unit: UnitToApply): Promise<ReadonlyMap<string, StackOutcome>> {
    return new Promise((done) => {
      this.waiting.push({ unit, done });
      void this.collect();
    });
  }

  /** Waits for the units that become ready in the same turn. */
  private async collect(): Promise<void> {
    if (this.isCollecting) return;
    this.isCollecting = true;
    for (let turn = 0; turn < COLLECTING_TURNS; turn++) await Promise.resolve();
    this.isCollecting = false;
    this.handOut();
  }

  private handOut(): void {
    while (this.waiting.length > 0 && this.handedOut < MOST_OPEN && !this.run.isLeaving()) {
      const batch = this.nextBatch();
      const [first] = batch;
      if (!first) return;
      this.handedOut++;
      const stacks = batch.flatMap(({ unit }) => unit.stacks);
      void this.run.apply(first.unit.queue, stacks).then((outcomes) => {
        this.handedOut--;
        for (const { done } of batch) done(outcomes);
        this.handOut();
      });
    }
  }

  /** Takes the first unit, and others of its queue as long as they fit. */
  private nextBatch(): readonly ReadyUnit[] {
    const queue = this.waiting[0]?.unit.queue;
    const batch: ReadyUnit[] = [];
    const left: ReadyUnit[] = [];
    let size = 0;
    for (const one of this.waiting) {
      const { length } = one.unit.stacks;
      const fits = one.unit.queue === queue && (size === 0 || size + length <= BATCH);
      if (fits) size += length;
      (fits ? batch : left).push(one);
    }
    this.waiting = left;
    return batch;
  }
}

/** Units wait for promises one after the other before they are ready. */
const COLLECTING_TURNS = 30;

/** The result of a stack without changes. */
export function unchangedOutcome(
  stack: string,
  status: StackOutcome["status"],
  reason?: string,
): StackOutcome {
  return { stack, status, ...(reason !== undefined && { reason }), add: 0, change: 0, remove: 0 };
}

function appliedStack({ stack, status, add, change, remove }: StackOutcome): AppliedStack {
  const counts = { import: 0, add, change, destroy: remove };
  return { stack, counts, complete: status === "applied", state: undefined, diagnostics: [] };
}
