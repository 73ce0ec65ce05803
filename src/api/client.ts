import { z } from "zod";
import { type RegistrySpecification, type ServerlessScanScope, type SignUpRequest } from "./bodies";
import { AutoDeployStatuses, CloudDiscovery, Serverless } from "./areas/cloud";
import { ComplianceStatistics } from "./areas/compliance-statistics";
import { Containers } from "./areas/containers";
import { RegistryImages } from "./areas/registry-images";
import {
  type AnsweredList,
  readWholeCollection,
  readWholeJson,
  readWholeRows,
} from "./areas/whole-answer";
import { DefenderArtifacts } from "./areas/defender-artifacts";
import { Images } from "./areas/images";
import { type ListKind, readRows, wholeItems } from "./areas/list";
import { Caller } from "./caller";
import {
  type Deprecation,
  deprecationOf,
  type EndpointName,
  type EndpointTarget,
} from "./endpoints";
import type { NamedEndpoint } from "./endpoint";
import type { ClientOptions, RequestOptions } from "./client-options";
import { type Collection, readCollection, writeCollection } from "./collection-body";
import {
  type CollectionKind,
  collectionEndpoint,
  COLLECTIONS,
  type CollectionRow,
  type ItemOf,
} from "./collections";
import { isRecord } from "../core/member-of";
import { type ConsoleIdentity, identityOfConsole, withProject } from "./console-identity";
import { ApiError, LicenseRequiredError } from "./errors";
import { withoutInlineCredentials } from "./inline-credentials";
import type { OtherRelease } from "./other-release";
import { hasChange, type Release } from "./release";
import type { ReleaseFinding } from "./release-probe";
import type { ConsoleResponse, Rows, RowsOptions } from "./http/response";
import { endOfLife } from "./authorization";

/** A custom runtime rule; its shape is not specified. */
export type CustomRule = Readonly<Record<string, unknown>>;

const customRules: ListKind<CustomRule> = {
  endpoint: "getCustomRules",
  what: "custom rules",
  item: z.record(z.string(), z.unknown()),
};

/**
 * Client of one console's API with one set of credentials. It authenticates at the first request
 * that requires it. Every method throws ConsoleErrors (errors.ts) only. Setup and configuration are
 * methods of the client; results are grouped by subject (`containers`, `images`, …).
 */
export class ConsoleClient {
  readonly baseUrl: string;
  readonly identity: ConsoleIdentity;
  readonly containers: Containers;
  readonly registryImages: RegistryImages;
  readonly images: Images;
  readonly serverless: Serverless;
  readonly cloudDiscovery: CloudDiscovery;
  readonly complianceStats: ComplianceStatistics;
  readonly autoDeploy: AutoDeployStatuses;
  readonly defenders: DefenderArtifacts;
  readonly #caller: Caller;
  readonly #project: string | undefined;

  /** Throws a ConfigurationError for an address or credentials that cannot work. */
  constructor(options: ClientOptions) {
    const caller = new Caller(options);
    this.#caller = caller;
    this.#project = options.project;
    this.baseUrl = caller.baseUrl;
    this.identity = identityOfConsole({
      baseUrl: this.baseUrl,
      project: options.project,
      consoleId: options.consoleId,
      previousBaseUrls: options.previousBaseUrls ?? [],
    });
    this.containers = new Containers(caller);
    this.registryImages = new RegistryImages(caller);
    this.images = new Images(caller);
    this.serverless = new Serverless(caller);
    this.cloudDiscovery = new CloudDiscovery(caller);
    this.complianceStats = new ComplianceStatistics(caller);
    this.autoDeploy = new AutoDeployStatuses(caller);
    this.defenders = new DefenderArtifacts(caller);
  }

