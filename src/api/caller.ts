import { sleep } from "./http/abort";
import { Authorization, shareToken, type TokenCredentials } from "./authorization";
import { namedProject } from "./project";
import { normalizeBaseUrl } from "./base-url";
import { tokenResponseSchema } from "./bodies";
import { checked } from "./check";
import { ConsoleRelease } from "./console-release";
import {
  type ClientOptions,
  defaultTransport,
  DEFAULTS,
  type RequestOptions,
} from "./client-options";
import { type Credentials, secretsOfCredentials, validateCredentials } from "./credentials";
import {
  type Deprecation,
  deprecationOf,
  endpointFor,
  type EndpointName,
  type EndpointTarget,
  releasesOf,
  type ResolvedEndpoint,
} from "./endpoints";
import { ConfigurationError, EndpointNotInReleaseError, UnauthorizedError } from "./errors";
import { openBody } from "./http/download-body";
import { exchange, type ExchangeSettings, type Reader, secretsOf } from "./http/exchange";
import { stringifyJson } from "../core/json/lossless-json";
import { secretsOfBody } from "./http/body-secrets";
import { Paces, pacesOfProcess } from "./http/pace";
import { DEFAULT_RELEASE, type Release } from "./release";
import { answers, probeRelease, ReleaseProbe } from "./release-probe";
import { fillPath, formatQuery, queryOf, termsOf } from "./http/request-target";
import {
  type ConsoleResponse,
  readResponse,
  type Rows,
  type RowsOptions,
  rowsReader,
} from "./http/response";
import { statusError } from "./http/status-error";
import type { OpenTransport } from "./http/undici-transport";
import { world } from "../core/io/world";

/** Calls the endpoints of the table in the console's release, with authorization and retries. */
export class Caller {
  readonly baseUrl: string;
  readonly authorization: Authorization;
  readonly release: ConsoleRelease;
  readonly #project: string | undefined;
  readonly #credentials: Credentials | undefined;
  #secrets: readonly string[];
  #secretNames: ReadonlySet<string> = new Set();
  readonly #settings: ExchangeSettings;
  readonly #onDeprecated: ((deprecation: Deprecation) => void) | undefined;
  readonly #ownTransport: OpenTransport | undefined;
  readonly #leave: readonly (() => void)[];

  /** Throws a ConfigurationError for an address or credentials that cannot work. */
  constructor(options: ClientOptions) {
    const { credentials } = options;
    if (credentials) validateCredentials(credentials);
    this.baseUrl = normalizeBaseUrl(options.baseUrl);
    this.#project = namedProject(options.project);
    const has = (name: EndpointName, as: Release) =>
      answers(() => this.request(name, { release: as, probe: "briefly" }));
    const find = () => probeRelease(({ endpoint, release: as }) => has(endpoint, as));
    const { release = DEFAULT_RELEASE } = options;
    this.release = new ConsoleRelease(release, new ReleaseProbe(find, options.onRelease));
    this.#credentials = credentials;
    this.#secrets = secretsOfCredentials(credentials);
    this.#onDeprecated = options.onDeprecated;
    const now = options.now ?? world.clock.steady;
    const clock = {
      now,
      sleep: options.sleep ?? sleep,
      random: options.random ?? world.random.fraction,
    };
    const capacity = options.maxConcurrency ?? DEFAULTS.maxConcurrency;
    // Times and tokens of another clock or transport mean nothing to other clients.
    const isAlone = [options.transport, options.now, options.sleep].some((own) => own);
    const { origin, pathname } = new URL(this.baseUrl);
    const paces = options.paces ?? (isAlone ? new Paces(clock) : pacesOfProcess());
    const pace = paces.join(origin, credentials, capacity);
    const transport =
      options.transport ?? (this.#ownTransport = defaultTransport(this.baseUrl, options)).send;
    this.#settings = {
      ...clock,
      baseUrl: this.baseUrl,
      prefix: pathname.replace(/\/$/, ""),
      transport,
      pace: pace.value.of(this.baseUrl),
      maxRetries: options.maxRetries,
      maxElapsed: options.maxElapsed ?? DEFAULTS.maxElapsed,
      retryTimeout: options.retryTimeout ?? DEFAULTS.retryTimeout,
      onRequest: options.onRequest,
    };
    const token = isAlone ? undefined : shareToken(this.baseUrl, credentials);
    this.#leave = [pace, ...(token ? [token] : [])].map(({ leave }) => leave);
    const fetch = (given: TokenCredentials) => this.#fetchToken(given);
    this.authorization = new Authorization(credentials, fetch, now, token?.value);
  }

  /** The clock that callers use to wait for the console. */
  get clock(): Pick<ExchangeSettings, "now" | "sleep"> {
    return this.#settings;
  }

  /** Returns the endpoint as the given release has it. Default: the console's release. */
  endpoint(target: EndpointTarget, release = this.release.assumed): ResolvedEndpoint {
    const endpoint = endpointFor(target, release);
    if (endpoint) return endpoint;
    const name = typeof target === "string" ? target : target.name;
    throw new EndpointNotInReleaseError(name, release, releasesOf(target));
  }

