/** The most and the least that is waited after a refusal without Retry-After, in milliseconds. */
const LONGEST_INTERVAL_MS = 60_000;
const FIRST_INTERVAL_MS = 1_000;

/** Accepted requests in which the rate returns to that before a refusal. */
const INCREASE_STEPS = 32;

/** The time over which accepted requests are counted before the first refusal, and the most that count. */
const OBSERVED_MS = 1_000;
const MOST_OBSERVED = 16;

/** A limit that has not refused anything for this time, or ten intervals, is not shown. */
const SHOWN_MS = 60_000;

/**
 * Decides when requests start that a server may refuse because there are too many. Without a
 * refusal, all start at once. A refusal doubles the interval between two starts, an accepted request
 * shortens it: first to twice that before the refusal, then the rate increases by equal steps. Times
 * are in milliseconds, by any clock that never goes back.
 */
export class Rate {
  /** Between two starts; 0 without a known limit. */
  #interval = 0;
  /** The interval above which an accepted request halves it. */
  #threshold = 0;
  #pausedUntil = -Infinity;
  #lastStart = -Infinity;
  #lastRefusal = -Infinity;
  #isRefusing = false;
  readonly #accepted: number[] = [];

  /** @param random Returns a number from 0 to below 1: processes that share a limit wait for different times. */
  constructor(private readonly random: () => number) {}

  /** The earliest start of the next request. */
  get due(): number {
    return Math.max(this.#pausedUntil, this.#lastStart + this.#interval);
  }

  started(now: number): void {
    this.#lastStart = now;
  }

  accepted(now: number): void {
    this.#isRefusing = false;
    if (this.#interval === 0) {
      this.#accepted.push(now);
      if (this.#accepted.length > MOST_OBSERVED) this.#accepted.shift();
    } else if (this.#interval > this.#threshold) {
      this.#interval = Math.max(this.#threshold, this.#interval / 2);
    } else {
      this.#interval = 1 / (1 / this.#interval + 1 / this.#threshold / INCREASE_STEPS);
    }
  }

  /** @param sentAt A refusal of a request that was sent before the last refusal shows nothing new. */
  refused(now: number, sentAt: number, retryAfterMs?: number): void {
    if (retryAfterMs !== undefined) this.#pause(now + retryAfterMs);
    if (sentAt <= this.#lastRefusal) return;
    this.#lastRefusal = now;
    const doubled = Math.min(LONGEST_INTERVAL_MS, 2 * this.#interval);
    if (this.#interval === 0) {
      const recent = this.#accepted.filter((at) => now - at < OBSERVED_MS).length;
      this.#interval = Math.min(FIRST_INTERVAL_MS, (2 * OBSERVED_MS) / Math.max(1, recent));
      this.#threshold = this.#interval;
    } else {
      if (!this.#isRefusing) this.#threshold = doubled;
      this.#interval = doubled;
    }
    this.#isRefusing = true;
    this.#pause(now + (retryAfterMs ?? this.#interval) + this.random() * (this.#interval / 4));
  }

  /** Requests per second; undefined if there is no limit, or none that still refuses requests. */
  perSecond(now: number): number | undefined {
    const shown = Math.max(SHOWN_MS, 10 * this.#interval);
    if (this.#interval === 0 || now - this.#lastRefusal > shown) return undefined;
    return 1000 / this.#interval;
  }

  #pause(until: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, until);
  }
}
