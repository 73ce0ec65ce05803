import { deferred, type Deferred } from "./deferred";
import { unitsOf, type Unit } from "./units";

/** The stacks of a rollout, and the failures that it may have. */
export interface SlotRequest {
  readonly stacks: readonly string[];
  /** The stacks that a stack waits for. */
  readonly awaited: ReadonlyMap<string, ReadonlySet<string>>;
  /** Further units write as long as no more than these have failed after a write. */
  readonly allowedFailures: () => number;
  /** The units that failed after a write in an earlier part of the run. */
  readonly failedBefore?: number;
  /** Returns the number of units that may write at a time now. Default: any. */
  readonly most?: () => number;
}

/**
 * Bounds the units that fail after a write to `allowedFailures` + 1, as CloudFormation's strict
 * failure tolerance does. A unit (stacks that wait for each other) takes a slot before its first
 * write and holds it until its stacks have ended. Each unit that failed with a slot, and each that
 * holds one, may be a failure: together they are never more than the bound.
 */
export class Slots {
  private readonly unitOf = new Map<string, Unit>();
  /** The stacks of each unit that have not ended. */
  private readonly open = new Map<Unit, Set<string>>();
  /** The units outside a unit that its stacks wait for. */
  private readonly needs = new Map<Unit, ReadonlySet<Unit>>();
  private readonly holders = new Set<Unit>();
  private readonly failing = new Set<Unit>();
  /** The units that asked to write and have no slot yet. */
  private readonly waiting = new Map<Unit, Deferred<boolean>>();
  private failures: number;
  private closed = false;

  constructor(private readonly request: SlotRequest) {
    const { stacks, awaited } = request;
    this.failures = request.failedBefore ?? 0;
    for (const unit of unitsOf(stacks, awaited)) {
      this.open.set(unit, new Set(unit));
      for (const stack of unit) this.unitOf.set(stack, unit);
    }
    for (const unit of this.open.keys()) {
      const others = unit.flatMap((stack) => [...(awaited.get(stack) ?? [])]);
      const needed = others.flatMap((stack) => {
        const other = this.unitOf.get(stack);
        return other && other !== unit ? [other] : [];
      });
      this.needs.set(unit, new Set(needed));
    }
  }

  /** Resolves to true when the stack may write, and to false if it may not any more. */
  take(stack: string): true | Promise<boolean> {
    const unit = this.unit(stack);
    if (this.holders.has(unit)) return true;
    if (this.closed) return Promise.resolve(false);
    const known = this.waiting.get(unit);
    if (known) return known.promise;
    const asked = deferred<boolean>();
    this.waiting.set(unit, asked);
    this.grant();
    return this.holders.has(unit) || asked.promise;
  }

  /** Notes a failure. It counts if a stack of the unit may write, before it or after it. */
  failed(stack: string): void {
    this.failing.add(this.unit(stack));
  }

  /** Notes that nothing of a stack runs any more, or that it is never started. */
  ended(stack: string): void {
    const unit = this.unit(stack);
    const left = this.open.get(unit);
    if (!left?.delete(stack) || left.size > 0) return;
    if (this.holders.delete(unit) && this.failing.has(unit)) this.failures++;
    this.grant();
  }

  /** Refuses all units without a slot. Those that hold one may go on. */
  close(): void {
    this.closed = true;
    for (const { resolve } of this.waiting.values()) resolve(false);
    this.waiting.clear();
  }

  /** Hands free slots to units in the order in which they asked. */
  grant(): void {
    const bound = this.request.allowedFailures() + 1;
    const most = this.request.most?.() ?? Number.POSITIVE_INFINITY;
    for (const [unit, { resolve }] of this.waiting) {
      const { size } = this.holders;
      if (size + this.failures >= bound || size >= most) return;
      // Otherwise it could hold the slot that a unit that it waits for needs.
      const isEarly = [...(this.needs.get(unit) ?? [])].some((one) => this.open.get(one)?.size);
      if (isEarly) continue;
      this.waiting.delete(unit);
      this.holders.add(unit);
      resolve(true);
    }
  }

  private unit(stack: string): Unit {
    const unit = this.unitOf.get(stack);
    if (!unit) throw new Error(`stack ${stack} is not in the rollout`);
    return unit;
  }
}
