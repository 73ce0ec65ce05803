import { type CollectionKind, COLLECTION_KINDS, COLLECTIONS } from "../api/collections";
import { stringifyJson } from "../core/json/lossless-json";
import { memberOf } from "../core/member-of";
import { namedProject } from "../api/project";
import { DEFAULT_RELEASE, type Release } from "../api/release";
import { callerOf, TokenIssuer } from "./authentication";
import { systemClock, type SimulatedClock } from "./clock";
import type { ConsoleOptions } from "./console-options";
import type { Document } from "./documents";
import { FaultSchedule, faultResponse, HTML_FORM, type FaultOutcome } from "./faults";
import { inventoryOf } from "./inventory";
import {
  errorResponse,
  type ConsoleRequest,
  type SimulatedResponse,
  type LoggedRequest,
} from "./messages";
import { pageOf } from "./pages";
import { PasswordHash } from "./passwords";
import type { RouteContext } from "./route";
import { HANDLERS, Router, type Match } from "./router";
import { Responders } from "./responders";
import { wholeCollections } from "./whole-collections";
import {
  ConsoleState,
  freshData,
  licenseOf,
  newKey,
  type Collections,
  type ConsoleData,
} from "./console-state";
import { world } from "../core/io/world";

/** Collections to replace. Others are unchanged. */
export type Edit = Partial<Collections>;

const LOG_ENTRIES = 10_000;

/**
 * One console, without a port. `handle` answers requests as a console of the release does. The
 * other methods are for tests and simulate manual changes.
 */
export class SimulatedConsole {
  readonly name: string;
  readonly release: Release;
  readonly faults: FaultSchedule;
  /** The last 10,000 requests, oldest first. */
  readonly requests: LoggedRequest[] = [];

  readonly #clock: SimulatedClock;
  readonly #router: Router;
  readonly #state: ConsoleState;
  readonly #responders: Responders;
  readonly #options: ConsoleOptions;
  readonly #closing = new AbortController();
  readonly #projects = new Map<string, SimulatedConsole>();
  /** Has the users, the tokens and the license: a project has none. */
  #owner: SimulatedConsole = this;
  #saved: ConsoleData;
  #tokens: TokenIssuer;

