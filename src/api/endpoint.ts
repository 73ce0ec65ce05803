import {
  NEWEST_RELEASE,
  releaseBefore,
  RELEASES,
  SECTIONS,
  type Release,
  type SectionNumber,
} from "./release";

/** HTTP methods of the console's endpoints. */
export type Method = "GET" | "POST" | "PUT" | "DELETE";
/** Content types of the console's answers. */
export type ContentType =
  "application/json" | "application/x-gzip" | "text/csv" | "text/plain" | "text/yaml";

/** Method and path of an endpoint, over a span of releases. */
export interface Route {
  readonly method: Method;
  /** From the root, as in `/api/v1/profiles/service/{id}/learn`. Braces name a parameter. */
  readonly path: string;
  /** The first and the last release, inclusive: a route ends where the next one of its row begins. */
  readonly since: Release;
  readonly until: Release;
  /** The section of the specification that announces the route, where it replaces another one. */
  readonly section?: SectionNumber;
  /**
   * True if a repeated request has no further effect. Only then is it retried after unknown
   * results.
   */
  readonly replaySafe: boolean;
}

/** One operation of the console, under the names that the releases give it. */
export interface Endpoint {
  /** The section of the specification; null for endpoints known from other sources. */
  readonly spec: string | null;
  /** Oldest first, without overlap. Two routes are a rename: the later one replaces the earlier. */
  readonly routes: readonly Route[];
  /** `none`: no Authorization header may be sent. */
  readonly authorization: "required" | "none";
  /** True if the console answers 402 without a license. */
  readonly functional: boolean;
  /** The content type of a 2xx answer. */
  readonly answer: ContentType;
  /** The release that deprecates the endpoint. It still answers as before. */
  readonly deprecated?: EndpointChange;
  /** The release that changes the answer. Callers have to adapt. */
  readonly replaced?: EndpointChange;
  /** The answer is a list that the console may send in pages, by `offset`. Default: it is whole. */
  readonly pages?: boolean;
  /**
   * The places that name what defenders protect: the query, a member of the answer or a column of
   * the CSV. `protected` became `defended` in these places only (9.3.6).
   */
  readonly defended?: readonly NamePosition[];
}

/** An endpoint with the name that errors and logs show. */
export interface NamedEndpoint<Name extends string = string> extends Endpoint {
  readonly name: Name;
}

/** A change of an endpoint that the client cannot hide from callers. */
export interface EndpointChange {
  readonly in: Release;
  readonly section: SectionNumber;
  readonly why: string;
}

/** A change that begins with the release of its section. */
export function changedIn(section: SectionNumber, why: string): EndpointChange {
  return { in: SECTIONS[section].since, section, why };
}

/** Place of a name that releases spell differently. */
export type NamePosition = "query" | "member" | "column";

/** The name in one release. Callers of the client always use `defended`. */
export type DefendedTerm = "protected" | "defended";

type Call = Pick<Route, "method" | "path"> & Partial<Pick<Route, "replaySafe">>;
/** The routes of a row: each later one is announced by a section, and begins with its release. */
export type RouteRows<R extends Call = Call> = readonly [
  R & Partial<Pick<Route, "since">>,
  ...(R & Required<Pick<Route, "section">>)[],
];
/** An endpoint as a row of the table. */
export type EndpointRow = Partial<Omit<Endpoint, "routes" | "spec">> &
  Pick<Endpoint, "spec"> & { readonly routes: RouteRows };

/**
 * Fills in the defaults of a row: from the oldest release on, a JSON answer, authorization and license required,
 * and replay allowed for every method except POST. A route ends where the next one begins.
 */
export function endpoint({ routes: [first, ...moved], ...row }: EndpointRow): Endpoint {
  const routes = [
    { since: RELEASES[0], ...first },
    ...moved.map((route) => ({ since: SECTIONS[route.section].since, ...route })),
  ];
  return {
    authorization: "required",
    functional: true,
    answer: "application/json",
    ...row,
    routes: routes.map((route, index) => {
      const next = routes[index + 1]?.since;
      return {
        until: (next && releaseBefore(next)) ?? NEWEST_RELEASE,
        replaySafe: route.method !== "POST",
        ...route,
      };
    }),
  };
}

/** An endpoint with one GET in every release. */
export function get(
  spec: string,
  path: string,
  row: Omit<EndpointRow, "spec" | "routes"> = {},
): Endpoint {
  return endpoint({ spec, ...row, routes: [{ method: "GET", path }] });
}
