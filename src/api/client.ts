import { z } from "zod";
import {
  type CompliancePolicy,
  type RegistrySpecification,
  type ServerlessAutoDeploySpec,
  type ServerlessScanScope,
  type SignUpRequest,
} from "./bodies";
import { AutoDeployStatuses } from "./areas/auto-deploy";
import { CloudDiscovery } from "./areas/cloud-discovery";
import { ComplianceStatistics } from "./areas/compliance-statistics";
import { Containers } from "./areas/containers";
import { DefenderArtifacts } from "./areas/defender-artifacts";
import { Images } from "./areas/images";
import { type ListKind, readPage } from "./areas/list";
import { Serverless } from "./areas/serverless";
import { Caller } from "./caller";
import { type Deprecation, deprecationOf } from "./deprecation";
import type { ClientOptions, RequestOptions } from "./client-options";
import { type Collection, readCollection, writeCollection } from "./collection-body";
import { type CollectionKind, COLLECTIONS, type ItemOf } from "./collections";
import type { EndpointName } from "./endpoints";
import { ApiError, LicenseRequiredError } from "./errors";
import type { Release } from "./release";
import type { ConsoleResponse } from "./http/response";
import { endOfLife } from "./token";

/** A custom runtime rule; its shape is not specified. */
export type CustomRule = Readonly<Record<string, unknown>>;

const customRules: ListKind<CustomRule> = {
  endpoint: "getCustomRules",
  what: "custom rules",
  item: z.record(z.string(), z.unknown()),
};

/**
 * One console's API, with one set of credentials. It authenticates at the first request that
 * needs it. All methods throw ConsoleErrors (errors.ts) and nothing else, but for our own bugs.
 * What one sets up and configures are methods of the client itself; what the console finds, counts
 * and hands out is grouped by its subject.
 */
export class ConsoleClient {
  readonly baseUrl: string;
  readonly containers: Containers;
  readonly images: Images;
  readonly serverless: Serverless;
  readonly cloudDiscovery: CloudDiscovery;
  readonly complianceStats: ComplianceStatistics;
  readonly autoDeploy: AutoDeployStatuses;
  readonly defenders: DefenderArtifacts;
  readonly #caller: Caller;

  /** Throws a ConfigurationError for an address or credentials that cannot work. */
  constructor(options: ClientOptions) {
    const caller = new Caller(options);
    this.#caller = caller;
    this.baseUrl = caller.baseUrl;
    this.containers = new Containers(caller);
    this.images = new Images(caller);
    this.serverless = new Serverless(caller);
    this.cloudDiscovery = new CloudDiscovery(caller);
    this.complianceStats = new ComplianceStatistics(caller);
    this.autoDeploy = new AutoDeployStatuses(caller);
    this.defenders = new DefenderArtifacts(caller);
  }

  /** The console's release, as far as it is known by now: with `auto` once it is found out. */
  get release(): Release | undefined {
    return this.#caller.release;
  }

  /**
   * The console's release: as configured; with `auto` as found by GETs without effect, once, or
   * undefined while that is undecided: without credentials that are taken, without a license, or
   * where the console cannot be reached. 20.09 cannot be told from 20.12 and is taken for it. A
   * call that differs between releases finds out by itself, and fails by what keeps it from that.
   */
  detectRelease(signal?: AbortSignal): Promise<Release | undefined> {
    return this.#caller.detectRelease(signal);
  }

  /**
   * The same for those who cannot go on without: rejects with what keeps it undecided, such as an
   * UnauthorizedError, or a ReleaseUndecidedError where the answers are no release's.
   */
  resolveRelease(signal?: AbortSignal): Promise<Release> {
    return this.#caller.resolveRelease(signal);
  }

  /**
   * Calls any endpoint of the table. Gives 2xx answers; all others are ApiErrors. A token that the
   * console refuses is renewed, and the request sent again, once.
   */
  request(name: EndpointName, options: RequestOptions = {}): Promise<ConsoleResponse> {
    return this.#caller.request(name, options);
  }

  /**
   * Any endpoint's answer as a stream of bytes, as the console sends them. Nothing is sent before
   * the first part is asked for; leaving the loop ends the request. See `saveFile`, `readCsv`.
   */
  download(
    name: EndpointName,
    options: RequestOptions = {},
  ): AsyncGenerator<Uint8Array, void, undefined> {
    return this.#caller.download(name, options);
  }

