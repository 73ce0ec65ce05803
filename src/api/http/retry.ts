/** Why an attempt failed. */
export type Failure =
  /** No connection came about. */
  | { readonly kind: "nothing-sent" }
  /** The connection broke; what became of the request is unknown. */
  | { readonly kind: "connection-lost" }
  | { readonly kind: "status"; readonly status: number; readonly retryAfterMs?: number };

export interface RetryBounds {
  /** How many times a request may be sent again. */
  readonly maxRetries: number;
  /** Milliseconds from the first attempt, waiting included, after which none is started. */
  readonly maxElapsed: number;
}

export interface Attempt {
  readonly failure: Failure;
  /** 1 for the first one. */
  readonly number: number;
  /** Milliseconds since the first one started. */
  readonly elapsed: number;
  readonly replaySafe: boolean;
}

const BASE_DELAY = 500;
const MAX_DELAY = 10_000;

/**
 * How long to wait before sending the request again, in milliseconds; undefined: it fails.
 *
 * Any request is sent again when nothing was sent, or on 429: the console turned it away. A broken
 * connection, 502, 503 and 504 say nothing about its effect (a 503 may come from behind the effect,
 * through a proxy), so after them only what is safe to replay is. Delays have full jitter; a
 * Retry-After comes on top of it, and one that leads beyond the bounds ends the matter.
 */
export function retryDelay(
  { failure, number, elapsed, replaySafe }: Attempt,
  { maxRetries, maxElapsed }: RetryBounds,
  random: () => number,
): number | undefined {
  if (number > maxRetries || !mayRetry(failure, replaySafe)) return undefined;
  const asked = failure.kind === "status" ? (failure.retryAfterMs ?? 0) : 0;
  const delay = asked + random() * Math.min(MAX_DELAY, BASE_DELAY * 2 ** (number - 1));
  return elapsed + delay > maxElapsed ? undefined : delay;
}

function mayRetry(failure: Failure, replaySafe: boolean): boolean {
  switch (failure.kind) {
    case "nothing-sent":
      return true;
    case "connection-lost":
      return replaySafe;
    case "status":
      return failure.status === 429 || (replaySafe && [502, 503, 504].includes(failure.status));
  }
}

/** `Retry-After` in milliseconds from `now`: seconds or an HTTP date; undefined for other text. */
export function parseRetryAfter(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined;
  const text = value.trim();
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  // Date.parse takes far more than HTTP dates; those start with the day's name.
  const date = /^[A-Z][a-z]{2}/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
