/**
 * The releases of the console's API, oldest first. `next` is announced, not released. A release that
 * is added here has what the one before it has, until a row of a table begins with it.
 */
export const RELEASES = ["20.04", "20.09", "20.12", "next"] as const;
/** One of `RELEASES`. */
export type Release = (typeof RELEASES)[number];

/** Release that is assumed when none is configured; the API does not report it. */
export const DEFAULT_RELEASE: Release = "20.12";

/** The newest release. */
export const NEWEST_RELEASE: Release = RELEASES[RELEASES.length - 1] ?? DEFAULT_RELEASE;

/** Compares releases by age, for `sort`: negative if `a` is older than `b`. */
export function compareReleases(a: Release, b: Release): number {
  return RELEASES.indexOf(a) - RELEASES.indexOf(b);
}

/** The release before another one; undefined for the oldest. */
export function releaseBefore(release: Release): Release | undefined {
  return RELEASES[RELEASES.indexOf(release) - 1];
}

/** Names a release within a sentence: "release 20.12", "the next release". */
export function describeRelease(release: Release): string {
  return isAnnounced(release) ? "the next release" : `release ${release}`;
}

/** Reports whether the release is announced, and not released yet. */
export function isAnnounced(release: Release): boolean {
  return release === "next";
}

/** A change between releases, as a section of the specification describes it. */
export interface ReleaseSection {
  /** The first release with the change. */
  readonly since: Release;
  /** The name of the rule in reports; stable. */
  readonly name: string;
}

/**
 * The changes between releases, by section. Routes, deprecations and changed bodies refer to their
 * section, and begin with its release.
 */
export const SECTIONS = {
  "9.1.1": { since: "20.09", name: "defender-install-method" },
  "9.1.2": { since: "20.09", name: "inline-credentials" },
  "9.1.3": { since: "20.09", name: "auto-deploy-path" },
  "9.2": { since: "20.09", name: "deprecated" },
  "9.3.1": { since: "next", name: "compliance-statistics" },
  "9.3.3": { since: "next", name: "serverless-scan-scope" },
  "9.3.4": { since: "next", name: "custom-rules-path" },
  "9.3.5": { since: "next", name: "scanner-report" },
  "9.3.6": { since: "next", name: "defended" },
  "9.3.7": { since: "next", name: "layer-time" },
} as const satisfies Readonly<Record<string, ReleaseSection>>;
/** A section of the specification that describes a change between releases. */
export type SectionNumber = keyof typeof SECTIONS;

/** Changes of requests and answers, by the first release that has them. */
export const SINCE = {
  /** Settings refer to stored credentials by ID, and have no inline ones. */
  credentialsById: SECTIONS["9.1.2"].since,
  /** Network firewall policies have no rules. */
  noFirewallRules: SECTIONS["9.2"].since,
  /** Image scan reports have `binaries[].layerTime` (4.2). */
  layerTimes: "20.12",
  /** Compliance statistics are rates, a trend and a list of checks. */
  ratedStatistics: SECTIONS["9.3.1"].since,
  /** Serverless scan scopes have several credential IDs, and no region or pattern. */
  scopesPerAccount: SECTIONS["9.3.3"].since,
  /** The term for what defenders protect is `defended`. */
  defendedTerm: SECTIONS["9.3.6"].since,
  /** Image scan reports have `applications[].layerTime`. */
  applicationLayerTimes: SECTIONS["9.3.7"].since,
} as const satisfies Readonly<Record<string, Release>>;

/** Reports whether the release has a change of the table. */
export function hasChange(release: Release, change: keyof typeof SINCE): boolean {
  return compareReleases(release, SINCE[change]) >= 0;
}
