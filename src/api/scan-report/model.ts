/**
 * The schemas of the command-line image scanner's JSON (section 9.3.5): the one of all releases up
 * to now, and the stabilized one that is announced.
 */
export const SCAN_REPORT_SCHEMAS = ["today", "announced"] as const;
/** `today` is what scanners write up to 20.12, `announced` from `next` on. */
export type ScanReportSchema = (typeof SCAN_REPORT_SCHEMAS)[number];

/** A report of the image scanner, whichever schema it was found in. */
export interface ScanReport {
  /** Undefined where nothing in it differs between the two, as in the report of a clean image. */
  readonly schema: ScanReportSchema | undefined;
  readonly results: readonly ScanResult[];
  /** As it was read, with every member. */
  readonly found: Members;
}

/** The scan of one image. */
export interface ScanResult {
  readonly vulnerabilities: readonly ScanVulnerability[];
  /** When the scan took place, which its days count back from; undefined where it does not say. */
  readonly referenceDate: Date | undefined;
  readonly found: Members;
}

/** A vulnerability. What the report does not say of it is undefined. */
export interface ScanVulnerability {
  /** As in `Has fix` or `Attack complexity: low`. */
  readonly riskFactors: readonly string[] | undefined;
  readonly published: ScanDay | undefined;
  readonly discovered: ScanDay | undefined;
  readonly found: Members;
}

/** A day: so many before the reference date (today's schema), or a date of its own. */
export type ScanDay = { readonly daysAgo: number } | { readonly date: Date };

/** An object of JSON. */
export type Members = Readonly<Record<string, unknown>>;

/** The members that changed their name with their meaning. */
export const DAY_MEMBERS = {
  published: { today: "publishedDays", announced: "publishedDate" },
  discovered: { today: "discoveredDays", announced: "discoveredDate" },
} as const;
