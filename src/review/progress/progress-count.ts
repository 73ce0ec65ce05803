/** A part of a run at one moment. */
export interface Progress {
  /** Changes of objects; in a plan, the objects that are planned. None if the engine reports none. */
  readonly operations: Count;
  /** `done` includes those that failed. */
  readonly stacks: Count & {
    readonly failed: number;
    readonly running: number;
    /** Those that may not change anything yet. */
    readonly waiting: number;
  };
  /** Operations per second in the last seconds, or stacks; undefined if none ended. */
  readonly rate: number | undefined;
  /** In milliseconds; undefined where the rate does not allow a forecast. */
  readonly timeLeft: number | undefined;
  /** The stacks that run longest, longest first. */
  readonly slowest: readonly {
    readonly stack: string;
    readonly elapsedMs: number;
    /** The reason why its console makes the stack wait. */
    readonly reason?: string | undefined;
  }[];
  /** The limits of consoles that the run waits for, as in `limits writes: about 1 per second`. */
  readonly limits: readonly string[];
}

interface Count {
  readonly done: number;
  readonly total: number;
}

/** Running stacks that are named. */
const NAMED_STACKS = 3;

/** The rate is that of this time. */
const WINDOW_MS = 10_000;

/** A forecast needs this much of the work and of the time behind it, and a rate that is steady. */
const LEAST_SHARE = 0.05;
const LEAST_MS = 5_000;
const STEADY_RATIO = 2;

/** Counts a part of a run. Times are in milliseconds, on any clock that never goes back. */
export class ProgressCount {
  private readonly running = new Map<string, number>();
  private readonly waiting = new Set<string>();
  private readonly reasons = new Map<string, string>();
  private readonly over = new Set<string>();
  /** The milliseconds that stacks without errors took. */
  readonly durations = new Map<string, number>();
  private readonly left: Map<string, number>;
  private operations: Count;
  private failed = 0;
  private readonly samples: { readonly at: number; readonly done: number }[];
  /** When the last part of the work ended. */
  private proceeded: number;

  /** @param operations - the number of each stack, if it is known before */
  constructor(
    private readonly total: number,
    operations: ReadonlyMap<string, number>,
    private readonly began: number,
  ) {
    this.left = new Map(operations);
    this.operations = {
      done: 0,
      total: [...operations.values()].reduce((sum, one) => sum + one, 0),
    };
    this.samples = [{ at: began, done: 0 }];
    this.proceeded = began;
  }

  /** A stack has done something. */
  reached(stack: string, at: number): void {
    if ([this.running, this.waiting, this.over].some((stacks) => stacks.has(stack))) return;
    this.running.set(stack, at);
  }

  /** The console of a stack makes it wait. */
  delayed(stack: string, reason: string): void {
    this.reasons.set(stack, reason);
  }

  /** A stack waits until others have ended. */
  waits(stack: string): void {
    this.running.delete(stack);
    this.waiting.add(stack);
  }

  /** The wait of a stack has ended. */
  resumes(stack: string, at: number): void {
    this.waiting.delete(stack);
    this.reached(stack, at);
  }

  /** An operation of a stack has ended. */
  operated(stack: string): void {
    this.reasons.delete(stack);
    const left = this.left.get(stack) ?? 0;
    if (left === 0) return;
    this.left.set(stack, left - 1);
    this.operations = { ...this.operations, done: this.operations.done + 1 };
  }

  /** Sets the operations, where they are counted elsewhere. */
  reachedOperations(operations: Count): void {
    this.operations = operations;
  }

  /** Operations that a stack has not reached are no longer expected. */
  ended(stack: string, failed: boolean, at: number): void {
    if (this.over.has(stack)) return;
    const started = this.running.get(stack);
    if (started !== undefined && !failed) this.durations.set(stack, at - started);
    this.running.delete(stack);
    this.waiting.delete(stack);
    this.over.add(stack);
    if (failed) this.failed++;
    const { done, total } = this.operations;
    this.operations = { done, total: total - (this.left.get(stack) ?? 0) };
    this.left.delete(stack);
  }

  progress(at: number, limits: readonly string[] = []): Progress {
    const { failed, running, waiting, over, total, operations } = this;
    const sizes = { done: over.size, running: running.size, waiting: waiting.size };
    const stacks = { ...sizes, total, failed };
    const slowest = [...running]
      .map(([stack, started]) => {
        const reason = this.reasons.get(stack);
        return { stack, elapsedMs: at - started, ...(reason !== undefined && { reason }) };
      })
      .sort((a, b) => b.elapsedMs - a.elapsedMs)
      .slice(0, NAMED_STACKS);
    return {
      operations,
      stacks,
      ...this.forecast(operations.total > 0 ? operations : stacks, at),
      slowest,
      limits,
    };
  }

  private forecast({ done, total }: Count, at: number): Pick<Progress, "rate" | "timeLeft"> {
    const { samples, began } = this;
    while ((samples[1]?.at ?? at) <= at - WINDOW_MS) samples.shift();
    const [first = { at: began, done: 0 }] = samples;
    if (done !== samples.at(-1)?.done) this.proceeded = at;
    samples.push({ at, done });
    const rate = perSecond(done - first.done, at - first.at);
    if (rate === undefined) return { rate, timeLeft: undefined };
    const mean = perSecond(done, at - began) ?? rate;
    const isSteady = Math.max(rate, mean) <= STEADY_RATIO * Math.min(rate, mean);
    const isEnough = done >= LEAST_SHARE * total && at - began >= LEAST_MS;
    const timeLeft = (1000 * (total - done)) / rate;
    // A forecast that has passed was wrong, and nobody knows how long a console makes its stack wait.
    const isStuck =
      timeLeft < at - this.proceeded ||
      (this.running.size > 0 && [...this.running.keys()].every((stack) => this.reasons.has(stack)));
    return { rate, timeLeft: isSteady && isEnough && !isStuck ? timeLeft : undefined };
  }
}

function perSecond(count: number, elapsedMs: number): number | undefined {
  return count > 0 && elapsedMs > 0 ? (1000 * count) / elapsedMs : undefined;
}
