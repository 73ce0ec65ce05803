import { mapMembers } from "../core/member-of";
import { routesOf, type EndpointName, type ResolvedEndpoint } from "../api/endpoints";
import type { Release } from "../api/release";
import type { Handler } from "./route";
import { collectionRoutes } from "./routes/collection-routes";
import { complianceRoutes, policyRoutes } from "./routes/compliance";
import { defenderRoutes } from "./routes/defenders";
import { deprecatedRoutes } from "./routes/deprecated";
import { discoveryRoutes } from "./routes/discovery";
import { containerRoutes, imageRoutes } from "./routes/scan-results";
import { functionRoutes, statusRoutes } from "./routes/serverless";
import { setupRoutes } from "./routes/setup";

/** Handlers of all endpoints. */
export const HANDLERS: Readonly<Record<EndpointName, Handler>> = {
  ...setupRoutes,
  ...collectionRoutes,
  ...policyRoutes,
  ...complianceRoutes,
  ...containerRoutes,
  ...imageRoutes,
  ...defenderRoutes,
  ...statusRoutes,
  ...functionRoutes,
  ...discoveryRoutes,
  ...deprecatedRoutes,
};

export type Match =
  | {
      readonly kind: "found";
      readonly endpoint: ResolvedEndpoint<EndpointName>;
      /** Values of the path's parameters, decoded. */
      readonly parameters: Readonly<Record<string, string>>;
    }
  | { readonly kind: "no-method"; readonly allowed: readonly string[] }
  | { readonly kind: "no-path" };

type Methods = Map<string, ResolvedEndpoint<EndpointName>>;

/** Finds the endpoint of a release by method and path, from the table of `src/api`. */
export class Router {
  static readonly #routers = new Map<Release, Router>();
  readonly #byPath = new Map<string, Methods>();
  readonly #patterns: readonly { readonly pattern: RegExp; readonly methods: Methods }[];

  /** Returns the router of a release, shared by all consoles. */
  static for(release: Release): Router {
    const router = Router.#routers.get(release) ?? new Router(release);
    Router.#routers.set(release, router);
    return router;
  }

  private constructor(release: Release) {
    for (const endpoint of routesOf(release)) {
      const methods =
        this.#byPath.get(endpoint.path) ?? new Map<string, ResolvedEndpoint<EndpointName>>();
      this.#byPath.set(endpoint.path, methods.set(endpoint.method, endpoint));
    }
    this.#patterns = [...this.#byPath]
      .filter(([path]) => path.includes("{"))
      .map(([path, methods]) => ({ pattern: patternOf(path), methods }));
  }

  /** Matches a path without query. Literal paths take precedence over those with parameters. */
  match(method: string, path: string): Match {
    const literal = this.#byPath.get(path);
    if (literal) return choose(literal, method, {});
    for (const { pattern, methods } of this.#patterns) {
      const found = pattern.exec(path);
      if (found) return choose(methods, method, decode(found.groups ?? {}));
    }
    return { kind: "no-path" };
  }
}

/** Converts `/profiles/{id}/rule` to a pattern with named groups. */
function patternOf(path: string): RegExp {
  const source = path.replaceAll(".", "\\.").replaceAll(/\{(\w+)\}/g, "(?<$1>[^/]+)");
  return new RegExp(`^${source}$`);
}

function choose(
  methods: Methods,
  method: string,
  parameters: Readonly<Record<string, string>>,
): Match {
  const endpoint = methods.get(method);
  return endpoint
    ? { kind: "found", endpoint, parameters }
    : { kind: "no-method", allowed: [...methods.keys()] };
}

function decode(groups: Readonly<Record<string, string>>): Record<string, string> {
  return mapMembers(groups, (value) => {
    try {
      return decodeURIComponent(value);
    } catch {
      return value;
    }
  });
}
