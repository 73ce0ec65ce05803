import { z } from "zod";
import { formatJsonPath } from "../check";
import { SchemaMismatchError } from "../errors";

/**
 * Schemas of the JSON output of the command-line image scanner (section 9.3.5): the one of all
 * current releases and the announced, stabilized one.
 */
export const SCAN_REPORT_SCHEMAS = ["today", "announced"] as const;
/** `today`: as scanners write it up to 20.12. `announced`: from `next` on. */
export type ScanReportSchema = (typeof SCAN_REPORT_SCHEMAS)[number];

/** A report of the image scanner in either schema. */
export interface ScanReport {
  /** Undefined if nothing in the report differs between the schemas, as for a clean image. */
  readonly schema: ScanReportSchema | undefined;
  readonly results: readonly ScanResult[];
  /** The report as read, with every member. */
  readonly found: Members;
}

/** The scan of one image. */
export interface ScanResult {
  readonly vulnerabilities: readonly ScanVulnerability[];
  /** Time of the scan, which days count back from; undefined if the report does not contain it. */
  readonly referenceDate: Date | undefined;
  readonly found: Members;
}

/** A vulnerability. Members that the report lacks are undefined. */
export interface ScanVulnerability {
  /** For example `Has fix` or `Attack complexity: low`. */
  readonly riskFactors: readonly string[] | undefined;
  readonly published: ScanDay | undefined;
  readonly discovered: ScanDay | undefined;
  readonly found: Members;
}

/** A day: a number of days before the reference date (today's schema) or a date. */
export type ScanDay = { readonly daysAgo: number } | { readonly date: Date };

/** An object of JSON. */
export type Members = Readonly<Record<string, unknown>>;

/** Members whose name and meaning changed. */
export const DAY_MEMBERS = {
  published: { today: "publishedDays", announced: "publishedDate" },
  discovered: { today: "discoveredDays", announced: "discoveredDate" },
} as const;

export type Path = readonly (string | number)[];

/** Creates the error for a place that matches neither schema. */
export function mismatch(path: Path, problem: string): SchemaMismatchError {
  return new SchemaMismatchError(
    `This is not a report of the image scanner in today's or the announced schema: ${formatJsonPath(path)} ${problem}. Give the JSON file that the scanner wrote.`,
    path,
  );
}

const recordSchema = z.record(z.string(), z.unknown());
/** Returns the value itself, because zod's copy of a record lacks a member named `__proto__`. */
const membersSchema = z.custom<Members>((value) => recordSchema.safeParse(value).success);

/** Returns undefined if the value is not an object, or is a list. */
export function membersOf(value: unknown): Members | undefined {
  return membersSchema.safeParse(value).data;
}

/** Collects which schema the places of a report belong to. All must belong to the same one. */
export class Evidence {
  #first: { readonly schema: ScanReportSchema; readonly path: Path } | undefined;

  get schema(): ScanReportSchema | undefined {
    return this.#first?.schema;
  }

  /** Throws a SchemaMismatchError at the first place that contradicts the previous ones. */
  add(schema: ScanReportSchema, path: Path): void {
    this.#first ??= { schema, path };
    if (this.#first.schema === schema) return;
    throw new SchemaMismatchError(
      `The report mixes two schemas: ${formatJsonPath(this.#first.path)} is of ${named(this.#first.schema)}, ${formatJsonPath(path)} of ${named(schema)}.`,
      path,
    );
  }
}

function named(schema: ScanReportSchema): string {
  return schema === "today" ? "today's schema" : "the announced one";
}
