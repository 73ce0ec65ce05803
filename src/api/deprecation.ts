import type { ResolvedEndpoint } from "./endpoints";
import type { Release } from "./release";

/** That a call relies on what the console's release has deprecated. */
export interface Deprecation {
  readonly endpoint: ResolvedEndpoint["name"];
  readonly method: string;
  readonly path: string;
  /** The release that deprecated it. */
  readonly since: Release;
  readonly why: string;
  /** One sentence with all of that, and the specification's section. */
  readonly message: string;
}

/** Undefined for what the release has not deprecated. */
export function deprecationOf(endpoint: ResolvedEndpoint): Deprecation | undefined {
  const { name, method, path, deprecated } = endpoint;
  if (!deprecated) return undefined;
  const { in: since, section, why } = deprecated;
  const message = `${method} ${path} is deprecated since release ${since} (section ${section}): ${why}.`;
  return { endpoint: name, method, path, since, why, message };
}
