import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { ConfigurationError, SchemaMismatchError } from "../../../src/api/errors";
import { parseJson, stringifyJson } from "../../../src/core/json/lossless-json";
import type { ScanReportSchema } from "../../../src/api/scan-report/scan-report";
import { readScanReport } from "../../../src/api/scan-report/read";
import { writeScanReport } from "../../../src/api/scan-report/write";

const fixture = (name: string) => readFileSync(join(__dirname, "fixtures", name), "utf8");
const compact = (text: string) => stringifyJson(parseJson(text));
const convert = (json: unknown, to: ScanReportSchema, referenceDate?: Date) =>
  stringifyJson(writeScanReport(readScanReport(json), to, { referenceDate }));

test.each([
  ["today.json", "announced", "announced.json"],
  ["announced.json", "today", "today.json"],
  ["today.json", "today", "today.json"],
  ["announced.json", "announced", "announced.json"],
] as const)("converts %s to %s as in %s and keeps all other members", (from, to, expected) => {
  expect(convert(fixture(from), to)).toBe(compact(fixture(expected)));
});

test("keeps a single result", () => {
  const results = { vulnerabilities: [{ riskFactors: { "Has fix": {} } }] };
  expect(convert({ results }, "announced")).toBe(
    '{"results":{"vulnerabilities":[{"riskFactors":["Has fix"]}]}}',
  );
});

test("counts days of the UTC calendar, regardless of the time of day", () => {
  const at = (scanTime: string, publishedDate: string) =>
    convert({ results: { scanTime, vulnerabilities: [{ publishedDate }] } }, "today");
  expect(at("2021-03-02T00:01:00Z", "2021-03-01T23:59:00Z")).toContain('"publishedDays":1');
  expect(at("2021-03-01T23:59:00Z", "2021-03-01T00:01:00Z")).toContain('"publishedDays":0');
  expect(at("2021-03-02T00:30:00+0100", "2021-02-28")).toContain('"publishedDays":1');
  expect(at("2021-03-01", "2021-03-02")).toContain('"publishedDays":-1');
});

describe("the reference date", () => {
  const vulnerabilities = [{ publishedDays: 1 }];

  test("is the result's own, or else the report's", () => {
    const report = {
      scanTime: "2021-06-01",
      results: [{ vulnerabilities, scanTime: "2021-03-01" }, { vulnerabilities }],
    };
    const written = convert(report, "announced");
    expect(written).toMatch(/"2021-02-28".*"2021-05-31"/);
  });

  test("is the given one if there is one", () => {
    const results = { scanTime: "2021-06-01", vulnerabilities };
    expect(convert({ results }, "announced", new Date("2020-03-01"))).toContain('"2020-02-29"');
  });

  test("is required to convert days; the error names the place", () => {
    const report = { results: [{ scanTime: "soon", vulnerabilities }] };
    const run = () => convert(report, "announced");
    expect(run).toThrow(ConfigurationError);
    expect(run).toThrow("which $.results[0].vulnerabilities[0].publishedDays counts from");
  });

  test("is not required without days", () => {
    expect(convert({ results: { vulnerabilities: [{ riskFactors: ["DoS"] }] } }, "today")).toBe(
      '{"results":{"vulnerabilities":[{"riskFactors":[{"DoS":{}}]}]}}',
    );
  });

  test.each([1e6, -1e7, 1e12])("refuses %d days, outside the calendar", (publishedDays) => {
    const report = { results: { scanTime: "2021-03-01", vulnerabilities: [{ publishedDays }] } };
    expect(() => convert(report, "announced")).toThrow(SchemaMismatchError);
  });
});

describe("converting there and back keeps the report", () => {
  const name = fc.string({ minLength: 1 });
  const own = new Set(["riskFactors", "publishedDays", "discoveredDays"]);
  const unknown = fc
    .dictionary(name, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3, noNullPrototype: true })
    .filter((members) => !Object.keys(members).some((key) => own.has(key) || key.endsWith("Date")));
  const nullable = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { freq: 5 });
  const day = fc
    .date({ min: new Date("1970-01-01"), max: new Date("2100-01-01"), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10));
  const reference = fc.date({
    min: new Date("2000-01-01"),
    max: new Date("2100-01-01"),
    noInvalidDate: true,
  });

  function reports(members: fc.Arbitrary<object>): fc.Arbitrary<object> {
    const vulnerability = fc.tuple(unknown, members).map(([a, b]) => ({ ...a, ...b }));
    const result = fc.record({ vulnerabilities: fc.array(vulnerability, { maxLength: 4 }) });
    return fc.record({
      results: fc.oneof(result, fc.array(result, { maxLength: 3 })),
      consoleURL: fc.webUrl(),
    });
  }

  const today = reports(
    fc.record(
      {
        riskFactors: nullable(fc.array(name.map((key) => Object.fromEntries([[key, {}]])))),
        publishedDays: nullable(fc.integer({ min: -1000, max: 700_000 })),
        discoveredDays: nullable(fc.nat(10_000)),
      },
      { requiredKeys: [] },
    ),
  );
  const announced = reports(
    fc.record(
      {
        riskFactors: nullable(fc.array(fc.string())),
        publishedDate: nullable(day),
        discoveredDate: nullable(day),
      },
      { requiredKeys: [] },
    ),
  );

  test.each([
    ["today", "announced", today],
    ["announced", "today", announced],
  ] as const)("from %s to %s", (from, to, arbitrary) => {
    fc.assert(
      fc.property(arbitrary, reference, (report, referenceDate) => {
        const text = JSON.stringify(report);
        const there = convert(text, to, referenceDate);
        expect([to, undefined]).toContain(readScanReport(there).schema);
        expect(convert(there, from, referenceDate)).toBe(text);
      }),
    );
  });
});
