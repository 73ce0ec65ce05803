import type { AppliedStack, Pace } from "../../runtime";

/** One wave, as it starts. */
export interface Wave {
  /** From 1. */
  readonly number: number;
  readonly count: number;
  readonly stacks: readonly string[];
}

/** The reason why a rollout starts no further stacks. */
export type Halt = "failures" | "refused" | "interrupted";

export interface RolloutOptions {
  /** Each stack is in one of them. At least one wave, and none is empty. */
  readonly waves: readonly (readonly string[])[];
  /** Further stacks start as long as no more than these have failed. */
  readonly allowedFailures: number;
  /** The stacks that have failed before, because they could not be planned. */
  readonly excluded: number;
  /** Asked between two waves. False: the rollout ends. Must not throw. */
  readonly proceed: (done: Wave, next: Wave) => Promise<boolean>;
  readonly stop: AbortSignal;
  readonly started?: (stack: string) => void;
  readonly ended?: (result: AppliedStack) => void;
  readonly waveStarted?: (wave: Wave) => void;
}

/**
 * Paces an apply: a wave starts when all stacks of the one before have ended, and nothing starts
 * after too many failures. Started stacks are completed.
 */
export class Rollout {
  private readonly failed = new Set<string>();
  private halt: Halt | undefined;
  private current = 0;
  private readonly waves: readonly Wave[];
  /** The stacks of each wave that have not ended. */
  private readonly open: readonly Set<string>[];
  private readonly waveOf = new Map<string, number>();
  private readonly opened: readonly { promise: Promise<void>; resolve: () => void }[];

  constructor(private readonly options: RolloutOptions) {
    const { waves, stop } = options;
    this.waves = waves.map((stacks, at) => ({ number: at + 1, count: waves.length, stacks }));
    this.open = waves.map((stacks) => new Set(stacks));
    for (const [at, stacks] of waves.entries()) {
      for (const stack of stacks) this.waveOf.set(stack, at);
    }
    this.opened = waves.map(() => signal());
    stop.addEventListener("abort", () => {
      this.end("interrupted");
    });
    this.begin(0);
  }

  /** The number of stacks that have failed, with the excluded ones. */
  get failures(): number {
    return this.options.excluded + this.failed.size;
  }

  /** Undefined as long as stacks may start, and after a rollout that started all of them. */
  get halted(): Halt | undefined {
    return this.halt;
  }

  /** The pace of the apply. */
  get pace(): Pace {
    const { waves, started, ended } = this.options;
    return {
      order: waves.flat(),
      admit: (stack) => {
        const wave = this.waveOf.get(stack) ?? 0;
        return wave <= this.current ? undefined : this.opened[wave]?.promise;
      },
      start: (stack) => {
        if (this.failures > this.options.allowedFailures) this.end("failures");
        if (this.halt === undefined) {
          started?.(stack);
          return true;
        }
        this.leave(stack);
        return false;
      },
      failed: (stack) => {
        this.failed.add(stack);
      },
      ended: (result) => {
        if (!result.complete) this.failed.add(result.stack);
        ended?.(result);
        this.leave(result.stack);
      },
    };
  }

  /** Removes a stack from its wave, and starts the next wave after the last one. */
  private leave(stack: string): void {
    const at = this.waveOf.get(stack) ?? 0;
    const open = this.open[at];
    if (!open?.delete(stack)) return;
    if (at === this.current && open.size === 0) void this.advance();
  }

  private async advance(): Promise<void> {
    // Stacks of a later wave can have ended: those with a cycle are never started.
    const next = this.open.findIndex((stacks, at) => at > this.current && stacks.size > 0);
    const [done, wave] = [this.waves[this.current], this.waves[next]];
    if (!done || !wave || this.halt !== undefined) return;
    if (this.failures > this.options.allowedFailures) this.end("failures");
    else if (!(await this.options.proceed(done, wave))) this.end("refused");
    else this.begin(next);
  }

  private begin(at: number): void {
    const wave = this.waves[at];
    if (!wave || this.halt !== undefined) return;
    this.current = at;
    this.options.waveStarted?.(wave);
    this.opened[at]?.resolve();
  }

  /** Lets all stacks pass to `start`, which refuses them. */
  private end(reason: Halt): void {
    if (this.halt !== undefined) return;
    this.halt = reason;
    for (const { resolve } of this.opened) resolve();
  }
}

function signal(): { promise: Promise<void>; resolve: () => void } {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
