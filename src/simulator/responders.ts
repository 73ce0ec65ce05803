import type { EndpointName, ResolvedEndpoint } from "../api/endpoints";
import type { Release } from "../api/release";
import { parseJson } from "../core/json/lossless-json";
import { memberOf } from "../core/member-of";
import type { ConsoleOptions } from "./console-options";
import type { ConsoleState } from "./console-state";
import { answerDescribed, anyPath, describedPath, type DescribedPath } from "./described-paths";
import { errorResponse, type ConsoleRequest, type SimulatedResponse } from "./messages";
import type { RouteContext } from "./route";
import { HANDLERS, type Match, type Router } from "./router";
import { registryImages } from "./routes/registry-images";

/** Answers a request. It has no endpoint if the table does not have the path. */
export interface Responder {
  readonly endpoint?: ResolvedEndpoint<EndpointName>;
  /** See `Endpoint.pages`. */
  readonly mayPage: boolean;
  readonly answer: (context: RouteContext) => SimulatedResponse | Promise<SimulatedResponse>;
}

/** The console whose requests are answered. */
interface Served extends Pick<ConsoleOptions, "any"> {
  readonly release: Release;
  readonly router: Router;
  readonly state: ConsoleState;
  /** Those that were signed up or added. */
  readonly usernames: () => readonly string[];
}

/** Finds what answers a request: the table, the catalogue or, with `any`, what was stored there. */
export class Responders {
  readonly #served: Served;
  readonly #undescribed = new Set<string>();

  constructor(served: Served) {
    this.#served = served;
  }

  /** Returns what answers a request, or its refusal. */
  to(request: ConsoleRequest, match: Match): Responder | { readonly refusal: SimulatedResponse } {
    const [at = ""] = request.path.split("?", 1);
    const inField = registryImages.get(`${request.method} ${at}`);
    if (inField) return { mayPage: true, answer: inField };
    const described = this.#describedPath(request, match);
    if (described) {
      const { kind } = described;
      return {
        mayPage: kind ? kind.form === "object" && kind.pages : true,
        answer: async (context) =>
          answerDescribed(described, context, await this.#initial(described, context)),
      };
    }
    switch (match.kind) {
      case "found":
        return {
          endpoint: match.endpoint,
          mayPage: match.endpoint.pages ?? false,
          answer: HANDLERS[match.endpoint.name],
        };
      case "no-path":
        return { refusal: errorResponse(404, "no such path in this release") };
      case "no-method": {
        const allow = match.allowed.join(", ");
        return { refusal: errorResponse(405, "method not allowed", { allow }) };
      }
    }
  }

  /** A path that the table does not answer, or that was written to. */
  #describedPath({ path }: ConsoleRequest, match: Match): DescribedPath | undefined {
    const [at = ""] = path.split("?", 1);
    const { release, state, any } = this.#served;
    const known = describedPath(at, release);
    const described = known ?? (any && anyPath(at, state));
    if (!described) return undefined;
    const isStored = memberOf(state.data.documents, described.path) !== undefined;
    if (match.kind === "found" && !isStored) return undefined;
    if (!known && match.kind === "no-path" && !this.#undescribed.has(at)) {
      this.#undescribed.add(at);
      any?.(at);
    }
    return described;
  }

  /** Returns the answer of the table for the path before the first write. */
  async #initial({ path }: DescribedPath, context: RouteContext): Promise<unknown> {
    if (path === "users") {
      const users = this.#served.usernames();
      return users.map((username) => ({ username, role: "admin", authType: "basic" }));
    }
    const match = this.#served.router.match("GET", `/api/v1/${path}`);
    if (match.kind !== "found") return undefined;
    const { body } = await HANDLERS[match.endpoint.name](context);
    return parseJson(String(body));
  }
}
