/** The console's releases whose API is described, oldest first. `next` is announced, not out. */
export const RELEASES = ["20.04", "20.09", "20.12", "next"] as const;
/** One of `RELEASES`. */
export type Release = (typeof RELEASES)[number];

/** What a console is taken for when nothing is configured: the API cannot tell its release. */
export const DEFAULT_RELEASE: Release = "20.12";

/** Negative when `a` is older than `b`, 0 when they are the same. For `sort` too. */
export function compareReleases(a: Release, b: Release): number {
  return RELEASES.indexOf(a) - RELEASES.indexOf(b);
}
