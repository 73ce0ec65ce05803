import type { AppliedStack, Pace } from "../../runtime";
import { deferred, type Deferred } from "./deferred";
import { Slots } from "./slots";
import { withDependents } from "./units";
import type { PlannedWave } from "./waves";

/** One wave, as it starts. */
export interface Wave {
  /** From 1. */
  readonly number: number;
  readonly count: number;
  readonly stacks: readonly string[];
}

/** The reason why a rollout starts no further stacks. */
export type Halt = "failures" | "refused" | "interrupted" | "waiting";

export type FailureMode = "strict" | "soft";

export interface WaveOptions {
  /** Each stack is in one of them. At least one wave. */
  readonly waves: readonly PlannedWave[];
  /** Further stacks start as long as no more than these have failed. May change; see `limited`. */
  readonly allowedFailures: number;
  /** The units that may change something at a time. May change. Default: any number. */
  readonly most?: number;
  /**
   * `strict`: no more than `allowedFailures` + 1 units fail after a write. `soft`: all stacks of a wave
   * start at once, so that all of them may fail.
   */
  readonly failureMode: FailureMode;
  /** The stacks that a stack waits for. */
  readonly awaited: ReadonlyMap<string, ReadonlySet<string>>;
  /** Stacks that start when the others of their wave have ended, as do those that wait for them. */
  readonly late?: ReadonlySet<string>;
  /** The stacks that have failed before, because they could not be planned. */
  readonly excluded: number;
  /** Those that failed in an earlier part of the run, perhaps after a write. */
  readonly failedBefore?: number;
  /** Asked between two waves. `refused` and `waiting` end the rollout. Must not throw. */
  readonly proceed: (done: Wave, next: Wave) => Promise<"start" | "refused" | "waiting">;
  readonly stop: AbortSignal;
  /** A stack waits until others have ended, before it changes anything. */
  readonly waits?: (stack: string) => void;
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
  /** The stacks whose start was reported. */
  private readonly reported = new Set<string>();
  private halt: Halt | undefined;
  private current = 0;
  private readonly waves: readonly Wave[];
  /** All stacks, in the order of their start. */
  private readonly stacks: readonly string[];
  /** The stacks of each wave that have not ended. */
  private readonly open: readonly Set<string>[];
  private readonly waveOf = new Map<string, number>();
  private readonly opened: readonly Deferred<undefined>[];
  private readonly late: ReadonlySet<string>;
  /** Resolved for each wave when its late stacks may start. */
  private readonly openedLate: readonly Deferred<undefined>[];
  private readonly slots: Slots | undefined;

  constructor(private readonly options: WaveOptions) {
    const { waves, stop, awaited, failureMode } = options;
    const allowedFailures = () =>
      failureMode === "strict" ? options.allowedFailures : Number.POSITIVE_INFINITY;
    const isBounded =
      Number.isFinite(allowedFailures()) ||
      [options, ...waves].some(({ most }) => most !== undefined);
    const count = waves.length;
    this.stacks = waves.flatMap(({ stacks }) => stacks);
    this.slots = isBounded
      ? new Slots({
          stacks: this.stacks,
          awaited,
          allowedFailures,
          failedBefore: options.failedBefore ?? 0,
          most: () =>
            Math.min(
              options.most ?? Number.POSITIVE_INFINITY,
              waves[this.current]?.most ?? Number.POSITIVE_INFINITY,
            ),
        })
      : undefined;
    this.waves = waves.map(({ stacks }, at) => ({ number: at + 1, count, stacks }));
    this.open = waves.map(({ stacks }) => new Set(stacks));
    for (const [at, { stacks }] of waves.entries()) {
      for (const stack of stacks) this.waveOf.set(stack, at);
    }
    this.opened = waves.map(() => deferred<undefined>());
    this.openedLate = waves.map(() => deferred<undefined>());
    this.late = withDependents(options.late ?? new Set(), awaited);
    stop.addEventListener("abort", () => {
      this.end("interrupted");
    });
    // A resumed run can have nothing left of the first waves.
    const first = this.open.findIndex((stacks) => stacks.size > 0);
    this.begin(Math.max(0, first));
  }

