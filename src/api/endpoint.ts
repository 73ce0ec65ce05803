import type { Release } from "./release";

/** The methods that the console's endpoints have. */
export type Method = "GET" | "POST" | "PUT" | "DELETE";
/** What a console answers with. */
export type ContentType =
  "application/json" | "application/x-gzip" | "text/csv" | "text/plain" | "text/yaml";

/** What an endpoint is called by, over a span of releases. */
export interface Route {
  readonly method: Method;
  /** From the root, as in `/api/v1/profiles/service/{id}/learn`: braces name a parameter. */
  readonly path: string;
  /** The first release and the last one; both count in. */
  readonly since: Release;
  readonly until: Release;
  /**
   * Whether sending the same request twice leaves the console as sending it once does. Only then
   * may a request be sent again whose fate is unknown.
   */
  readonly replaySafe: boolean;
}

/** One thing that the console does, whatever a release calls it. */
export interface Endpoint {
  /** The section of the specification that names it; null for what is known from elsewhere. */
  readonly spec: string | null;
  /** Oldest first, without overlap. Two routes are a rename: the later replaces the earlier. */
  readonly routes: readonly Route[];
  /** `none`: no Authorization header may be sent. */
  readonly authorization: "required" | "none";
  /** Whether the console answers 402 here as long as no license is installed. */
  readonly functional: boolean;
  /** The content type of a 2xx answer. */
  readonly answer: ContentType;
  /** From that release on; it still answers as before. */
  readonly deprecated?: EndpointChange;
  /** From that release on it answers something else, which whoever calls it has to follow. */
  readonly replaced?: EndpointChange;
  /**
   * Where the endpoint says what defenders protect: in the query, in a member of its answer, in a
   * column of its CSV. `protected` became `defended` there and nowhere else (9.3.6).
   */
  readonly defended?: readonly Place[];
}

/** What a release does to an endpoint that callers have to know: no client can hide it. */
export interface EndpointChange {
  readonly in: Release;
  /** Of the specification, as in `9.2`. */
  readonly section: string;
  readonly why: string;
}

/** Where in a call a name stands that releases spell differently. */
export type Place = "query" | "member" | "column";

/** What releases call it; callers of this client say `defended` to all. Oldest first. */
export const DEFENDED_TERMS = [
  { term: "protected", since: "20.04", until: "20.12" },
  { term: "defended", since: "next", until: "next" },
] as const satisfies readonly { term: string; since: Release; until: Release }[];
/** What one release calls it. */
export type DefendedTerm = (typeof DEFENDED_TERMS)[number]["term"];

type Defaults = "since" | "until" | "replaySafe";
/** A route as the table writes it: what `endpoint` fills in may be left out. */
export type RouteRow = Omit<Route, Defaults> & Partial<Pick<Route, Defaults>>;
/** An endpoint as the table writes it. */
export type EndpointRow = Partial<Omit<Endpoint, "routes" | "spec">> &
  Pick<Endpoint, "spec"> & { readonly routes: readonly RouteRow[] };

/**
 * Fills in what a row of the table leaves out: all releases, JSON, authorization and the license
 * are needed, and every method but POST may be replayed.
 */
export function endpoint({ routes, ...row }: EndpointRow): Endpoint {
  return {
    authorization: "required",
    functional: true,
    answer: "application/json",
    ...row,
    routes: routes.map((route) => ({
      since: "20.04",
      until: "next",
      replaySafe: route.method !== "POST",
      ...route,
    })),
  };
}
