import { aborted } from "./abort";
import type { ResolvedEndpoint } from "../endpoints";
import type { ConsoleError, RetryLimit } from "../errors";
import { explainFailure, type FailureContext } from "./failure";
import type { ConsolePace, LaneKind } from "./pace";
import { type ConsoleResponse, readRefusal } from "./response";
import { failureOf, isLimit, mayRetry, retryDelay } from "./retry";
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

export interface ExchangeSettings {
  /** `https://host:port/prefix`. */
  readonly baseUrl: string;
  /** `/prefix`; "" if there is none. */
  readonly prefix: string;
  readonly transport: Transport;
  readonly pace: ConsolePace;
  /** Maximum number of retries. Undefined: `DEFAULT_RETRIES`, which does not bound those of limits. */
  readonly maxRetries: number | undefined;
  /** Milliseconds since the first attempt, without the time in the queue, after which there is no retry. */
  readonly maxElapsed: number;
  /** Milliseconds without an accepted request after which a limit is not waited for. */
  readonly retryTimeout: number;
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
  /** Returns the Authorization header when the request is sent: a token may end in the queue. */
  readonly authorize?: (() => Promise<string>) | undefined;
  readonly body?: string | undefined;
  /** Texts that no error may show. */
  readonly secrets: readonly string[];
  readonly signal?: AbortSignal | undefined;
  readonly probe?: Probing | undefined;
}

/**
 * How a request asks if a console works at all: `once` at once and without a retry, `briefly` with
 * the retries of other failures for those of limits.
 */
export type Probing = "once" | "briefly";

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
  | { readonly result: Result }
  | {
      readonly refusal: ConsoleResponse;
      readonly attempts: number;
      readonly ended: RetryLimit | undefined;
    };

/**
 * Sends a request when the limits of its console allow it, retries it and returns the result of the
 * last attempt. Throws a ConsoleError if there is no answer.
 *
 * 429, and 503 to a request that is safe to replay, are limits. Such a request is sent again as long
 * as something is accepted every `retryTimeout`, also if `maxRetries` has its default. All other
 * failures, and those of probes, are retried as `retryDelay` allows.
 */
export async function exchange<Result>(
  request: ExchangeRequest,
  read: Reader<Result>,
  settings: ExchangeSettings,
): Promise<ExchangeResult<Result>> {
  const { now, sleep, random, pace, retryTimeout, maxElapsed } = settings;
  const { endpoint, signal, probe } = request;
  const { replaySafe } = endpoint;
  const kind = laneOf(endpoint);
  const maxRetries = probe === "once" ? 0 : (settings.maxRetries ?? DEFAULT_RETRIES);
  const start = now();
  let queued = 0;
  for (let number = 1; ; number += 1) {
    const entered = now();
    let sentAt = entered;
    const send = async () => {
      sentAt = now();
      queued += sentAt - entered;
      if (probe !== "once" && pace.lost) throw pace.lost;
      const authorization = await request.authorize?.();
      return attempt({ ...request, authorization }, number, read, settings);
    };
    // A console that does not answer a probe is not limited, but down.
    const isProbe = probe !== undefined || !pace.isServing;
    const outcome = await (isProbe ? send() : pace.run(kind, send, retryTimeout, signal));
    if ("status" in outcome) pace.answered();
    if ("status" in outcome && outcome.status < 500) pace.isServing = true;
    else if (probe === "once") pace.isServing = false;
    if ("result" in outcome) {
      if (!isProbe) pace.accepted(kind);
      return { result: outcome.result };
    }
    const failure = failureOf(outcome, now());
    const isRetried = failure !== undefined && mayRetry(failure, replaySafe);
    let ended: RetryLimit | undefined =
      isRetried && settings.maxRetries !== undefined ? { setting: "max_retries" } : undefined;
    if (failure && isLimit(failure) && !isProbe) {
      const isOver = pace.refused(kind, failure, sentAt, retryTimeout);
      if (isRetried && number <= (settings.maxRetries ?? Infinity)) {
        if (!isOver) continue;
        ended = { setting: "retry_timeout", withinMs: retryTimeout };
      }
    } else {
      if ("refusal" in outcome && outcome.status < 500 && !isProbe) pace.accepted(kind);
      const elapsed = now() - start - queued;
      const bounds = { maxRetries, maxElapsed };
      const delay = failure && retryDelay({ failure, number, elapsed, replaySafe }, bounds, random);
      if (delay !== undefined) {
        await sleep(delay, signal);
        continue;
      }
    }
    if ("refusal" in outcome) return { refusal: outcome.refusal, attempts: number, ended };
    if (failure?.kind === "nothing-sent" && number > 1) pace.lose(outcome.error);
    throw outcome.error;
  }
}

/** The number of retries if none is configured. */
const DEFAULT_RETRIES = 4;

function laneOf({ method, authorization }: ResolvedEndpoint): LaneKind {
  if (authorization === "none") return "access";
  return method === "GET" ? "reads" : "writes";
}

type Outcome<Result> =
  | { readonly result: Result; readonly status: number }
  | { readonly refusal: ConsoleResponse; readonly status: number }
  | { readonly error: ConsoleError };

type Authorized = ExchangeRequest & { readonly authorization: string | undefined };

async function attempt<Result>(
  request: Authorized,
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
  request: Authorized,
  read: Reader<Result>,
  settings: ExchangeSettings,
): Promise<Outcome<Result>> {
  const { endpoint, path, query, headers, body, authorization, signal } = request;
  const url = settings.baseUrl + path;
  const secrets = [...request.secrets, ...secretsOf(authorization)];
  const called = `${endpoint.method} ${url}`;
  const context = { url, secrets, signal, now: settings.now };
  try {
    if (signal?.aborted) throw aborted(signal);
    const answer = await settings.transport({
      method: endpoint.method,
      path: settings.prefix + path + query,
      headers: { ...headers, ...(authorization !== undefined && { authorization }) },
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

/** The secret part of an Authorization header. */
export function secretsOf(authorization: string | undefined): readonly string[] {
  return authorization?.split(" ").slice(1) ?? [];
}
