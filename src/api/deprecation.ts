import type { ResolvedEndpoint } from "./endpoints";
import type { Release } from "./release";

/** A call of an endpoint that the console's release has deprecated. */
export interface Deprecation {
  readonly endpoint: ResolvedEndpoint["name"];
  readonly method: string;
  readonly path: string;
  /** The release that deprecated it. */
  readonly since: Release;
  readonly why: string;
  /** One sentence with endpoint, release, reason and the specification's section. */
  readonly message: string;
}

/** Returns undefined if the release has not deprecated the endpoint. */
export function deprecationOf(endpoint: ResolvedEndpoint): Deprecation | undefined {
  const { name, method, path, deprecated } = endpoint;
  if (!deprecated) return undefined;
  const { in: since, section, why } = deprecated;
  const message = `${method} ${path} is deprecated since release ${since} (section ${section}): ${why}.`;
  return { endpoint: name, method, path, since, why, message };
}
