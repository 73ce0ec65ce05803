import type { Credentials } from "../credentials";
import { ofWorld, world } from "../../core/io/world";
import { sleep } from "./abort";
import { ConcurrencyLimit } from "./concurrency";
import type { ConsoleError } from "../errors";
import { type Joined, Shared } from "../shared";
import { Rate } from "./rate";
import type { AttemptLimit } from "./retry";

/** The clock of a pace. `sleep` rejects once the signal is aborted. */
export interface PaceClock {
  /** Milliseconds; never goes back. */
  readonly now: () => number;
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  /** Returns a number from 0 to below 1. */
  readonly random: () => number;
}

/** Requests that a console limits apart. Others wait for `access`, which gets tokens. */
export type LaneKind = "reads" | "writes" | "access";

/** The queue of the requests of one kind. */
class Lane {
  readonly rate: Rate;
  readonly #places: ConcurrencyLimit;
  /** One request at a time waits for its start. */
  readonly #gate = new ConcurrencyLimit(1);
  #faster: AbortController | undefined;

  constructor(
    private readonly clock: PaceClock,
    capacity: number,
  ) {
    this.rate = new Rate(clock.random);
    this.#places = new ConcurrencyLimit(capacity);
  }

  /** Runs a request in its turn, at the latest at `deadline`. */
  run<T>(task: () => Promise<T>, deadline: () => number, signal?: AbortSignal): Promise<T> {
    return this.#places.run(async () => {
      await this.#gate.run(() => this.#turn(deadline, signal), signal);
      return task();
    }, signal);
  }

  /** The waiting request may start earlier. */
  accepted(): void {
    this.rate.accepted(this.clock.now());
    this.#faster?.abort();
  }

  async #turn(deadline: () => number, signal: AbortSignal | undefined): Promise<void> {
    const { now, sleep } = this.clock;
    const due = () => Math.min(this.rate.due, deadline());
    for (let at = now(); at < due();) {
      const until = due();
      const faster = (this.#faster = new AbortController());
      const woken = signal ? AbortSignal.any([signal, faster.signal]) : faster.signal;
      try {
        await sleep(Math.ceil(until - now()), woken);
        at = until;
      } catch (error) {
        if (signal?.aborted || !faster.signal.aborted) throw error;
        at = now();
      }
    }
    this.rate.started(now());
  }
}

/** The limits of a host, or of one console on it: those who refuse requests with one status. */
export class Limits {
  readonly #lanes: Readonly<Record<LaneKind, Lane>>;
  /** The first refusal after the last accepted request. */
  #refusedSince: number | undefined;
  #lastRefusal = -Infinity;
  /** Until when requests wait, while nothing is accepted. */
  #waitsUntil = -Infinity;

  /** @param status - of the answers that refuse requests */
  constructor(
    private readonly clock: PaceClock,
    capacity: number,
    private readonly status: number,
  ) {
    const lane = () => new Lane(clock, capacity);
    this.#lanes = { reads: lane(), writes: lane(), access: lane() };
  }