  /** Returns the answer if its status is 2xx; throws an ApiError otherwise. */
  request(target: EndpointTarget, options: RequestOptions = {}): Promise<ConsoleResponse> {
    return this.#call(target, options, readResponse);
  }

  /** See `ConsoleClient.rows`. */
  rows<Row>(
    target: EndpointTarget,
    options: RequestOptions & RowsOptions<Row>,
  ): Promise<Rows<Row>> {
    return this.#call(target, options, rowsReader(options));
  }

  /**
   * Streams the bytes of a 2xx answer without buffering them. The request is sent when the first
   * chunk is read; leaving the loop ends it. It is retried like any other until the answer begins,
   * and never afterwards, because part of it may have been used.
   */
  async *download(
    target: EndpointTarget,
    options: RequestOptions = {},
  ): AsyncGenerator<Uint8Array, void, undefined> {
    yield* await this.#call(target, options, openBody);
  }

  /** See `ConsoleClient.close`. */
  async close(): Promise<void> {
    for (const leave of this.#leave) leave();
    await this.#ownTransport?.close();
  }

  /** Renews a token that the console refuses and sends the request again, once. */
  async #call<Result>(
    target: EndpointTarget,
    options: RequestOptions,
    read: Reader<Result>,
  ): Promise<Result> {
    const release = options.release ?? (await this.release.forTarget(target, options.signal));
    const endpoint = this.endpoint(target, release);
    const deprecation = deprecationOf(endpoint);
    if (deprecation) this.#onDeprecated?.(deprecation);
    if (endpoint.authorization === "none") return this.#send(endpoint, options, read);
    let used: string | undefined;
    const authorize = async () => (used = await this.authorization.header(options.signal));
    try {
      return await this.#send(endpoint, options, read, authorize);
    } catch (error) {
      const refused = error instanceof UnauthorizedError ? used : undefined;
      if (refused === undefined || !this.authorization.refused(refused)) throw error;
    }
    return this.#send(endpoint, options, read, authorize);
  }

  /** See `ConsoleClient.mask`. */
  mask(secrets: readonly string[], names: readonly string[] = []): void {
    this.#secrets = [...new Set([...this.#secrets, ...secrets])];
    this.#secretNames = new Set([...this.#secretNames, ...names]);
  }

  async #send<Result>(
    endpoint: ResolvedEndpoint,
    { params = {}, query = {}, body, input, signal, probe }: RequestOptions,
    read: Reader<Result>,
    header?: () => Promise<string>,
  ): Promise<Result> {
    const path = fillPath(endpoint.path, params);
    const isInQuery = endpoint.method === "GET";
    const sent = isInQuery ? body : (body ?? input);
    let authorization: string | undefined;
    const authorize = header && (async () => (authorization = await header()));
    const given = [...this.#secrets, ...secretsOfBody(body ?? input)];
    const outcome = await exchange(
      {
        endpoint,
        path,
        query: formatQuery({
          ...(isInQuery && input && queryOf(input)),
          ...termsOf(endpoint, query),
          ...(belongsToProject(endpoint) && { project: this.#project }),
        }),
        headers: {
          accept: endpoint.answer,
          ...(sent !== undefined && { "content-type": "application/json" }),
        },
        authorize,
        body: sent === undefined ? undefined : stringifyJson(sent),
        secrets: given,
        signal,
        probe,
      },
      read,
      this.#settings,
    );
    if ("result" in outcome) {
      this.release.answered(endpoint);
      return outcome.result;
    }
    const { refusal, ...attempted } = outcome;
    this.release.refused(endpoint, refusal.status);
    throw statusError(refusal, {
      ...attempted,
      endpoint,
      url: this.baseUrl + path,
      secrets: [...given, ...secretsOf(authorization)],
      secretNames: this.#secretNames,
      credentials: this.#credentials,
    });
  }

  /** See `ConsoleClient.issueToken`. */
  async issueToken(signal?: AbortSignal): Promise<string> {
    const credentials = this.#credentials;
    switch (credentials?.method) {
      case "basic":
        return this.#fetchToken({ ...credentials, method: "token-login" }, signal);
      case "token-login":
      case "client-certificate":
        return this.#fetchToken(credentials, signal);
      case "static-token":
      case undefined:
        throw new ConfigurationError(
          "token",
          "A console issues tokens for a username and password or for a client certificate. The configured credentials are a token or missing, and cannot be exchanged.",
        );
    }
  }

  async #fetchToken(credentials: TokenCredentials, signal?: AbortSignal): Promise<string> {
    const response =
      credentials.method === "token-login"
        ? await this.request("authenticate", {
            body: { username: credentials.username, password: credentials.password },
            signal,
          })
        : await this.request("authenticateClient", { signal });
    return checked(tokenResponseSchema, response.json(), "credentials").token;
  }
}

/** A console has its users and its license once, for all projects. */
function belongsToProject({ authorization, path }: ResolvedEndpoint): boolean {
  return authorization !== "none" && path !== LICENSE_PATH;
}

const LICENSE_PATH = "/api/v1/settings/license";
