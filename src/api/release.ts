/** The releases of the console's API, oldest first. `next` is announced, not released. */
export const RELEASES = ["20.04", "20.09", "20.12", "next"] as const;
/** One of `RELEASES`. */
export type Release = (typeof RELEASES)[number];

/** Release that is assumed when none is configured; the API does not report it. */
export const DEFAULT_RELEASE: Release = "20.12";

/** Compares releases by age, for `sort`: negative if `a` is older than `b`. */
export function compareReleases(a: Release, b: Release): number {
  return RELEASES.indexOf(a) - RELEASES.indexOf(b);
}

/** First release that accepts credentials by ID only (9.1.2). */
export const CREDENTIALS_BY_ID_SINCE = "20.09" satisfies Release;

/** True if registry and serverless scan settings of the release may contain inline credentials. */
export function takesInlineCredentials(release: Release): boolean {
  return compareReleases(release, CREDENTIALS_BY_ID_SINCE) < 0;
}
