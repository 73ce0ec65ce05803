import { ConfigurationError } from "../errors";
import { formatPath } from "../check";
import { daysBefore, daysBetween, formatDate } from "./date";
import { mismatch, type Path } from "./mismatch";
import {
  DAY_MEMBERS,
  type Members,
  type ScanDay,
  type ScanReport,
  type ScanReportSchema,
  type ScanResult,
  type ScanVulnerability,
} from "./model";
import { pairsOf } from "./risk-factors";

/** What a report does not say itself. */
export interface WriteScanReportOptions {
  /**
   * The day that days count back from, in UTC; instead of when the scan took place (`scanTime`,
   * `scanDate`, `timestamp` or `time` of the result, or else of the report).
   */
  readonly referenceDate?: Date | undefined;
}

/**
 * The report in a schema, as a value for `stringifyJson`. In the schema that it was found in it is
 * what was found. In the other one risk factors, publication and discovery change, in their places;
 * every other member stays. Dates are written as `2020-12-01`; the time of day of those that had
 * one is lost in days.
 *
 * Throws a ConfigurationError where days and dates are to be converted and there is no reference
 * date, and a SchemaMismatchError for days that lead out of the years 0 to 9999.
 */
export function writeScanReport(
  report: ScanReport,
  schema: ScanReportSchema,
  options: WriteScanReportOptions = {},
): unknown {
  const { found, results } = report;
  if (report.schema === undefined || report.schema === schema) return found;
  const written = results.map((result, index) => {
    const path = Array.isArray(found.results) ? ["results", index] : ["results"];
    return writeResult(result, schema, path, options.referenceDate ?? result.referenceDate);
  });
  return replaced(found, { results: Array.isArray(found.results) ? written : written[0] });
}

function writeResult(
  { found, vulnerabilities }: ScanResult,
  schema: ScanReportSchema,
  path: Path,
  referenceDate: Date | undefined,
): Members {
  if (!Array.isArray(found.vulnerabilities)) return found;
  const written = vulnerabilities.map((vulnerability, index) => {
    const place = [...path, "vulnerabilities", index];
    return writeVulnerability(vulnerability, schema, place, referenceDate);
  });
  return replaced(found, { vulnerabilities: written });
}

function writeVulnerability(
  vulnerability: ScanVulnerability,
  schema: ScanReportSchema,
  path: Path,
  referenceDate: Date | undefined,
): Members {
  const { riskFactors, found } = vulnerability;
  const factors = riskFactors && (schema === "today" ? pairsOf(riskFactors) : riskFactors);
  const members = Object.entries(factors ? replaced(found, { riskFactors: factors }) : found);
  return Object.fromEntries(
    members.map(([name, value]) => {
      const which = dayMember(name);
      if (!which) return [name, value];
      const day = vulnerability[which];
      const written = day && writeDay(day, [...path, name], referenceDate);
      return [DAY_MEMBERS[which][schema], written ?? null];
    }),
  );
}

function dayMember(name: string): keyof typeof DAY_MEMBERS | undefined {
  const { published, discovered } = DAY_MEMBERS;
  if (name === published.today || name === published.announced) return "published";
  if (name === discovered.today || name === discovered.announced) return "discovered";
  return undefined;
}

/** Days as a date, a date as days. */
function writeDay(day: ScanDay, path: Path, referenceDate: Date | undefined): string | number {
  if (!referenceDate) {
    throw new ConfigurationError(
      "referenceDate",
      `The report does not say when the scan took place, which ${formatPath(path)} counts from.`,
    );
  }
  if ("date" in day) return daysBetween(day.date, referenceDate);
  const date = formatDate(daysBefore(referenceDate, day.daysAgo));
  if (date === undefined) throw mismatch(path, "leads out of the years 0 to 9999");
  return date;
}

/** The members with others' values, in their places. */
function replaced(members: Members, values: Members): Members {
  return Object.fromEntries(
    Object.entries(members).map(([name, value]) => [
      name,
      Object.hasOwn(values, name) ? values[name] : value,
    ]),
  );
}