  /**
   * Calls any endpoint, and says with the answer what there is to know about it: that the release
   * has deprecated it, and why (section 9.2). `onDeprecated` is told of it whoever calls.
   */
  async requestWithWarning(
    name: EndpointName,
    options: RequestOptions = {},
  ): Promise<{ readonly response: ConsoleResponse; readonly warning: Deprecation | undefined }> {
    const response = await this.request(name, options);
    return { response, warning: deprecationOf(this.#caller.endpoint(name, options.release)) };
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
    const { authorization } = this.#caller;
    if (authorization.fetchesTokens) return authorization.renew(signal);
    try {
      await this.request("getRuntimePolicies", { signal });
    } catch (error) {
      if (!(error instanceof LicenseRequiredError)) throw error;
    }
  }

  /**
   * A new token for another tool, whether this client uses tokens or basic authorization, and when
   * it ends; the client keeps its own. A ConfigurationError where the credentials are a token.
   */
  async issueToken(
    signal?: AbortSignal,
  ): Promise<{ readonly token: string; readonly expiresAt: Date }> {
    const token = await this.#caller.issueToken(signal);
    return { token, expiresAt: new Date(endOfLife(token, this.#caller.clock.now())) };
  }

  /** Section 2.3. Replaces the key that is installed. */
  async installLicense(key: string, signal?: AbortSignal): Promise<void> {
    await this.request("installLicense", { body: { key }, signal });
  }

  /** Reads a collection: all its items, in the console's order. */
  async read<Kind extends CollectionKind>(
    kind: Kind,
    signal?: AbortSignal,
  ): Promise<Collection<ItemOf<Kind>>> {
    const collection = COLLECTIONS[kind];
    const response = await this.request(collection.endpoints.read.name, { signal });
    return readCollection(collection, response.json());
  }

  /** Replaces all items of a collection, in the given order. */
  async replace<Kind extends CollectionKind>(
    kind: Kind,
    collection: Collection<ItemOf<Kind>>,
    signal?: AbortSignal,
  ): Promise<void> {
    const { name } = COLLECTIONS[kind].endpoints.replace;
    await this.request(name, { body: writeCollection(collection), signal });
  }

  /** Section 2.4: all policies, in their order. */
  getCompliancePolicies(signal?: AbortSignal): Promise<Collection<CompliancePolicy>> {
    return this.read("policies", signal);
  }

  /** Replaces all policies, in the given order. */
  putCompliancePolicies(
    policies: Collection<CompliancePolicy>,
    signal?: AbortSignal,
  ): Promise<void> {
    return this.replace("policies", policies, signal);
  }

  /** Section 2.5. */
  getRegistrySettings(signal?: AbortSignal): Promise<Collection<RegistrySpecification>> {
    return this.read("registry", signal);
  }

  /** Replaces all specifications. From 20.09 on none may carry an inline `credential` (9.1). */
  putRegistrySettings(
    specifications: Collection<RegistrySpecification>,
    signal?: AbortSignal,
  ): Promise<void> {
    return this.replace("registry", specifications, signal);
  }

  /** Adds one specification. The request is not repeated when it may have arrived. */
  async addRegistrySpecification(
    specification: RegistrySpecification,
    signal?: AbortSignal,
  ): Promise<void> {
    await this.request("addRegistrySpecification", { body: specification, signal });
  }

  getServerlessScan(signal?: AbortSignal): Promise<Collection<ServerlessScanScope>> {
    return this.read("serverlessScan", signal);
  }

  /** Replaces all scopes: by POST up to 20.12, by PUT in `next`. */
  replaceServerlessScan(
    scopes: Collection<ServerlessScanScope>,
    signal?: AbortSignal,
  ): Promise<void> {
    return this.replace("serverlessScan", scopes, signal);
  }

  /**
   * Adds one scope (9.3.3). The request is not repeated when it may have arrived. `next` only: an
   * EndpointNotInReleaseError elsewhere.
   */
  async addServerlessScanScope(scope: ServerlessScanScope, signal?: AbortSignal): Promise<void> {
    await this.request("addServerlessScanScope", { body: scope, signal });
  }

  getServerlessAutoDeploy(signal?: AbortSignal): Promise<Collection<ServerlessAutoDeploySpec>> {
    return this.read("serverlessAutoDeploy", signal);
  }

  /** Replaces all specifications. */
  replaceServerlessAutoDeploy(
    specs: Collection<ServerlessAutoDeploySpec>,
    signal?: AbortSignal,
  ): Promise<void> {
    return this.replace("serverlessAutoDeploy", specs, signal);
  }

  /** The connectivity test of section 4.2; free JSON. */
  async getRuntimePolicies(signal?: AbortSignal): Promise<unknown> {
    return (await this.request("getRuntimePolicies", { signal })).json();
  }

  /** Another connectivity test (section 4.2); free JSON. */
  async getPolicies(signal?: AbortSignal): Promise<unknown> {
    return (await this.request("getPolicies", { signal })).json();
  }

  /** Custom runtime rules (9.3.4): free JSON objects. */
  async getCustomRules(signal?: AbortSignal): Promise<readonly CustomRule[]> {
    return (await readPage(this.#caller, customRules, {}, signal)).items;
  }

  /**
   * Closes the connections that no other client uses, when their requests are answered. A given
   * transport stays open.
   */
  close(): Promise<void> {
    return this.#caller.close();
  }
}
