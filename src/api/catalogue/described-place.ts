import { endpoint, type Method, type NamedEndpoint, type RouteRows } from "../endpoint";
import { endpointFor, ENDPOINT_NAMES, ENDPOINTS } from "../endpoints";
import type { Release } from "../release";
import { catalogue, kindAt, type CatalogueKind } from "./catalogue";

/** The prefix of the paths that users describe. */
export const API = "/api/v1/";

/** A path with the releases that have it. */
export interface DescribedPlace extends Pick<CatalogueKind, "path" | "moved" | "since"> {
  /** See `Endpoint.pages`. */
  readonly pages?: boolean;
}

/** Returns the place of a path: nothing says that one without a kind is not answered in pages. */
export function placeAt(path: string, kind: CatalogueKind | undefined): DescribedPlace {
  const known = tableEndpointsAt(path);
  return kind ?? { path, pages: known.length === 0 || known.some(({ pages }) => pages) };
}

/** The routes of a method at a described path, or at a path below it. */
export function routesAt(
  { path, moved, since }: DescribedPlace,
  method: Method,
  below = "",
): RouteRows {
  const first = { method, path: `${API}${path}${below}`, ...(since && { since }) };
  if (!moved) return [first];
  return [first, { method, path: `${API}${moved.path}${below}`, section: moved.section }];
}

/** Returns the endpoint at a described path, or at a path below it. */
export function endpointAt(place: DescribedPlace, method: Method, below = ""): NamedEndpoint {
  const { pages = false } = place;
  const row = { spec: null, routes: routesAt(place, method, below), pages };
  return { name: `${method} ${place.path}${below}`, ...endpoint(row) };
}

/** Returns the endpoints of the table at a path, in the releases that have them there. */
export function tableEndpointsAt(path: string): readonly NamedEndpoint[] {
  return ENDPOINT_NAMES.flatMap((name) => {
    const routes = ENDPOINTS[name].routes.filter((route) => route.path === API + path);
    return routes.length > 0 ? [{ ...ENDPOINTS[name], name, routes }] : [];
  });
}

/**
 * Returns the endpoints that requests to a path call: those of its kind, else those of the table;
 * none if neither describes the path.
 */
export function endpointsOfPath(
  path: string,
  methods: readonly Method[],
): readonly NamedEndpoint[] {
  const kind = kindAt(path)?.kind;
  if (kind) return methods.map((method) => endpointAt(kind, method));
  return tableEndpointsAt(path).flatMap((one) => {
    const routes = one.routes.filter(({ method }) => methods.includes(method));
    return routes.length > 0 ? [{ ...one, routes }] : [];
  });
}

const kindsByPath = new Map<Release, ReadonlyMap<string, CatalogueKind>>();

/** The kinds of a release by their paths. */
export function kindsOfRelease(release: Release): ReadonlyMap<string, CatalogueKind> {
  const known = kindsByPath.get(release);
  if (known) return known;
  const kinds = new Map(
    [...catalogue().values()].flatMap((kind) => {
      const found = endpointFor(endpointAt(kind, "GET"), release);
      return found ? [[found.path.slice(API.length), kind] as const] : [];
    }),
  );
  kindsByPath.set(release, kinds);
  return kinds;
}
