import { mapMembers, memberOf } from "../../core/member-of";
import { ConfigurationError } from "../errors";
import { formatJsonPath } from "../check";
import { daysBefore, daysBetween, formatDate } from "./date";
import {
  mismatch,
  type Path,
  DAY_MEMBERS,
  type Members,
  type ScanDay,
  type ScanReport,
  type ScanReportSchema,
  type ScanResult,
  type ScanVulnerability,
} from "./scan-report";
import { pairsOf } from "./risk-factors";

/** Information that a report may lack. */
export interface WriteScanReportOptions {
  /**
   * The day that days count back from, in UTC. Default: the time of the scan (`scanTime`,
   * `scanDate`, `timestamp` or `time` of the result, or else of the report).
   */
  readonly referenceDate?: Date | undefined;
}

/**
 * Converts a report to a schema, as a value for `stringifyJson`. Members keep their places; only
 * risk factors, publication and discovery change. Dates are written as `2020-12-01`; a conversion
 * to days loses the time of day. A report in its own schema is returned as found.
 *
 * @throws ConfigurationError If days and dates have to be converted and there is no reference date.
 * @throws SchemaMismatchError For days outside the years 0 to 9999.
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

/** Converts days to a date and a date to days. */
function writeDay(day: ScanDay, path: Path, referenceDate: Date | undefined): string | number {
  if (!referenceDate) {
    throw new ConfigurationError(
      "referenceDate",
      `The report does not contain the time of the scan, which ${formatJsonPath(path)} counts from.`,
    );
  }
  if ("date" in day) return daysBetween(day.date, referenceDate);
  const date = formatDate(daysBefore(referenceDate, day.daysAgo));
  if (date === undefined) throw mismatch(path, "is outside the years 0 to 9999");
  return date;
}

/** Returns the members with new values, in their places. */
function replaced(members: Members, values: Members): Members {
  return mapMembers(members, (value, name) =>
    Object.hasOwn(values, name) ? memberOf(values, name) : value,
  );
}
