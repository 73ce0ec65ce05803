/** The cause of a failed attempt. */
export type Failure =
  /** No connection was made. */
  | { readonly kind: "nothing-sent" }
  /** The connection broke; the effect of the request is unknown. */
  | { readonly kind: "connection-lost" }
  | { readonly kind: "status"; readonly status: number; readonly retryAfterMs?: number };

export interface RetryBounds {
  /** Maximum number of retries. */
  readonly maxRetries: number;
  /** Milliseconds since the first attempt, including waiting, after which there is no retry. */
  readonly maxElapsed: number;
}

export interface Attempt {
  readonly failure: Failure;
  /** 1 for the first attempt. */
  readonly number: number;
  /** Milliseconds since the first attempt. */
  readonly elapsed: number;
  readonly replaySafe: boolean;
}

const BASE_DELAY = 500;
const MAX_DELAY = 10_000;

/**
 * Returns the delay before a retry, in milliseconds; undefined if there is none.
 *
 * Every request is retried when nothing was sent and on 429, because the console turned it away. A
 * broken connection, 502, 503 and 504 leave the effect unknown (a proxy may send a 503 after the
 * effect), so only requests that are safe to replay are retried then. Delays have full jitter and
 * are added to Retry-After. A delay beyond the bounds means that there is no retry.
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

/** Parses `Retry-After`, in seconds or as a date, to milliseconds from `now`. */
export function parseRetryAfter(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined;
  const text = value.trim();
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  // Date.parse accepts many formats; HTTP dates begin with the name of the day.
  const date = /^[A-Z][a-z]{2}/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
