/** The progress of a run over many stacks at one moment. */
export interface Progress {
  readonly total: number;
  /** Stacks that have ended, with those that failed. */
  readonly done: number;
  readonly failed: number;
  readonly running: number;
  /** Stacks per second since the begin; undefined before the first one has ended. */
  readonly rate: number | undefined;
  /** At this rate, in milliseconds. */
  readonly timeLeft: number | undefined;
  /** The stacks that run longest, longest first. */
  readonly slowest: readonly { readonly stack: string; readonly elapsedMs: number }[];
}

/** Running stacks that are named. */
const NAMED = 3;

/** Counts the stacks of a part of a run. Times are in milliseconds, on any clock that never goes back. */
export class ProgressCount {
  private readonly running = new Map<string, number>();
  private readonly over = new Set<string>();
  private failed = 0;
  private pausedAt: number | undefined;

  constructor(
    private readonly total: number,
    private began: number,
  ) {}

  /** A stack has done something. */
  reached(stack: string, at: number): void {
    if (!this.running.has(stack) && !this.over.has(stack)) this.running.set(stack, at);
  }

  ended(stack: string, failed: boolean): void {
    if (this.over.has(stack)) return;
    this.running.delete(stack);
    this.over.add(stack);
    if (failed) this.failed++;
  }

  /** Time that passes until `resume` does not count. */
  pause(at: number): void {
    this.pausedAt ??= at;
  }

  resume(at: number): void {
    const passed = at - (this.pausedAt ?? at);
    this.pausedAt = undefined;
    this.began += passed;
    for (const [stack, started] of this.running) this.running.set(stack, started + passed);
  }

  progress(at: number): Progress {
    const { total, failed, running, began } = this;
    const done = this.over.size;
    const elapsed = at - began;
    const rate = done > 0 && elapsed > 0 ? (1000 * done) / elapsed : undefined;
    const slowest = [...running]
      .map(([stack, started]) => ({ stack, elapsedMs: at - started }))
      .sort((a, b) => b.elapsedMs - a.elapsedMs)
      .slice(0, NAMED);
    const timeLeft = rate && (1000 * (total - done)) / rate;
    return { total, done, failed, running: running.size, rate, timeLeft, slowest };
  }
}