  /**
   * Runs a request when the limits allow it.
   *
   * @param patienceMs The longest time without an accepted request after which it starts anyway, for the last time.
   */
  run<T>(
    kind: LaneKind,
    task: () => Promise<T>,
    patienceMs: number,
    signal?: AbortSignal,
  ): Promise<T> {
    // Refusals of long ago, which nobody waits for any more, show nothing.
    if (this.clock.now() - this.#lastRefusal > patienceMs) this.#refusedSince = undefined;
    const deadline = () => (this.#refusedSince ?? Infinity) + patienceMs;
    return this.#lanes[kind].run(task, deadline, signal);
  }

  accepted(kind: LaneKind): void {
    this.#refusedSince = undefined;
    this.#lanes[kind].accepted();
  }

  /** Returns true if the limits have accepted nothing for too long, or will not. */
  refused(kind: LaneKind, sentAt: number, patienceMs: number, retryAfterMs?: number): boolean {
    const now = this.clock.now();
    this.#lastRefusal = now;
    this.#refusedSince ??= now;
    this.#waitsUntil = this.#refusedSince + patienceMs;
    this.#lanes[kind].rate.refused(now, sentAt, retryAfterMs);
    return now + (retryAfterMs ?? 0) >= this.#waitsUntil;
  }

  /**
   * `limits writes: about 1 per second`; empty without a limit. While it accepts nothing, as it may do for
   * another reason: `answers 503 to reads, at most 300 s more`.
   */
  describe(): readonly string[] {
    const now = this.clock.now();
    const isRefusing = this.#refusedSince !== undefined && now - this.#refusedSince >= REFUSING_MS;
    const left = Math.ceil((this.#waitsUntil - now) / 1000);
    return (["reads", "writes", "access"] as const).flatMap((kind) => {
      const perSecond = this.#lanes[kind].rate.perSecond(now);
      const what = kind === "access" ? "sign-ins" : kind;
      if (perSecond === undefined) return [];
      if (isRefusing && left > 0)
        return [`answers ${this.status} to ${what}, at most ${left} s more`];
      return [`limits ${what}: about ${rateText(perSecond)}`];
    });
  }
}

/** Milliseconds of refusals alone, after which a limit is no explanation. */
const REFUSING_MS = 10_000;

/** Rounds to one digit: the rate changes all the time. */
function rateText(perSecond: number): string {
  const isSlow = perSecond < 0.95;
  const rate = isSlow ? 60 * perSecond : perSecond;
  return `${Math.max(1, Number(rate.toPrecision(1)))} per ${isSlow ? "minute" : "second"}`;
}

/** One console of a host. */
export class ConsolePace {
  /** False if the console did not answer the last probe. */
  isServing = true;
  #lost: { readonly at: number; readonly error: ConsoleError } | undefined;

  /**
   * @param host The limits of the host, which answers 429
   * @param limits Those of the console, which answers 503, or a proxy in front of it
   */
  constructor(
    private readonly clock: PaceClock,
    private readonly host: Limits,
    readonly limits: Limits,
  ) {}

  /** See `Limits.run`. */
  run<T>(kind: LaneKind, task: () => Promise<T>, patienceMs: number, signal?: AbortSignal) {
    const onHost = () => this.host.run(kind, task, patienceMs, signal);
    return this.limits.run(kind, onHost, patienceMs, signal);
  }

  answered(): void {
    this.#lost = undefined;
  }

  accepted(kind: LaneKind): void {
    for (const limits of [this.limits, this.host]) limits.accepted(kind);
  }

  /** See `Limits.refused`. */
  refused(kind: LaneKind, refusal: AttemptLimit, sentAt: number, patienceMs: number): boolean {
    const limits = refusal.status === 429 ? this.host : this.limits;
    return limits.refused(kind, sentAt, patienceMs, refusal.retryAfterMs);
  }

  /** A request could not be sent, in several attempts. */
  lose(error: ConsoleError): void {
    this.#lost = { at: this.clock.now(), error };
  }

  /** The error of a console that was lost just before: others need not wait for it, too. */
  get lost(): ConsoleError | undefined {
    const { at, error } = this.#lost ?? { at: -Infinity };
    return this.clock.now() - at < LOST_MS ? error : undefined;
  }
}

const LOST_MS = 10_000;

/** The limits of a host for one set of credentials, as its clients find them out. */
export class HostPace {
  readonly limits: Limits;
  readonly #consoles = new Map<string, ConsolePace>();

  /** @param capacity The maximum number of concurrent requests of each kind */
  constructor(
    private readonly clock: PaceClock,
    private readonly capacity: number,
  ) {
    this.limits = new Limits(clock, capacity, 429);
  }

  /** Returns the pace that all clients of a console share. */
  of(baseUrl: string): ConsolePace {
    const known = this.#consoles.get(baseUrl);
    if (known) return known;
    const limits = new Limits(this.clock, this.capacity, 503);
    const pace = new ConsolePace(this.clock, this.limits, limits);
    this.#consoles.set(baseUrl, pace);
    return pace;
  }

  /** `limits writes: about 1 per second`, for the host and its consoles. */
  describe(): readonly string[] {
    const consoles = [...this.#consoles.values()].map(({ limits }) => limits);
    return [this.limits, ...consoles].flatMap((limits) => limits.describe());
  }
}

/** The paces of a run, by host and credentials. A later run in the same process has new ones. */
export class Paces {
  readonly #shared = new Shared<HostPace>();

  constructor(private readonly clock: PaceClock) {}

  join(origin: string, credentials: Credentials | undefined, capacity: number): Joined<HostPace> {
    const create = () => new HostPace(this.clock, capacity);
    return this.#shared.join([origin, credentials, capacity], create);
  }

  /** The limits of all hosts: `limits writes: about 1 per second`. */
  describe(): readonly string[] {
    return this.#shared.values().flatMap((pace) => pace.describe());
  }
}

/** The paces of the clients that are given none. */
export const pacesOfProcess = ofWorld(
  () => new Paces({ now: world.clock.steady, sleep, random: world.random.fraction }),
);
