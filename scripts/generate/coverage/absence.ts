import { endpointFor, ENDPOINTS, routesOf, type EndpointName } from "../../../src/api/endpoints";
import type { Endpoint, Route } from "../../../src/api/endpoint";
import type { Release } from "../../../src/api/release";

/** The answer of a console to a call that its release does not have. */
export type Absence =
  | { readonly status: 404 | 405 }
  /** The endpoint that has the call in that release. */
  | { readonly taken: EndpointName };

/** Returns the calls of the endpoint in other releases, and the answers of this release to them. */
export function absentCalls(
  name: EndpointName,
  release: Release,
): readonly (Pick<Route, "method" | "path"> & { readonly absence: Absence })[] {
  const here = endpointFor(name, release);
  const { routes }: Endpoint = ENDPOINTS[name];
  return routes
    .filter(({ method, path }) => method !== here?.method || path !== here.path)
    .map(({ method, path }) => ({ method, path, absence: absence({ method, path }, release) }));
}

function absence({ method, path }: Pick<Route, "method" | "path">, release: Release): Absence {
  const there = routesOf(release).filter((route) => route.path === path);
  const taken = there.find((route) => route.method === method);
  if (taken) return { taken: taken.name };
  return { status: there.length > 0 ? 405 : 404 };
}