  constructor(options: ConsoleOptions = {}) {
    this.name = options.name ?? "console";
    this.release = options.release ?? DEFAULT_RELEASE;
    this.faults = new FaultSchedule(options.faults);
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#router = Router.for(this.release);
    // Consoles of one seed share an inventory, but each has its own keys.
    const keySeed = options.seed === undefined ? undefined : `${options.seed}/${this.name}`;
    this.#state = new ConsoleState(options.data ?? freshData(this.#clock.now(), keySeed));
    this.#responders = new Responders({
      release: this.release,
      router: this.#router,
      state: this.#state,
      any: options.any,
      usernames: () => [...this.#owner.data.users.keys()],
    });
    this.#saved = this.#state.data;
    this.#tokens = this.#newIssuer();
  }

  /** The stored data. */
  get data(): ConsoleData {
    return this.#state.data;
  }

  /** Makes a console a project of this one. Requests with its name in the query are for it. */
  addProject(project: SimulatedConsole): void {
    this.#projects.set(project.name, project);
    project.#owner = this;
  }

  /** The container compliance policies, in order. */
  policies(): readonly Document[] {
    return this.collection("policies");
  }

  /** Returns the items of a collection, as stored. */
  collection(kind: CollectionKind): readonly Document[] {
    return this.data.collections[kind];
  }

  /** Returns what is stored for a path below `/api/v1/` of the catalogue, or of any other one. */
  document(path: string): unknown {
    return memberOf(this.data.documents, path);
  }

  /** Stores exactly this document for a path below `/api/v1/`. */
  async store(path: string, document: unknown): Promise<void> {
    this.#state.update({ documents: { ...this.data.documents, [path]: document } });
    await this.#save();
  }

  /**
   * Answers a request. Refusals are checked in this order: no such path in the release (404), no
   * such method (405), not authenticated (401), no license (402), malformed (400).
   */
  async handle(request: ConsoleRequest): Promise<SimulatedResponse> {
    const [path = ""] = request.path.split("?", 1);
    const match = this.#router.match(request.method, path);
    const endpoint = match.kind === "found" ? match.endpoint.name : undefined;
    const disturbance = this.faults.next(request.method, path, endpoint);
    if (disturbance && disturbance.delay > 0) await this.#wait(disturbance.delay);
    const response = disturbance?.outcome
      ? await this.#disturbed(disturbance.outcome, request, match)
      : await this.#answer(request, match);
    if (this.requests.length >= LOG_ENTRIES) this.requests.shift();
    const { status, delivered } = response;
    const { method } = request;
    this.requests.push({ method, path, endpoint, status, ...(delivered && { delivered }) });
    return response;
  }

  /** Adds a user. A console with a user is signed up. */
  async addUser(username: string, password: string): Promise<void> {
    const users = new Map(this.data.users).set(username, await this.#hashPassword(password));
    this.#state.update({ users });
    await this.#save();
  }

  /** Installs a license. */
  async installLicense(key = "SIMULATED-LICENSE"): Promise<void> {
    this.#state.update({ license: licenseOf(key) });
    await this.#save();
  }

  /** Replaces collections through the API, as another user. Throws if the API refuses. */
  async edit(change: Edit, by = "somebody"): Promise<void> {
    for (const kind of COLLECTION_KINDS) {
      const items = change[kind];
      if (items === undefined) continue;
      const { name } = COLLECTIONS[kind].endpoints.replace;
      const request = { method: "", path: "", headers: {}, body: stringifyJson(items) };
      const response = await HANDLERS[name](this.#context(request, by));
      if (response.status !== 200) throw new Error(`${name}: ${String(response.body)}`);
    }
    await this.#save();
  }

  /** Stores exactly these documents, without default values, owner or date. */
  async load(change: Edit): Promise<void> {
    this.#state.updateCollections(change);
    await this.#save();
  }

  /** Invalidates all tokens. */
  async revokeTokens(): Promise<void> {
    const keys = { ...this.data.keys, token: newKey(undefined, "token") };
    this.#state.update({ keys });
    this.#tokens = this.#newIssuer();
    await this.#save();
  }

  /** Reinstalls the console: no user, no license, no valid token, and the two default policies. */
  async reset(): Promise<void> {
    this.#state.update(freshData(this.#clock.now()));
    this.#tokens = this.#newIssuer();
    await this.#save();
  }

  /** Ends running delays and answers the requests that wait. */
  close(): void {
    this.#closing.abort();
  }

  async #answer(request: ConsoleRequest, match: Match): Promise<SimulatedResponse> {
    const named = projectOf(request, match);
    if (named === undefined) return this.#answerOwn(request, match);
    const project = this.#projects.get(named);
    return project ? project.#answerOwn(request, match) : errorResponse(404, "no such project");
  }

  async #answerOwn(request: ConsoleRequest, match: Match): Promise<SimulatedResponse> {
    const responder = this.#responders.to(request, match);
    if ("refusal" in responder) return responder.refusal;
    const { endpoint } = responder;
    let caller = "";
    if (endpoint?.authorization !== "none") {
      const { authorization } = request.headers;
      const proved = await callerOf(authorization, this.#owner.data, this.#owner.#tokens);
      if (proved === undefined) {
        return errorResponse(401, "not authenticated", {
          "www-authenticate": 'Basic realm="console", Bearer',
        });
      }
      caller = proved;
    }
    if (endpoint?.functional !== false && this.#owner.data.license === null) {
      return errorResponse(402, "no license is installed");
    }
    const context = this.#context(request, caller, match.kind === "found" ? match.parameters : {});
    const answer = await responder.answer(context);
    const { pages } = this.#options;
    const paged = pages ? pageOf(answer, request, pages, responder.mayPage) : answer;
    const isWhole = this.#options.wholeCollections === true && request.method === "GET";
    const response = isWhole ? wholeCollections(paged, this.document("collections")) : paged;
    try {
      await this.#save();
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      return errorResponse(500, `the change could not be stored: ${why}`);
    }
    return response;
  }

  async #disturbed(
    outcome: FaultOutcome,
    request: ConsoleRequest,
    match: Match,
  ): Promise<SimulatedResponse> {
    switch (outcome.kind) {
      case "status":
        return faultResponse(outcome);
      case "reset-before":
        return { status: 0, headers: {}, body: "", delivered: "none" };
      case "reset-after":
        return { ...(await this.#answer(request, match)), delivered: "none" };
      case "truncate":
        return { ...(await this.#answer(request, match)), delivered: "half" };
      case "html":
        return { ...(await this.#answer(request, match)), ...HTML_FORM };
    }
  }

  #context(
    request: ConsoleRequest,
    caller: string,
    parameters: RouteContext["parameters"] = {},
  ): RouteContext {
    return {
      request,
      parameters,
      caller,
      release: this.release,
      state: this.#state,
      tokens: this.#tokens,
      hashPassword: (password) => this.#hashPassword(password),
      now: this.#clock.now(),
      policyEnvelope: this.#options.policyEnvelope ?? false,
      inventory: () => inventoryOf(this.#options.seed ?? ""),
    };
  }

  #hashPassword(password: string): PasswordHash | Promise<PasswordHash> {
    return this.#options.save ? PasswordHash.storable(password) : PasswordHash.inMemory(password);
  }

  #newIssuer(): TokenIssuer {
    return new TokenIssuer(this.data.keys.token, this.#clock);
  }

  async #save(): Promise<void> {
    const { data } = this.#state;
    if (!this.#options.save || data === this.#saved) return;
    await this.#options.save(data);
    this.#saved = data;
  }

  async #wait(milliseconds: number): Promise<void> {
    const { signal } = this.#closing;
    await world.clock.sleep(milliseconds, signal).catch(() => undefined);
  }
}

/** The project that a request names. The setup of a console is for all of its projects. */
function projectOf({ path }: ConsoleRequest, match: Match): string | undefined {
  if (match.kind === "found" && !match.endpoint.functional) return undefined;
  const named = new URLSearchParams(path.split("?", 2)[1]).get("project");
  return named === null ? undefined : namedProject(named);
}
