import { readFileSync } from "node:fs";
import { join } from "node:path";
import { SchemaMismatchError } from "../../../src/api/errors";
import { readScanReport } from "../../../src/api/scan-report/read";

const fixture = (name: string) => readFileSync(join(__dirname, "fixtures", name), "utf8");
const reportOf = (...vulnerabilities: unknown[]) => ({ results: [{ vulnerabilities }] });
const readFirst = (vulnerability: unknown) =>
  readScanReport(reportOf(vulnerability)).results[0]?.vulnerabilities[0];

test("reads pairs and days of today's schema", () => {
  const { schema, results } = readScanReport(fixture("today.json"));
  expect(schema).toBe("today");
  expect(results[0]?.referenceDate).toEqual(new Date("2021-03-01T09:30:00Z"));
  expect(results[0]?.vulnerabilities[0]).toMatchObject({
    riskFactors: ["Attack complexity: low", "Has fix"],
    published: { daysAgo: 90 },
    discovered: { daysAgo: 0 },
  });
});

test("reads strings and dates of the announced schema", () => {
  const { schema, results } = readScanReport(fixture("announced.json"));
  expect(schema).toBe("announced");
  expect(results[0]?.vulnerabilities[0]).toMatchObject({
    riskFactors: ["Attack complexity: low", "Has fix"],
    published: { date: new Date("2020-12-01") },
    discovered: { date: new Date("2021-03-01") },
  });
});

test("reads a parsed report like its text", () => {
  const text = fixture("announced.json");
  expect(readScanReport(JSON.parse(text)).results[0]?.vulnerabilities[0]?.riskFactors).toEqual(
    readScanReport(`\uFEFF${text}`).results[0]?.vulnerabilities[0]?.riskFactors,
  );
});

test.each([
  ["one-key objects", [{ "Has fix": {} }, { "Attack vector": "network" }]],
  [
    "pairs",
    [
      { key: "Has fix", value: "" },
      { key: "Attack vector", value: "network" },
    ],
  ],
  ["a map", { "Has fix": true, "Attack vector": "network" }],
  ["strings", ["Has fix", "Attack vector: network"]],
])("reads risk factors as %s", (_, riskFactors) => {
  expect(readFirst({ riskFactors })?.riskFactors).toEqual(["Has fix", "Attack vector: network"]);
});

test("reads one result and the scan time of the report", () => {
  const report = readScanReport({
    time: 1614556800,
    results: { vulnerabilities: [{ publishedDays: 1 }] },
  });
  expect(report.results).toHaveLength(1);
  expect(report.results[0]?.referenceDate).toEqual(new Date("2021-03-01"));
});

test.each([
  ["no results", { results: [] }],
  ["a null in place of the list", { results: [{ vulnerabilities: null }] }],
  ["no list", { results: [{ vulnerabilityDistribution: { total: 0 } }] }],
  ["a vulnerability without any of the members", reportOf({ id: "CVE-2021-1" })],
])("reads a report that is the same in both schemas: %s", (_, report) => {
  expect(readScanReport(report).schema).toBeUndefined();
});

describe("refuses other JSON with the place", () => {
  test.each<[string, unknown, (string | number)[]]>([
    ["text", "not JSON", []],
    ["nothing", "", []],
    ["a list", [], []],
    ["no results", {}, ["results"]],
    ["results of another kind", { results: "none" }, ["results"]],
    ["another tool's results", { results: [{ rule: 1 }] }, ["results", 0, "vulnerabilities"]],
    ["a map of them", { results: { vulnerabilities: {} } }, ["results", "vulnerabilities"]],
    ["no vulnerability", reportOf(1), []],
    ["a number of risk factors", reportOf({ riskFactors: 3 }), ["riskFactors"]],
    ["a risk factor of two keys", reportOf({ riskFactors: [{ a: 1, b: 2 }] }), ["riskFactors", 0]],
    ["a risk factor with a list", reportOf({ riskFactors: [{ a: [1] }] }), ["riskFactors", 0, "a"]],
    ["days as text", reportOf({ publishedDays: "3" }), ["publishedDays"]],
    ["half a day", reportOf({ discoveredDays: 0.5 }), ["discoveredDays"]],
    ["no date", reportOf({ publishedDate: "yesterday" }), ["publishedDate"]],
    ["a day that is not", reportOf({ publishedDate: "2021-02-30" }), ["publishedDate"]],
    ["a date as a number", reportOf({ discoveredDate: 1614556800 }), ["discoveredDate"]],
  ])("%s", (_, json, place) => {
    const error = failure(() => readScanReport(json));
    expect(error.path.slice(error.path.length - place.length)).toEqual(place);
    expect(error.message).toMatch(
      /^This is not a report of the image scanner in .*: \$.* (must|is) /,
    );
  });
});

test.each<[string, unknown[], string]>([
  [
    "in two vulnerabilities",
    [{ publishedDays: 1 }, { publishedDate: "2021-03-01" }],
    "The report mixes two schemas: $.results[0].vulnerabilities[0].publishedDays is of today's schema, $.results[0].vulnerabilities[1].publishedDate of the announced one.",
  ],
  [
    "in one",
    [{ discoveredDays: 1, discoveredDate: "2021-03-01" }],
    "The report mixes two schemas: $.results[0].vulnerabilities[0].discoveredDays is of today's schema, $.results[0].vulnerabilities[0].discoveredDate of the announced one.",
  ],
  [
    "in one list",
    [{ riskFactors: ["Has fix", { DoS: {} }] }],
    "The report mixes two schemas: $.results[0].vulnerabilities[0].riskFactors[0] is of the announced one, $.results[0].vulnerabilities[0].riskFactors[1] of today's schema.",
  ],
])("refuses a mixed report: %s", (_, vulnerabilities, message) => {
  expect(failure(() => readScanReport(reportOf(...vulnerabilities))).message).toBe(message);
});

function failure(run: () => unknown): SchemaMismatchError {
  try {
    run();
  } catch (error) {
    if (error instanceof SchemaMismatchError) return error;
    throw error;
  }
  throw new Error("nothing was refused");
}
