import { aborted } from "./abort";
import type { ConcurrencyLimit } from "./concurrency";
import type { ResolvedEndpoint } from "./endpoints";
import { type ConsoleError, TimeoutError, UnreachableError } from "./errors";
import { explainFailure } from "./failure";
import { type ConsoleResponse, readResponse } from "./response";
import { type Failure, parseRetryAfter, retryDelay, type RetryBounds } from "./retry";
import type { Transport } from "./transport";

/** One attempt, as it is told to `onRequest`. It has neither query, header nor body. */
export interface RequestEvent {
  readonly endpoint: ResolvedEndpoint["name"];
  readonly method: string;
  readonly path: string;
  /** 1 for the first. */
  readonly attempt: number;
  /** Of waiting for the answer and reading it; waiting for a turn does not count. */
  readonly durationMs: number;
  /** What was answered, or the code of the error in place of an answer. */
  readonly result: { readonly status: number } | { readonly code: string };
}

export interface ExchangeSettings extends RetryBounds {
  /** `https://host:port/prefix`. */
  readonly baseUrl: string;
  readonly transport: Transport;
  readonly limit: ConcurrencyLimit;
  readonly now: () => number;
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  readonly random: () => number;
  readonly onRequest?: ((event: RequestEvent) => void) | undefined;
}

export interface ExchangeRequest {
  readonly endpoint: ResolvedEndpoint;
  /** The endpoint's, with its parameters filled in. */
  readonly path: string;
  /** With its `?`; "" for none. */
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** What may show in no error. */
  readonly secrets: readonly string[];
  readonly signal?: AbortSignal | undefined;
  /** In place of the settings'. */
  readonly maxRetries?: number | undefined;
}

/** What came of a request, and the number of attempts that it took. */
export interface ExchangeResult {
  readonly response: ConsoleResponse;
  readonly attempts: number;
}

/**
 * Sends a request, again where `retryDelay` allows it, and gives the last answer whatever its
 * status is. Throws a ConsoleError when there is none.
 */
export async function exchange(
  request: ExchangeRequest,
  settings: ExchangeSettings,
): Promise<ExchangeResult> {
  const { now, sleep, random, maxElapsed } = settings;
  const bounds = { maxRetries: request.maxRetries ?? settings.maxRetries, maxElapsed };
  const start = now();
  for (let number = 1; ; number += 1) {
    const outcome = await settings.limit.run(
      () => attempt(request, number, settings),
      request.signal,
    );
    const failure = failureOf(outcome, now());
    const { replaySafe } = request.endpoint;
    const delay =
      failure &&
      retryDelay({ failure, number, elapsed: now() - start, replaySafe }, bounds, random);
    if (delay !== undefined) await sleep(delay, request.signal);
    else if ("error" in outcome) throw outcome.error;
    else return { response: outcome.response, attempts: number };
  }
}

type Outcome = { readonly response: ConsoleResponse } | { readonly error: ConsoleError };

async function attempt(
  request: ExchangeRequest,
  number: number,
  settings: ExchangeSettings,
): Promise<Outcome> {
  const { baseUrl, now, onRequest } = settings;
  const start = now();
  const outcome = await send(request, settings);
  onRequest?.({
    endpoint: request.endpoint.name,
    method: request.endpoint.method,
    path: prefixOf(baseUrl) + request.path,
    attempt: number,
    durationMs: now() - start,
    result: "error" in outcome ? { code: outcome.error.code } : { status: outcome.response.status },
  });
  return outcome;
}

async function send(request: ExchangeRequest, settings: ExchangeSettings): Promise<Outcome> {
  const { endpoint, path, query, headers, body, secrets, signal } = request;
  const url = settings.baseUrl + path;
  try {
    if (signal?.aborted) throw aborted(signal);
    const answer = await settings.transport({
      method: endpoint.method,
      path: prefixOf(settings.baseUrl) + path + query,
      headers,
      ...(body !== undefined && { body }),
      ...(signal && { signal }),
    });
    return { response: await readResponse(`${endpoint.method} ${url}`, answer) };
  } catch (error) {
    return { error: explainFailure(error, { url, secrets, signal }) };
  }
}

function failureOf(outcome: Outcome, now: number): Failure | undefined {
  if ("response" in outcome) {
    const { response } = outcome;
    if (response.ok) return undefined;
    const retryAfterMs = parseRetryAfter(response.header("retry-after"), now);
    return {
      kind: "status",
      status: response.status,
      ...(retryAfterMs !== undefined && { retryAfterMs }),
    };
  }
  const { error } = outcome;
  if (error instanceof UnreachableError) {
    return { kind: error.maybeSent ? "connection-lost" : "nothing-sent" };
  }
  // A console that takes too long to answer is not asked again: the time-out is one's patience.
  if (error instanceof TimeoutError && error.phase === "connect") return { kind: "nothing-sent" };
  return undefined;
}

function prefixOf(baseUrl: string): string {
  return new URL(baseUrl).pathname.replace(/\/$/, "");
}
