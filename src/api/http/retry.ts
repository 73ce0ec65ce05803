import { type ConsoleError, TimeoutError, UnreachableError } from "../errors";
import type { ConsoleResponse } from "./response";

/** Returns the cause of a failed attempt; undefined if it is never retried. */
export function failureOf(
  outcome:
    | { readonly refusal: ConsoleResponse; readonly status: number }
    | { readonly error: ConsoleError },
  now: number,
): Failure | undefined {
  if ("refusal" in outcome) {
    const retryAfterMs = parseRetryAfter(outcome.refusal.header("retry-after"), now);
    return {
      kind: "status",
      status: outcome.status,
      ...(retryAfterMs !== undefined && { retryAfterMs }),
    };
  }
  const { error } = outcome;
  if (error instanceof UnreachableError) {
    return { kind: error.maybeSent ? "connection-lost" : "nothing-sent" };
  }
  // A time-out of the answer is the caller's limit, so it is not retried.
  if (error instanceof TimeoutError && error.phase === "connect") return { kind: "nothing-sent" };
  return undefined;
}

/** The cause of a failed attempt. */
export type Failure =
  /** No connection was made. */
  | { readonly kind: "nothing-sent" }
  /** The connection broke; the effect of the request is unknown. */
  | { readonly kind: "connection-lost" }
  | { readonly kind: "status"; readonly status: number; readonly retryAfterMs?: number };

interface RetryBounds {
  /** Maximum number of retries. */
  readonly maxRetries: number;
  /** Milliseconds since the first attempt, including waiting, after which there is no retry. */
  readonly maxElapsed: number;
}

interface Attempt {
  readonly failure: Failure;
  /** 1 for the first attempt. */
  readonly number: number;
  /** Milliseconds since the first attempt. */
  readonly elapsed: number;
  readonly replaySafe: boolean;
}

/** A refusal because there are too many requests: of a host (429), or of one of its consoles (503). */
export type AttemptLimit = Extract<Failure, { readonly kind: "status" }>;

export function isLimit(failure: Failure): failure is AttemptLimit {
  return failure.kind === "status" && (failure.status === 429 || failure.status === 503);
}

const BASE_DELAY_MS = 500;
const MAX_DELAY_MS = 10_000;

/**
 * Returns the delay before a retry, in milliseconds; undefined if there is none.
 *
 * Every request is retried when nothing was sent and on 429, because the console turned it away. A
 * broken connection, 408, 502, 503 and 504 leave the effect unknown (a proxy may send a 503 after the
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
  const delay = asked + random() * Math.min(MAX_DELAY_MS, BASE_DELAY_MS * 2 ** (number - 1));
  return elapsed + delay > maxElapsed ? undefined : delay;
}

/** Reports whether an attempt that failed may be repeated at all. */
export function mayRetry(failure: Failure, replaySafe: boolean): boolean {
  switch (failure.kind) {
    case "nothing-sent":
      return true;
    case "connection-lost":
      return replaySafe;
    case "status":
      return (
        failure.status === 429 || (replaySafe && [408, 502, 503, 504].includes(failure.status))
      );
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