  /** The number of stacks that have failed, with the excluded ones. */
  get failures(): number {
    return this.options.excluded + this.failed.size;
  }

  /** Applies limits that have changed. Only a rollout with `most` can be limited while it runs. */
  limited(): void {
    this.endAfterFailures();
    this.slots?.grant();
  }

  /** Undefined as long as stacks may start, and after a rollout that started all of them. */
  get halted(): Halt | undefined {
    return this.halt;
  }

  /** The pace of the apply. */
  get pace(): Pace {
    const { ended } = this.options;
    return {
      order: this.stacks,
      admit: (stack) => {
        const wave = this.waveOf.get(stack) ?? 0;
        if (this.late.has(stack)) return this.openedLate[wave]?.promise;
        return wave <= this.current ? undefined : this.opened[wave]?.promise;
      },
      start: (stack) => {
        this.endAfterFailures();
        if (this.halt === undefined) {
          if (!this.slots) this.begun(stack);
          return true;
        }
        this.leave(stack);
        return false;
      },
      ...(this.slots && { beforeWrite: (stack: string) => this.mayWrite(stack) }),
      failed: (stack) => {
        this.fail(stack);
      },
      refused: (stack) => {
        this.leave(stack);
      },
      ended: (result) => {
        this.begun(result.stack);
        if (!result.complete) this.fail(result.stack);
        ended?.(result);
        this.leave(result.stack);
      },
    };
  }

  private mayWrite(stack: string): true | Promise<boolean> {
    const taken = this.slots?.take(stack) ?? true;
    if (taken === true) {
      this.begun(stack);
      return true;
    }
    this.options.waits?.(stack);
    return taken.then((granted) => {
      if (granted) this.begun(stack);
      return granted;
    });
  }

  /** Reports the start of a stack once: with slots, when it has one. */
  private begun(stack: string): void {
    if (this.reported.has(stack)) return;
    this.reported.add(stack);
    this.options.started?.(stack);
  }

  private fail(stack: string): void {
    this.failed.add(stack);
    this.slots?.failed(stack);
    this.endAfterFailures();
  }

  private endAfterFailures(): void {
    if (this.failures > this.options.allowedFailures) this.end("failures");
  }

  /** Removes a stack from its wave, and starts the next wave after the last one. */
  private leave(stack: string): void {
    const at = this.waveOf.get(stack) ?? 0;
    const open = this.open[at];
    this.slots?.ended(stack);
    if (!open?.delete(stack)) return;
    if (at !== this.current) return;
    this.openLate(at);
    if (open.size === 0) void this.advance();
  }

  /** Lets the late stacks of a wave start, if no others of it are left. */
  private openLate(at: number): void {
    for (const stack of this.open[at] ?? []) if (!this.late.has(stack)) return;
    this.openedLate[at]?.resolve(undefined);
  }

  private async advance(): Promise<void> {
    // Stacks of a later wave can have ended: those with a cycle are never started.
    const next = this.open.findIndex((stacks, at) => at > this.current && stacks.size > 0);
    const [done, wave] = [this.waves[this.current], this.waves[next]];
    if (!done || !wave || this.halt !== undefined) return;
    const answer = await this.options.proceed(done, wave);
    if (answer === "start") this.begin(next);
    else this.end(answer);
  }

  private begin(at: number): void {
    const wave = this.waves[at];
    if (!wave || this.halt !== undefined) return;
    this.current = at;
    this.options.waveStarted?.(wave);
    this.opened[at]?.resolve(undefined);
    this.openLate(at);
  }

  /** Lets all stacks pass to `start`, which refuses them. */
  private end(reason: Halt): void {
    if (this.halt !== undefined) return;
    this.halt = reason;
    this.slots?.close();
    for (const { resolve } of [...this.opened, ...this.openedLate]) resolve(undefined);
  }
}
