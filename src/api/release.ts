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
  readonly title: string;
  readonly description: string;
}

/**
 * The changes between releases, by section. Routes, deprecations and changed bodies refer to their
 * section, and begin with its release.
 */
export const SECTIONS = {
  "9.1.1": {
    since: "20.09",
    name: "defender-install-method",
    title: "Downloads of defender installation files take POST",
    description:
      "The four endpoints that return defender installation files take GET up to release 20.04, and POST in 20.09 and later.",
  },
  "9.1.2": {
    since: "20.09",
    name: "inline-credentials",
    title: "Settings refer to credentials by ID only",
    description:
      "In release 20.09 and later, registry and serverless scan settings refer to stored credentials by ID. The console refuses inline credentials in requests, and returns them empty in answers.",
  },
  "9.1.3": {
    since: "20.09",
    name: "auto-deploy-path",
    title: "Serverless auto-protect is renamed to auto-deploy",
    description:
      "Release 20.09 renames the endpoints of serverless auto-protect: its settings and its status have new paths.",
  },
  "9.2": {
    since: "20.09",
    name: "deprecated",
    title: "Deprecated in release 20.09",
    description:
      "Release 20.09 deprecates endpoints of network firewall policies, host models, high availability, radar and others. They still answer; the upgrade deletes the rules of network firewall policies.",
  },
  "9.3.1": {
    since: "next",
    name: "compliance-statistics",
    title: "Compliance statistics return new data",
    description:
      "In the release after 20.12, stats/compliance returns rates, a trend and a list of all checks. The previous data is removed.",
  },
  "9.3.3": {
    since: "next",
    name: "serverless-scan-scope",
    title: "Serverless scan scopes are set per account; PUT replaces them",
    description:
      "In the release after 20.12, a serverless scan scope has no region and no pattern, and takes several credential IDs. PUT replaces all scopes; POST, which replaced them before, adds one.",
  },
  "9.3.4": {
    since: "next",
    name: "custom-rules-path",
    title: "Custom rules have a new path",
    description:
      "In the release after 20.12, the path policies/runtime/custom-rules becomes custom-rules.",
  },
  "9.3.5": {
    since: "next",
    name: "scanner-report",
    title: "Image scanner reports have a new schema",
    description:
      "In the JSON output of the image scanner of the release after 20.12, riskFactors is an array of strings, and publishedDate and discoveredDate replace publishedDays and discoveredDays.",
  },
  "9.3.6": {
    since: "next",
    name: "defended",
    title: "Protected becomes defended",
    description:
      "The release after 20.12 renames protected to defended in query parameters, members of answers and CSV columns of the serverless, cloud discovery and auto-deploy endpoints.",
  },
  "9.3.7": {
    since: "next",
    name: "layer-time",
    title: "The layer time of binaries is deprecated",
    description:
      "The release after 20.12 deprecates binaries[].layerTime in image scan reports; applications[].layerTime is the equivalent.",
  },
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
