import {
  defendedTerm,
  endpointFor,
  type EndpointTarget,
  type ResolvedEndpoint,
  routesOf,
} from "./endpoints";
import {
  DEFAULT_RELEASE,
  describeRelease,
  releaseBefore,
  RELEASES,
  SINCE,
  type Release,
} from "./release";

/** An answer that no console of the configured release sends. */
export interface OtherRelease {
  /** A release that sends it. */
  readonly release: Release;
  /** A clause: `it answers "defended"`. */
  readonly because: string;
}

/** Returns what the names of members or columns show, if they have the term of another release. */
export function otherTerm(names: readonly string[], configured: Release): OtherRelease | undefined {
  const own = defendedTerm(configured);
  const [term, release] =
    own === "defended"
      ? ["protected", releaseBefore(SINCE.defendedTerm) ?? DEFAULT_RELEASE]
      : ["defended", SINCE.defendedTerm];
  if (!names.includes(term) || names.includes(own)) return undefined;
  return { release, because: `it answers "${term}" and not "${own}"` };
}

/**
 * Returns what 404 or 405 shows at an endpoint that not all releases have. A server that is no console
 * may answer the same.
 */
export function missingEndpoint(
  { method, path, release: configured }: ResolvedEndpoint,
  status: number,
): OtherRelease | undefined {
  if (status !== 404 && status !== 405) return undefined;
  const has = (release: Release) =>
    routesOf(release).some((one) => one.path === path && (status === 404 || one.method === method));
  const others = RELEASES.filter((release) => !has(release));
  const release = others.includes(DEFAULT_RELEASE) ? DEFAULT_RELEASE : others[0];
  if (release === undefined || !has(configured)) return undefined;
  return { release, because: `it answers ${status} to ${method} ${path}` };
}

/** Reports whether requests of an endpoint differ between two releases. */
export function isCalledOtherwise(target: EndpointTarget, one: Release, other: Release): boolean {
  const [a, b] = [endpointFor(target, one), endpointFor(target, other)];
  return a?.method !== b?.method || a?.path !== b?.path;
}

/** Describes it, with the way out. */
export function otherReleaseText({ release, because }: OtherRelease, configured: Release): string {
  return `The console does not run ${describeRelease(configured)}: ${because}, as ${describeRelease(release)} does. Set the provider's release, or CONSOLE_RELEASE, to "${release}" or "auto".`;
}