  /** The address with the project: `https://host:8083?project=NAME`. */
  get address(): string {
    return withProject(this.baseUrl, this.#project);
  }

  /** The console's release, if it is configured or already detected. */
  get release(): Release | undefined {
    return this.#caller.release.known;
  }

  /** Another release than the configured one, if an answer has shown it. */
  get otherRelease(): OtherRelease | undefined {
    return this.#caller.release.other;
  }

  /** Notices what an answer shows of the release. */
  notice(other: OtherRelease): void {
    this.#caller.release.notice(other);
  }

  /**
   * Returns the console's release: as configured or, with `auto`, detected once by GETs without
   * effect. Undefined while it cannot be decided: without accepted credentials, without a license,
   * or when the console cannot be reached. Releases 20.09 and 20.12 answer alike and are reported
   * as 20.12. Calls that differ between releases detect it themselves.
   */
  detectRelease(signal?: AbortSignal): Promise<Release | undefined> {
    return this.#caller.release.detect(signal);
  }

  /**
   * Returns the console's release like `detectRelease`, but rejects when it cannot be decided: with
   * the error that prevents it, such as an UnauthorizedError, or with a ReleaseUndecidedError when
   * the answers match no release.
   */
  resolveRelease(signal?: AbortSignal): Promise<Release> {
    return this.#caller.release.resolve(signal);
  }

  /** Detects the release, regardless of the configured one, by GETs without effect. */
  findRelease(signal?: AbortSignal): Promise<ReleaseFinding> {
    return this.#caller.release.find(signal);
  }

  /**
   * Removes texts from messages of the console, in addition to members such as `password`.
   *
   * @param names Members whose values are removed from JSON in messages, whatever they are.
   */
  mask(secrets: readonly string[], names: readonly string[] = []): void {
    this.#caller.mask(secrets, names);
  }

  /**
   * Calls any endpoint, of the table by its name. Returns 2xx answers; throws an ApiError for all others. A
   * token that the console refuses is renewed and the request sent again, once.
   */
  request(endpoint: EndpointTarget, options: RequestOptions = {}): Promise<ConsoleResponse> {
    return this.#caller.request(endpoint, options);
  }

  /** Like `request`, and keeps only a row of each element of a list. */
  rows<Row>(
    endpoint: EndpointTarget,
    options: RequestOptions & RowsOptions<Row>,
  ): Promise<Rows<Row>> {
    return this.#caller.rows(endpoint, options);
  }

  /** Like `rows`, with all pages of the list. Throws a ListNotWholeError if that cannot be proved. */
  wholeRows<Row>(
    endpoint: NamedEndpoint,
    options: RequestOptions & RowsOptions<Row> & AnsweredList,
  ): Promise<Rows<Row>> {
    return readWholeRows(this.#caller, endpoint, options);
  }

  /** Returns the JSON of an answer with all pages of its list. Throws what `wholeRows` throws. */
  wholeJson(endpoint: NamedEndpoint, options: RequestOptions & AnsweredList): Promise<unknown> {
    return readWholeJson(this.#caller, endpoint, options);
  }

  /**
   * Streams any endpoint's answer as bytes. Nothing is sent before the first chunk is read; leaving
   * the loop ends the request. See `saveFile` and `readCsv`.
   */
  download(
    endpoint: EndpointTarget,
    options: RequestOptions = {},
  ): AsyncGenerator<Uint8Array, void, undefined> {
    return this.#caller.download(endpoint, options);
  }

  /**
   * Calls any endpoint and returns with the answer a warning if the release has deprecated it
   * (section 9.2). `onDeprecated` is called in any case.
   */
  async requestWithWarning(
    name: EndpointName,
    options: RequestOptions = {},
  ): Promise<{ readonly response: ConsoleResponse; readonly warning: Deprecation | undefined }> {
    const response = await this.request(name, options);
    return { response, warning: deprecationOf(this.#caller.endpoint(name, options.release)) };
  }

  /** Resolves when the console serves: with any answer below 500. Does not retry. */
  async ping(signal?: AbortSignal): Promise<void> {
    try {
      await this.request("ping", { probe: "once", signal });
    } catch (error) {
      if (!(error instanceof ApiError) || error.status >= 500) throw error;
    }
  }

  /** Creates the first admin user (section 2.1). Throws an ApiError of status 400 if one exists. */
  async signUp({ username, password }: SignUpRequest, signal?: AbortSignal): Promise<void> {
    await this.request("signUp", { body: { username, password }, signal });
  }

  /**
   * Verifies that the console accepts the credentials now, regardless of cached tokens. Credentials
   * of the token methods are exchanged for a new token. Basic credentials and a given token are
   * verified by a call; a 402 proves them as well, because the console checks the license last.
   *
   * @throws UnauthorizedError
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
   * Issues a new token for another tool and returns its end of life. The client keeps its own
   * token. Throws a ConfigurationError if the credentials are a token.
   */
  async issueToken(
    signal?: AbortSignal,
  ): Promise<{ readonly token: string; readonly expiresAt: Date }> {
    const token = await this.#caller.issueToken(signal);
    return { token, expiresAt: new Date(endOfLife(token, this.#caller.clock.now())) };
  }

  /** Installs a license key (section 2.3), replacing the installed one. */
  async installLicense(key: string, signal?: AbortSignal): Promise<void> {
    await this.request("installLicense", { body: { key }, signal });
  }

  /**
   * Reads all items of a collection, in the console's order. Throws a ListNotWholeError if the console
   * does not answer all that it has.
   */
  read<Kind extends CollectionKind>(
    kind: Kind,
    signal?: AbortSignal,
  ): Promise<Collection<ItemOf<Kind>>> {
    return this.readRow<ItemOf<Kind>>(COLLECTIONS[kind], signal);
  }

  /**
   * Like `read`, for a collection that the table need not have.
   *
   * @param collectionOf Reads one answer. Default: `readCollection`.
   */
  readRow<Item>(
    row: CollectionRow<Item>,
    signal?: AbortSignal,
    collectionOf = (answer: ConsoleResponse) => readCollection(row, answer.json()),
  ): Promise<Collection<Item>> {
    return readWholeCollection(this.#caller, row, signal, collectionOf);
  }

  /**
   * Replaces all items of a collection, in order. From 20.09 on without inline credentials (9.1): a
   * ConfigurationError refuses one with content before anything is sent.
   */
  replace<Kind extends CollectionKind>(
    kind: Kind,
    collection: Collection<ItemOf<Kind>>,
    signal?: AbortSignal,
  ): Promise<void> {
    return this.replaceRow<ItemOf<Kind>>(COLLECTIONS[kind], collection, signal);
  }

  /** Like `replace`, for a collection that the table need not have. */
  async replaceRow<Item>(
    row: CollectionRow<Item>,
    collection: Collection<Item>,
    signal?: AbortSignal,
  ): Promise<void> {
    const items = await this.#sendable(row, collection.items, signal);
    const body = writeCollection({ ...collection, items });
    await this.request(collectionEndpoint(row.endpoints.replace), { body, signal });
  }

  /** Adds one specification. Not retried when the request may have arrived. */
  async addRegistrySpecification(
    specification: RegistrySpecification,
    signal?: AbortSignal,
  ): Promise<void> {
    const [body] = await this.#sendable(COLLECTIONS.registry, [specification], signal);
    await this.request("addRegistrySpecification", { body, signal });
  }

  /**
   * Adds one scope (9.3.3). Not retried when the request may have arrived. Throws an
   * EndpointNotInReleaseError before `next`.
   */
  async addServerlessScanScope(scope: ServerlessScanScope, signal?: AbortSignal): Promise<void> {
    const [body] = await this.#sendable(COLLECTIONS.serverlessScan, [scope], signal);
    await this.request("addServerlessScanScope", { body, signal });
  }

  async #sendable(
    { what, inlineCredentials = false }: Pick<CollectionRow, "what" | "inlineCredentials">,
    items: readonly unknown[],
    signal: AbortSignal | undefined,
  ): Promise<readonly unknown[]> {
    if (!inlineCredentials || !items.some((item) => isRecord(item) && "credential" in item)) {
      return items;
    }
    const release = await this.#caller.release.resolve(signal);
    if (!hasChange(release, "credentialsById")) return items;
    return withoutInlineCredentials(what, items.filter(isRecord));
  }

  /** Reads the runtime container policies, a connectivity test (section 4.2); free JSON. */
  async getRuntimePolicies(signal?: AbortSignal): Promise<unknown> {
    return (await this.request("getRuntimePolicies", { signal })).json();
  }

  /** Reads all policies, a connectivity test (section 4.2). The JSON is not specified. */
  async getPolicies(signal?: AbortSignal): Promise<unknown> {
    return (await this.request("getPolicies", { signal })).json();
  }

  /** Reads the custom runtime rules (9.3.4). */
  getCustomRules(signal?: AbortSignal): Promise<readonly CustomRule[]> {
    return readRows(this.#caller, wholeItems(customRules), {}, signal);
  }

  /**
   * Closes the connections that no other client uses once their requests are answered. A transport
   * given in the options stays open.
   */
  close(): Promise<void> {
    return this.#caller.close();
  }
}
