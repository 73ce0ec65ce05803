import { collectionEndpoints } from "./collections";
import { DEFENDED_TERMS, type DefendedTerm, type Endpoint, type Route } from "./endpoint";
import { cloud, compliance } from "./endpoints/results";
import { defenders } from "./endpoints/defenders";
import { deprecated } from "./endpoints/deprecated";
import { setup } from "./endpoints/setup";
import { compareReleases, RELEASES, type Release } from "./release";

/** Every endpoint of sections 4.1 to 4.5, 9.2 and 9.3, the two that they imply, and `_ping`. */
export const ENDPOINTS = {
  ...setup,
  ...collectionEndpoints,
  ...compliance,
  ...defenders,
  ...cloud,
  ...deprecated,
} as const satisfies Readonly<Record<string, Endpoint>>;

type Span = Pick<Route, "since" | "until">;

/** Name of an endpoint, the same in every release. */
export type EndpointName = keyof typeof ENDPOINTS;
/** All names, in the table's order. */
export const ENDPOINT_NAMES = Object.keys(ENDPOINTS) as readonly EndpointName[];

/** An endpoint as one release has it. */
export interface ResolvedEndpoint extends Omit<Endpoint, "routes" | "deprecated">, Route {
  readonly name: EndpointName;
  readonly release: Release;
  /** Set if the release has deprecated the endpoint. */
  readonly deprecated?: NonNullable<Endpoint["deprecated"]>;
  /** The route of earlier releases. */
  readonly renamedFrom?: Route;
}

/** Returns the endpoint as the release has it; undefined if it does not. */
export function endpointFor(name: EndpointName, release: Release): ResolvedEndpoint | undefined {
  const { routes, deprecated: deprecation, ...rest }: Endpoint = ENDPOINTS[name];
  const position = routes.findIndex((route) => includes(route, release));
  const route = routes[position];
  if (route === undefined) return undefined;
  const renamedFrom = routes[position - 1];
  const isDeprecated = deprecation && compareReleases(release, deprecation.in) >= 0;
  return {
    name,
    release,
    ...rest,
    ...route,
    ...(isDeprecated && { deprecated: deprecation }),
    ...(renamedFrom && { renamedFrom }),
  };
}

/** Returns the releases that have the endpoint, oldest first. */
export function releasesOf(name: EndpointName): readonly Release[] {
  const { routes }: Endpoint = ENDPOINTS[name];
  return RELEASES.filter((release) => routes.some((route) => includes(route, release)));
}

/** True if a call differs between releases. */
export function variesByRelease(name: EndpointName): boolean {
  const { routes, defended }: Endpoint = ENDPOINTS[name];
  return routes.length > 1 || releasesOf(name).length < RELEASES.length || defended !== undefined;
}

/** Returns every endpoint of a release. */
export function routesOf(release: Release): readonly ResolvedEndpoint[] {
  return ENDPOINT_NAMES.flatMap((name) => endpointFor(name, release) ?? []);
}

/** Returns `protected` or `defended`, depending on the release (9.3.6). */
export function defendedTerm(release: Release): DefendedTerm {
  const current = DEFENDED_TERMS.find((span) => includes(span, release));
  if (current) return current.term;
  throw new Error(`no term for release ${release}`);
}

function includes({ since, until }: Span, release: Release): boolean {
  return compareReleases(since, release) <= 0 && compareReleases(release, until) <= 0;
}
