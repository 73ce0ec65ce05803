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
  /** True if batches may be handed out. */
  readonly isOpen: () => boolean;
  /** Resolves when batches may be handed out. */
  readonly open: () => Promise<void>;
}

/** Stacks of a batch, unless one unit has more. */
export const BATCH = 25;

/** Batches that are handed out at a time: Temporal limits the open activities of a workflow to 2,000. */
const MOST_OPEN = 500;

/**
 * Runs a rollout by batches, as the executor runs it in one process: a unit is handed out when its wave
 * has begun and, if it changes something, when it has a slot. Units that become ready together share a
 * batch. Temporal's SDK takes a tenth of a millisecond for each promise, so that a unit has none that it
 * can do without.
 */
export async function runInBatches(run: BatchRun): Promise<void> {
  const waves = new Map<Promise<void> | undefined, UnitToApply[]>();
  for (const unit of run.units) {
    const [stack = ""] = unit.stacks;
    const admitted = run.rollout.pace.admit?.(stack);
    const others = waves.get(admitted);
    if (others) others.push(unit);
    else waves.set(admitted, [unit]);
  }
  const batches = new Batches(run);
  const beginAll = async ([admitted, units]: [unknown, readonly UnitToApply[]]) => {
    await admitted;
    for (const unit of units) batches.begin(unit);
  };
  await Promise.all([batches.ended, ...[...waves].map(beginAll)]);
}

/** Divides the units that may be handed out, by their queues. */
class Batches {
  /** Resolves when all units have ended. */
  readonly ended: Promise<void>;
  private readonly waiting = new Map<string, UnitToApply[]>();
  private left: number;
  private handedOut = 0;
  private isCollecting = false;
  private finish: () => void = () => undefined;

  constructor(private readonly run: BatchRun) {
    this.left = run.units.length;
    this.ended = new Promise((resolve) => {
      this.finish = resolve;
      if (this.left === 0) resolve();
    });
  }

  begin(unit: UnitToApply): void {
    if (!unit.changed) {
      if (this.starts(unit)) this.end(unit, new Map());
      return;
    }
    // All stacks of a unit share its slot.
    const [stack = ""] = unit.stacks;
    const granted = this.run.rollout.pace.beforeWrite?.(stack) ?? true;
    const permit = (isGranted: boolean) => {
      this.permit(unit, isGranted);
    };
    if (typeof granted === "boolean") permit(granted);
    else void granted.then(permit);
  }

  private permit(unit: UnitToApply, isGranted: boolean): void {
    if (!isGranted) {
      for (const stack of unit.stacks) this.run.rollout.pace.refused?.(stack);
      this.leave();
      return;
    }
    const others = this.waiting.get(unit.queue);
    if (others) others.push(unit);
    else this.waiting.set(unit.queue, [unit]);
    if (!this.isCollecting) void this.collect();
  }

  /** Waits for the units that become ready in the same turn, and until they may be handed out. */
  private async collect(): Promise<void> {
    this.isCollecting = true;
    for (let turn = 0; turn < COLLECTING_TURNS; turn++) await Promise.resolve();
    while (!this.run.isOpen()) await this.run.open();
    this.isCollecting = false;
    this.handOut();
  }

  private handOut(): void {
    while (this.handedOut < MOST_OPEN) {
      const [next] = this.waiting;
      if (!next) return;
      if (!this.run.isOpen()) {
        if (!this.isCollecting) void this.collect();
        return;
      }
      const [queue, units] = next;
      const taken = units.splice(0, countOfBatch(units));
      // The queues take turns.
      this.waiting.delete(queue);
      if (units.length > 0) this.waiting.set(queue, units);
      const batch = taken.filter((unit) => this.starts(unit));
      const stacks = batch.flatMap((unit) => unit.stacks);
      if (stacks.length === 0) continue;
      this.handedOut++;
      void this.run.apply(queue, stacks).then((outcomes) => {
        this.handedOut--;
        for (const unit of batch) this.end(unit, outcomes);
        this.handOut();
      });
    }
  }

  /** Returns false if the rollout has ended for the unit. */
  private starts(unit: UnitToApply): boolean {
    const { pace } = this.run.rollout;
    if (unit.stacks.filter((stack) => pace.start?.(stack) ?? true).length > 0) return true;
    this.leave();
    return false;
  }

  private end(unit: UnitToApply, outcomes: ReadonlyMap<string, StackOutcome>): void {
    const { pace } = this.run.rollout;
    for (const stack of unit.stacks) {
      const outcome = outcomes.get(stack) ?? unchangedOutcome(stack, "applied");
      if (outcome.status === "changed") pace.refused?.(stack);
      else pace.ended?.(appliedStack(outcome));
    }
    this.leave();
  }

  private leave(): void {
    this.left--;
    if (this.left === 0) this.finish();
  }
}

/** The number of the first units that fit into one batch. One unit always does. */
function countOfBatch(units: readonly UnitToApply[]): number {
  let size = 0;
  const end = units.findIndex(({ stacks }) => (size += stacks.length) > BATCH);
  return end < 0 ? units.length : Math.max(1, end);
}

/** Units wait for promises one after the other before they are ready. */
const COLLECTING_TURNS = 10;

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
