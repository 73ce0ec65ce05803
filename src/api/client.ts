import { sleep } from "./abort";
import { Authorization, type TokenCredentials } from "./authorization";
import { normalizeBaseUrl } from "./base-url";
import {
  type CompliancePolicy,
  type RegistrySpecification,
  type ServerlessAutoDeploySpec,
  type ServerlessScanScope,
  type SignUpRequest,
  tokenResponseSchema,
} from "./bodies";
import { checked } from "./check";
import {
  type Collection,
  type CollectionKind,
  compliancePolicies,
  readCollection,
  registrySpecifications,
  serverlessAutoDeploySpecs,
  serverlessScanScopes,
  writeCollection,
} from "./collection";
import { ConcurrencyLimit } from "./concurrency";
import { type Credentials, secretsOfCredentials, validateCredentials } from "./credentials";
import { endpointFor, type EndpointName, releasesOf, type ResolvedEndpoint } from "./endpoints";
import {
  ApiError,
  EndpointNotInReleaseError,
  LicenseRequiredError,
  UnauthorizedError,
} from "./errors";
import { exchange, type ExchangeSettings } from "./exchange";
import { stringifyBody } from "./json";
import { secretsOfBody } from "./redact";
import {
  type ClientOptions,
  defaultTransport,
  DEFAULTS,
  type RequestOptions,
} from "./client-options";
import { DEFAULT_RELEASE, type Release } from "./release";
import { fillPath, formatQuery } from "./request-target";
import type { ConsoleResponse } from "./response";
import { statusError } from "./status-error";
import type { OpenTransport } from "./undici-transport";

/**
 * One console's API, with one set of credentials. It authenticates at the first request that
 * needs it. All methods throw ConsoleErrors (errors.ts) and nothing else, but for our own bugs.
 */
export class ConsoleClient {
  readonly baseUrl: string;
  readonly release: Release;
  readonly #credentials: Credentials | undefined;
  readonly #authorization: Authorization;
  readonly #settings: ExchangeSettings;
  readonly #ownTransport: OpenTransport | undefined;

  /** Throws a ConfigurationError for an address or credentials that cannot work. */
  constructor(options: ClientOptions) {
    const { credentials } = options;
    if (credentials) validateCredentials(credentials);
    this.baseUrl = normalizeBaseUrl(options.baseUrl);
    this.release = options.release ?? DEFAULT_RELEASE;
    this.#credentials = credentials;
    const now = options.now ?? Date.now;
    const transport =
      options.transport ?? (this.#ownTransport = defaultTransport(this.baseUrl, options)).send;
    this.#settings = {
      baseUrl: this.baseUrl,
      transport,
      limit: new ConcurrencyLimit(options.maxConcurrency ?? DEFAULTS.maxConcurrency),
      maxRetries: options.maxRetries ?? DEFAULTS.maxRetries,
      maxElapsed: options.maxElapsed ?? DEFAULTS.maxElapsed,
      now,
      sleep: options.sleep ?? sleep,
      random: options.random ?? Math.random,
      onRequest: options.onRequest,
    };
    this.#authorization = new Authorization(credentials, (given) => this.#fetchToken(given), now);
  }

