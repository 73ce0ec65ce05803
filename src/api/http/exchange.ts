import { aborted } from "./abort";
import type { ConcurrencyLimit } from "./concurrency";
import type { HostPause } from "./host-pause";
import type { ResolvedEndpoint } from "../endpoints";
import { type ConsoleError, TimeoutError, UnreachableError } from "../errors";
import { explainFailure, type FailureContext } from "./failure";
import { type ConsoleResponse, readRefusal } from "./response";
import type { Transport, TransportResponse } from "./transport";

/** One attempt, as reported to `onRequest`: without query, headers and body. */
export interface RequestEvent {
  readonly endpoint: ResolvedEndpoint["name"];
  readonly method: string;
  readonly path: string;
  /** 1 for the first. */
  readonly attempt: number;
  /** Duration of the attempt without the time in the queue. */
  readonly durationMs: number;
  /** Status of the answer, or the error's code. */
  readonly result: { readonly status: number } | { readonly code: string };
}

export interface ExchangeSettings extends RetryBounds {
  /** `https://host:port/prefix`. */
  readonly baseUrl: string;
  /** `/prefix`; "" if there is none. */
  readonly prefix: string;
  readonly transport: Transport;
  readonly limit: ConcurrencyLimit;
  readonly pause: HostPause;
  readonly now: () => number;
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  readonly random: () => number;
  readonly onRequest?: ((event: RequestEvent) => void) | undefined;
}

export interface ExchangeRequest {
  readonly endpoint: ResolvedEndpoint;
  /** The endpoint's path with its parameters filled in. */
  readonly path: string;
  /** The query with its `?`; "" if there is none. */
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** Texts that no error may show. */
  readonly secrets: readonly string[];
  readonly signal?: AbortSignal | undefined;
  /** Default: as in the settings. */
  readonly maxRetries?: number | undefined;
}

/**
 * Converts a 2xx answer. An error fails the attempt, which may be retried.
 *
 * @param request Method and URL, for messages.
 */
export type Reader<Result> = (
  request: string,
  answer: TransportResponse,
  context: AttemptContext,
) => Promise<Result>;

/** The circumstances of an exchange, which a reader needs besides the answer. */
export interface AttemptContext extends FailureContext {
  /** Milliseconds, for bounds. */
  readonly now: () => number;
}

/** The converted 2xx answer, or the last other answer with the number of attempts. */
export type ExchangeResult<Result> =
  { readonly result: Result } | { readonly refusal: ConsoleResponse; readonly attempts: number };

/**
 * Sends a request, retries it as `retryDelay` allows and returns the result of the last attempt.
 * Throws a ConsoleError if there is no answer.
 */
export async function exchange<Result>(
  request: ExchangeRequest,
  read: Reader<Result>,
  settings: ExchangeSettings,
): Promise<ExchangeResult<Result>> {
  const { now, sleep, random, maxElapsed } = settings;
  const bounds = { maxRetries: request.maxRetries ?? settings.maxRetries, maxElapsed };
  const start = now();
  for (let number = 1; ; number += 1) {
    const held = Math.min(settings.pause.left(now()), maxElapsed);
    if (held > 0) await sleep(held + random() * BASE_DELAY_MS, request.signal);
    const outcome = await settings.limit.run(
      () => attempt(request, number, read, settings),
      request.signal,
    );
    const failure = failureOf(outcome, now());
    const { replaySafe } = request.endpoint;
    const delay =
      failure &&
      retryDelay({ failure, number, elapsed: now() - start, replaySafe }, bounds, random);
    if (delay !== undefined) {
      const asked = failure?.kind === "status" ? failure.retryAfterMs : undefined;
      if (asked !== undefined) settings.pause.extend(now() + asked);
      await sleep(delay, request.signal);
    } else if ("error" in outcome) throw outcome.error;
    else if ("refusal" in outcome) return { refusal: outcome.refusal, attempts: number };
    else return { result: outcome.result };
  }
}

type Outcome<Result> =
  | { readonly result: Result; readonly status: number }
  | { readonly refusal: ConsoleResponse; readonly status: number }
  | { readonly error: ConsoleError };

async function attempt<Result>(
  request: ExchangeRequest,
  number: number,
  read: Reader<Result>,
  settings: ExchangeSettings,
): Promise<Outcome<Result>> {
  const { prefix, now, onRequest } = settings;
  const start = now();
  const outcome = await send(request, read, settings);
  onRequest?.({
    endpoint: request.endpoint.name,
    method: request.endpoint.method,
    path: prefix + request.path,
    attempt: number,
    durationMs: now() - start,
    result: "error" in outcome ? { code: outcome.error.code } : { status: outcome.status },
  });
  return outcome;
}

async function send<Result>(
  request: ExchangeRequest,
  read: Reader<Result>,
  settings: ExchangeSettings,
): Promise<Outcome<Result>> {
  const { endpoint, path, query, headers, body, secrets, signal } = request;
  const url = settings.baseUrl + path;
  const called = `${endpoint.method} ${url}`;
  const context = { url, secrets, signal, now: settings.now };
  try {
    if (signal?.aborted) throw aborted(signal);
    const answer = await settings.transport({
      method: endpoint.method,
      path: settings.prefix + path + query,
      headers,
      ...(body !== undefined && { body }),
      ...(signal && { signal }),
    });
    const { status } = answer;
    return status >= 200 && status < 300
      ? { result: await read(called, answer, context), status }
      : { refusal: await readRefusal(called, answer, context), status };
  } catch (error) {
    return { error: explainFailure(error, context) };
  }
}

function failureOf(outcome: Outcome<unknown>, now: number): Failure | undefined {
  if ("result" in outcome) return undefined;
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

function mayRetry(failure: Failure, replaySafe: boolean): boolean {
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
