import type { Credentials } from "./credentials";
import type { Deprecation } from "./deprecation";
import type { RequestEvent } from "./http/exchange";
import type { Release } from "./release";
import type { ReleaseFinding } from "./release-probe";
import type { Params, Query } from "./http/request-target";
import type { TlsOptions } from "./http/tls";
import { shareTransport } from "./http/shared-transport";
import type { Transport } from "./http/transport";
import { proxyVariables, type OpenTransport } from "./http/undici-transport";

/** The bounds of a client that is given none: milliseconds and counts, as in `ClientOptions`. */
export const DEFAULTS = {
  requestTimeout: 30_000,
  connectTimeout: 10_000,
  maxRetries: 4,
  maxElapsed: 120_000,
  maxConcurrency: 8,
} as const;

/** What a `ConsoleClient` is made of: only `baseUrl` has no default. */
export interface ClientOptions {
  /** See `normalizeBaseUrl`: a bare host gets `https://` and port 8083. */
  readonly baseUrl: string;
  /**
   * What the console runs. Default 20.12. It does not tell; `auto` finds out by GETs without
   * effect at the first call that differs between releases (see `detectRelease`).
   */
  readonly release?: Release | "auto" | undefined;
  /** Needed by every endpoint but sign-up and `_ping`. */
  readonly credentials?: Credentials | undefined;
  /** Verified by default. A client certificate among the credentials comes before one given here. */
  readonly tls?: TlsOptions | undefined;
  /** Milliseconds to the head of an answer, and between parts of its body. Default 30 000. */
  readonly requestTimeout?: number | undefined;
  /** Milliseconds to connect, TLS included. Default 10 000. */
  readonly connectTimeout?: number | undefined;
  /** How many times a request is sent again, where that is safe. Default 4. */
  readonly maxRetries?: number | undefined;
  /** Milliseconds from a request's start after which it is not sent again. Default 120 000. */
  readonly maxElapsed?: number | undefined;
  /**
   * Requests under way at a time, and connections kept; clients of one host with the same settings
   * share them. Default 8.
   */
  readonly maxConcurrency?: number | undefined;
  /** Told of every attempt; never of a secret. It must not throw. */
  readonly onRequest?: ((event: RequestEvent) => void) | undefined;
  /** Told of what `auto` found, each time that it asked. It must not throw. */
  readonly onRelease?: ((finding: ReleaseFinding) => void) | undefined;
  /** Told of every call of what the console's release has deprecated. It must not throw. */
  readonly onDeprecated?: ((deprecation: Deprecation) => void) | undefined;
  /** In place of HTTPS by undici; `tls` and the time-outs are its own affair then. */
  readonly transport?: Transport | undefined;
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly now?: (() => number) | undefined;
  /** Waits that many milliseconds; rejects once the signal is aborted. Default: a timer. */
  readonly sleep?: ((milliseconds: number, signal?: AbortSignal) => Promise<void>) | undefined;
  /** From 0 to below 1, for the jitter. Default `Math.random`. */
  readonly random?: (() => number) | undefined;
}

/** What one call of an endpoint takes. */
export interface RequestOptions {
  /** For the braces of the endpoint's path. */
  readonly params?: Params;
  /**
   * Members that are undefined are left out. `defended` goes by the name that the release gives
   * it where section 9.3.6 names the endpoint's query.
   */
  readonly query?: Query;
  /** Sent as JSON; nothing is sent for undefined. */
  readonly body?: unknown;
  /**
   * For what some releases ask by GET and others by POST: sent as the body, or by GET as the
   * query, which carries its texts, numbers and booleans only.
   */
  readonly input?: Readonly<Record<string, unknown>> | undefined;
  /** Aborted: the call rejects with an AbortedError. */
  readonly signal?: AbortSignal | undefined;
  /** Calls the endpoint as this release has it, in place of the client's. */
  readonly release?: Release;
  /** In place of the client's. */
  readonly maxRetries?: number;
}

/** HTTPS by undici, as the options say; connections are shared between clients. */
export function defaultTransport(baseUrl: string, options: ClientOptions): OpenTransport {
  const { credentials } = options;
  return shareTransport({
    origin: new URL(baseUrl).origin,
    tls: {
      ...options.tls,
      ...(credentials?.method === "client-certificate" && {
        cert: credentials.cert,
        key: credentials.key,
      }),
    },
    connections: options.maxConcurrency ?? DEFAULTS.maxConcurrency,
    connectTimeout: options.connectTimeout ?? DEFAULTS.connectTimeout,
    requestTimeout: options.requestTimeout ?? DEFAULTS.requestTimeout,
    proxy: proxyVariables(process.env),
  });
}
