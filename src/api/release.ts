/**
 * The releases of the console's API, oldest first. `next` is announced, not released. A release that
 * is added here has what the one before it has, until a row of a table begins with it.
 */
export const RELEASES = ["20.04", "20.09", "20.12", "next"] as const;
/** One of `RELEASES`. */
export type Release = (typeof RELEASES)[number];

/** Release that is assumed when none is configured; the API does not report it. */
export const DEFAULT_RELEASE: Release = "20.12";

/** Compares releases by age, for `sort`: negative if `a` is older than `b`. */
export function compareReleases(a: Release, b: Release): number {
  return RELEASES.indexOf(a) - RELEASES.indexOf(b);
}

/**
 * Changes of requests and answers, by the first release that has them. Changes of methods and paths
 * are in the table of endpoints.
 */
export const SINCE = {
  /** Settings refer to stored credentials by ID, and have no inline ones (9.1.2). */
  credentialsById: "20.09",
  /** Network firewall policies have no rules (9.2). */
  noFirewallRules: "20.09",
  /** Image scan reports have `binaries[].layerTime` (4.2). */
  layerTimes: "20.12",
  /** Compliance statistics are rates, a trend and a list of checks (9.3.1). */
  ratedStatistics: "next",
  /** Serverless scan scopes have several credential IDs, and no region or pattern (9.3.3). */
  scopesPerAccount: "next",
  /** The scanner's report has the announced schema (9.3.5). */
  announcedReports: "next",
  /** The term for what defenders protect is `defended` (9.3.6). */
  defendedTerm: "next",
  /** Image scan reports have `applications[].layerTime` (9.3.7). */
  applicationLayerTimes: "next",
} as const satisfies Readonly<Record<string, Release>>;

/** Reports whether the release has a change of the table. */
export function hasChange(release: Release, change: keyof typeof SINCE): boolean {
  return compareReleases(release, SINCE[change]) >= 0;
}

/** The release before another one; undefined for the oldest. */
export function releaseBefore(release: Release): Release | undefined {
  return RELEASES[RELEASES.indexOf(release) - 1];
}

/** The newest release. */
export const NEWEST_RELEASE: Release = RELEASES[RELEASES.length - 1] ?? DEFAULT_RELEASE;
