import type { Credentials } from "./credentials";
import type { Deprecation } from "./endpoints";
import type { Probing, RequestEvent } from "./http/exchange";
import type { Paces } from "./http/pace";
import type { Release } from "./release";
import type { ReleaseFinding } from "./release-probe";
import type { Params, Query } from "./http/request-target";
import type { TlsOptions } from "./http/tls";
import { proxyVariables } from "../core/io/proxy";
import { shareTransport, type OpenTransport } from "./http/undici-transport";
import type { Transport } from "./http/transport";

/** The defaults of a client, in the units of `ClientOptions`. */
export const DEFAULTS = {
  requestTimeout: 30_000,
  connectTimeout: 10_000,
  maxElapsed: 120_000,
  retryTimeout: 300_000,
  maxConcurrency: 8,
} as const;

/** Options of a `ConsoleClient`. Only `baseUrl` is required. */
export interface ClientOptions {
  /** The console's address. A bare host gets `https://` and port 8083; see `normalizeBaseUrl`. */
  readonly baseUrl: string;
  /**
   * The project of the console that requests are for. Default: the first one, "Central Console".
   * Sign-up, authentication, the license and `_ping` have no project.
   */
  readonly project?: string | undefined;
  /** Names a console without a stable address: see `ConsoleClient.identity`. */
  readonly consoleId?: string | undefined;
  /** Other addresses of the same console: see `ConsoleClient.identity`. */
  readonly previousBaseUrls?: readonly string[] | undefined;
  /**
   * The console's release, which the API does not report. Default 20.12. `auto` detects it by GETs
   * without effect at the first call that differs between releases; see `detectRelease`.
   */
  readonly release?: Release | "auto" | undefined;
  /** Required by every endpoint except sign-up and `_ping`. */
  readonly credentials?: Credentials | undefined;
  /**
   * TLS settings. Certificates are verified by default. A client certificate in `credentials` takes
   * precedence over one in `tls`.
   */
  readonly tls?: TlsOptions | undefined;
  /** Milliseconds to the head of an answer and between parts of its body. Default 30 000. */
  readonly requestTimeout?: number | undefined;
  /** Milliseconds to connect, including TLS. Default 10 000. */
  readonly connectTimeout?: number | undefined;
  /**
   * How often a request is retried when that is safe. Default 4, and no bound for refusals because
   * there are too many requests.
   */
  readonly maxRetries?: number | undefined;
  /**
   * Milliseconds in which the host has to accept something, while it refuses requests because there
   * are too many (429, and 503 where a replay is safe). Default 300 000.
   */
  readonly retryTimeout?: number | undefined;
  /** Milliseconds after the start of a request after which other failures are not retried. Default 120 000. */
  readonly maxElapsed?: number | undefined;
  /**
   * Maximum number of concurrent requests and open connections. Clients of one host with the same
   * settings share the connections. Default 8.
   */
  readonly maxConcurrency?: number | undefined;
  /** The paces of the hosts. Default: those of this process. */
  readonly paces?: Paces | undefined;
  /** Called for every attempt, without secrets. Must not throw. */
  readonly onRequest?: ((event: RequestEvent) => void) | undefined;
  /** Called with the result of every release detection. Must not throw. */
  readonly onRelease?: ((finding: ReleaseFinding) => void) | undefined;
  /** Called for every call of an endpoint that the release has deprecated. Must not throw. */
  readonly onDeprecated?: ((deprecation: Deprecation) => void) | undefined;
  /** Replaces HTTPS by undici. `tls` and the time-outs do not apply to it. */
  readonly transport?: Transport | undefined;
  /** Returns milliseconds since 1970. Default: a clock that does not jump when the system's does. */
  readonly now?: (() => number) | undefined;
  /** Waits for the given milliseconds; rejects once the signal is aborted. Default: a timer. */
  readonly sleep?: ((milliseconds: number, signal?: AbortSignal) => Promise<void>) | undefined;
  /** Returns a number from 0 to below 1 for the jitter. Default `Math.random`. */
  readonly random?: (() => number) | undefined;
}

/** Options of one request. */
export interface RequestOptions {
  /** Values of the parameters in the endpoint's path. */
  readonly params?: Params;
  /**
   * Query parameters; those that are undefined are left out. `defended` is sent under the name that
   * the release gives it (9.3.6).
   */
  readonly query?: Query;
  /** Sent as JSON. Default: no body. */
  readonly body?: unknown;
  /**
   * Input of endpoints that some releases call by GET and others by POST. It is sent as the body,
   * or by GET as the query, which carries strings, numbers and booleans only.
   */
  readonly input?: Readonly<Record<string, unknown>> | undefined;
  /** Rejects the call with an AbortedError when it is aborted. */
  readonly signal?: AbortSignal | undefined;
  /** Calls the endpoint as this release has it. Default: the client's release. */
  readonly release?: Release;
  /** Set for requests that ask if the console works at all. Default: all other requests. */
  readonly probe?: Probing | undefined;
}

/** Opens HTTPS by undici with the given options. Clients share connections. */
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