  /**
   * Calls any endpoint of the table. Gives 2xx answers; all others are ApiErrors. A token that the
   * console refuses is renewed, and the request sent again, once.
   */
  async request(name: EndpointName, options: RequestOptions = {}): Promise<ConsoleResponse> {
    const endpoint = this.#endpoint(name);
    if (endpoint.authorization === "none") return this.#send(endpoint, options);
    const authorization = await this.#authorization.header(options.signal);
    try {
      return await this.#send(endpoint, options, authorization);
    } catch (error) {
      const isRefused = error instanceof UnauthorizedError;
      if (!isRefused || !this.#authorization.refused(authorization)) throw error;
    }
    const renewed = await this.#authorization.header(options.signal);
    return this.#send(endpoint, options, renewed);
  }

  /** Returns when the console serves: any answer below 500 says so. Asks once, without retries. */
  async ping(signal?: AbortSignal): Promise<void> {
    try {
      await this.request("ping", { maxRetries: 0, signal });
    } catch (error) {
      if (!(error instanceof ApiError) || error.status >= 500) throw error;
    }
  }

  /** Creates the first admin user (section 2.1). An ApiError of status 400 once there is one. */
  async signUp({ username, password }: SignUpRequest, signal?: AbortSignal): Promise<void> {
    await this.request("signUp", { body: { username, password }, signal });
  }

  /**
   * Returns when the console takes the credentials, now: what is cached proves nothing. Those that
   * a token is issued for are exchanged for a new one. Basic credentials and a given token can
   * only be proved by a call; none is both authorised and without effect on a console without a
   * license, but 402 comes after 401 there, so it is a proof too. UnauthorizedError otherwise.
   */
  async authenticate(signal?: AbortSignal): Promise<void> {
    if (this.#authorization.fetchesTokens) return this.#authorization.renew(signal);
    try {
      await this.request("getRuntimePolicies", { signal });
    } catch (error) {
      if (!(error instanceof LicenseRequiredError)) throw error;
    }
  }

  /** Section 2.3. Replaces the key that is installed. */
  async installLicense(key: string, signal?: AbortSignal): Promise<void> {
    await this.request("installLicense", { body: { key }, signal });
  }

  /** Section 2.4: all policies, in their order. */
  getCompliancePolicies(signal?: AbortSignal): Promise<Collection<CompliancePolicy>> {
    return this.#read("getCompliancePolicies", compliancePolicies, signal);
  }

  /** Replaces all policies, in the given order. */
  putCompliancePolicies(
    policies: Collection<CompliancePolicy>,
    signal?: AbortSignal,
  ): Promise<void> {
    return this.#write("putCompliancePolicies", policies, signal);
  }

  /** Section 2.5. */
  getRegistrySettings(signal?: AbortSignal): Promise<Collection<RegistrySpecification>> {
    return this.#read("getRegistrySettings", registrySpecifications, signal);
  }

  /** Replaces all specifications. From 20.09 on none may carry an inline `credential` (9.1). */
  putRegistrySettings(
    specifications: Collection<RegistrySpecification>,
    signal?: AbortSignal,
  ): Promise<void> {
    return this.#write("putRegistrySettings", specifications, signal);
  }

  getServerlessScan(signal?: AbortSignal): Promise<Collection<ServerlessScanScope>> {
    return this.#read("getServerlessScan", serverlessScanScopes, signal);
  }

  /** Replaces all scopes: by POST up to 20.12, by PUT in `next`. */
  replaceServerlessScan(
    scopes: Collection<ServerlessScanScope>,
    signal?: AbortSignal,
  ): Promise<void> {
    return this.#write("replaceServerlessScan", scopes, signal);
  }

  getServerlessAutoDeploy(signal?: AbortSignal): Promise<Collection<ServerlessAutoDeploySpec>> {
    return this.#read("getServerlessAutoDeploy", serverlessAutoDeploySpecs, signal);
  }

  /** Replaces all specifications. */
  replaceServerlessAutoDeploy(
    specs: Collection<ServerlessAutoDeploySpec>,
    signal?: AbortSignal,
  ): Promise<void> {
    return this.#write("replaceServerlessAutoDeploy", specs, signal);
  }

  /** The connectivity test of section 4.2; free JSON. */
  async getRuntimePolicies(signal?: AbortSignal): Promise<unknown> {
    return (await this.request("getRuntimePolicies", { signal })).json();
  }

  /** Another connectivity test (section 4.2); free JSON. */
  async getPolicies(signal?: AbortSignal): Promise<unknown> {
    return (await this.request("getPolicies", { signal })).json();
  }

  /**
   * Closes the connections that no other client uses, when their requests are answered. A given
   * transport stays open.
   */
  async close(): Promise<void> {
    await this.#ownTransport?.close();
  }

  async #read<Item>(
    name: EndpointName,
    kind: CollectionKind<Item>,
    signal: AbortSignal | undefined,
  ): Promise<Collection<Item>> {
    return readCollection(kind, (await this.request(name, { signal })).json());
  }

  async #write(
    name: EndpointName,
    collection: Collection<unknown>,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    await this.request(name, { body: writeCollection(collection), signal });
  }

  async #fetchToken(credentials: TokenCredentials): Promise<string> {
    const response =
      credentials.method === "token-login"
        ? await this.request("authenticate", {
            body: { username: credentials.username, password: credentials.password },
          })
        : await this.request("authenticateClient");
    return checked(tokenResponseSchema, response.json(), "credentials").token;
  }

  #endpoint(name: EndpointName): ResolvedEndpoint {
    const endpoint = endpointFor(name, this.release);
    if (endpoint) return endpoint;
    throw new EndpointNotInReleaseError(name, this.release, releasesOf(name));
  }

  async #send(
    endpoint: ResolvedEndpoint,
    { params = {}, query = {}, body, signal, maxRetries }: RequestOptions,
    authorization?: string,
  ): Promise<ConsoleResponse> {
    const path = fillPath(endpoint.path, params);
    const secrets = [
      ...secretsOfCredentials(this.#credentials),
      ...secretsOfBody(body),
      ...(authorization === undefined ? [] : authorization.split(" ").slice(1)),
    ];
    const { response, attempts } = await exchange(
      {
        endpoint,
        path,
        query: formatQuery(query),
        headers: {
          accept: endpoint.answer,
          ...(body !== undefined && { "content-type": "application/json" }),
          ...(authorization !== undefined && { authorization }),
        },
        body: body === undefined ? undefined : stringifyBody(body),
        secrets,
        signal,
        maxRetries,
      },
      this.#settings,
    );
    if (response.ok) return response;
    const url = this.baseUrl + path;
    const credentials = this.#credentials;
    throw statusError(response, { endpoint, url, attempts, secrets, credentials });
  }
}
