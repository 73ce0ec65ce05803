import { memberOf } from "../../core/member-of";
import { parseJson, toNumber } from "../../core/json/lossless-json";
import { jsonNumber } from "../../core/json/json-number";
import { parseDate, parseMoment } from "./date";
import {
  Evidence,
  membersOf,
  mismatch,
  type Path,
  DAY_MEMBERS,
  type Members,
  type ScanDay,
  type ScanReport,
  type ScanResult,
  type ScanVulnerability,
} from "./scan-report";
import { readRiskFactors } from "./risk-factors";

/**
 * Reads a report of the command-line image scanner in either schema (section 9.3.5). Members that
 * neither schema names may have any value.
 *
 * @param json The text, which keeps numbers as they are spelled, or the parsed value.
 * @throws SchemaMismatchError Names the place if the JSON is not a report or mixes the two schemas.
 */
export function readScanReport(json: unknown): ScanReport {
  const found = membersOf(typeof json === "string" ? parsed(json) : json);
  if (!found) throw mismatch([], "must be an object");
  const evidence = new Evidence();
  const results = readResults(found, evidence);
  return { schema: evidence.schema, results, found };
}

function parsed(text: string): unknown {
  try {
    return parseJson(text.replace(/^\uFEFF/, ""));
  } catch (cause) {
    if (cause instanceof SyntaxError) throw mismatch([], "must be JSON");
    throw cause;
  }
}

/** One result, or a list of results. */
function readResults(report: Members, evidence: Evidence): readonly ScanResult[] {
  const { results } = report;
  if (results === undefined) throw mismatch(["results"], "is missing");
  const ofReport = referenceDateOf(report);
  if (!Array.isArray(results)) return [readResult(results, ["results"], ofReport, evidence)];
  return results.map((result: unknown, index) =>
    readResult(result, ["results", index], ofReport, evidence),
  );
}

function readResult(
  value: unknown,
  path: Path,
  ofReport: Date | undefined,
  evidence: Evidence,
): ScanResult {
  const found = membersOf(value);
  if (!found) throw mismatch(path, "must be an object");
  const place = [...path, "vulnerabilities"];
  if (!Object.keys(found).some(isOfVulnerabilities)) throw mismatch(place, "is missing");
  const vulnerabilities: unknown = found.vulnerabilities ?? [];
  if (!Array.isArray(vulnerabilities)) throw mismatch(place, "must be a list");
  return {
    vulnerabilities: vulnerabilities.map((vulnerability: unknown, index) =>
      readVulnerability(vulnerability, [...place, index], evidence),
    ),
    referenceDate: referenceDateOf(found) ?? ofReport,
    found,
  };
}

/** The report of a clean image may lack the list and have other members only. */
function isOfVulnerabilities(name: string): boolean {
  return name.startsWith("vulnerabilit");
}

function readVulnerability(value: unknown, path: Path, evidence: Evidence): ScanVulnerability {
  const found = membersOf(value);
  if (!found) throw mismatch(path, "must be an object");
  return {
    riskFactors: readRiskFactors(found.riskFactors, [...path, "riskFactors"], evidence),
    published: readDay(found, "published", path, evidence),
    discovered: readDay(found, "discovered", path, evidence),
    found,
  };
}

function readDay(
  members: Members,
  which: keyof typeof DAY_MEMBERS,
  path: Path,
  evidence: Evidence,
): ScanDay | undefined {
  const { today, announced } = DAY_MEMBERS[which];
  let day: ScanDay | undefined;
  if (Object.hasOwn(members, today)) {
    const place = [...path, today];
    evidence.add("today", place);
    day = daysAgo(members[today], place);
  }
  if (Object.hasOwn(members, announced)) {
    const place = [...path, announced];
    evidence.add("announced", place);
    day = date(members[announced], place);
  }
  return day;
}

function daysAgo(value: unknown, path: Path): ScanDay | undefined {
  if (value === null) return undefined;
  const { data } = jsonNumber.safeParse(value);
  const days = data === undefined ? undefined : toNumber(data);
  if (!Number.isSafeInteger(days) || days === undefined)
    throw mismatch(path, "must be a whole number");
  return { daysAgo: days };
}

function date(value: unknown, path: Path): ScanDay | undefined {
  if (value === null) return undefined;
  const day = typeof value === "string" ? parseDate(value) : undefined;
  if (!day) throw mismatch(path, "must be a date of ISO 8601");
  return { date: day };
}

/** Members of a result or a report with the time of the scan; the first one found counts. */
const SCAN_TIMES = ["scanTime", "scanDate", "timestamp", "time"];

function referenceDateOf(members: Members): Date | undefined {
  return SCAN_TIMES.flatMap((name) => parseMoment(memberOf(members, name)) ?? [])[0];
}
