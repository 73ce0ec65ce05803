import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "./stack-files";
import { TestTerminal } from "./test-terminal";

const TODAY =
  '{"results":[{"vulnerabilities":[{"cvss":5.50,"publishedDays":90,"riskFactors":[{"Has fix":{}}]}],"scanTime":"2021-03-01T09:30:00Z"}]}';
const ANNOUNCED =
  '{"results":[{"vulnerabilities":[{"cvss":5.50,"publishedDate":"2020-12-01","riskFactors":["Has fix"]}],"scanTime":"2021-03-01T09:30:00Z"}]}';

/** Runs in a folder with `scan.json`, which is also standard input. */
async function convert(scan: string, ...argv: string[]) {
  const directory = temporaryFolder();
  writeFileSync(join(directory, "scan.json"), scan);
  const terminal = new TestTerminal({ directory, input: scan });
  const code = await terminal.run("report", "convert", ...argv);
  const err = terminal.err.replace(/(?<=\S)\n(?=\S)/g, " ");
  return { directory, code, out: terminal.out, err };
}

test.each([
  ["converts today's schema to the announced one", TODAY, [], ANNOUNCED],
  ["converts the announced schema to today's", ANNOUNCED, [], TODAY],
  ["keeps a report that has the schema of --to", TODAY, ["--to", "today"], TODAY],
  [
    "counts days from --reference-date",
    TODAY,
    ["--to", "announced", "--reference-date", "2021-04-01"],
    ANNOUNCED.replace("2020-12-01", "2021-01-01"),
  ],
])("%s", async (_, scan, argv, expected) => {
  expect(await convert(scan, "scan.json", ...argv)).toMatchObject({
    code: 0,
    out: `${expected}\n`,
    err: "",
  });
});

test("reads standard input for -, and names it in errors", async () => {
  expect(await convert(TODAY, "-")).toMatchObject({ code: 0, out: `${ANNOUNCED}\n`, err: "" });
  expect((await convert("{}", "-")).err).toContain("\n\nstandard input: This is not a report");
});

test("keeps the indentation, and restores the same file on the way back", async () => {
  const scan = `${JSON.stringify(JSON.parse(TODAY), undefined, 3)}\n`;
  const there = (await convert(scan, "scan.json")).out;
  expect(there).toContain(`\n${" ".repeat(15)}"publishedDate": "2020-12-01"`);
  expect((await convert(there, "scan.json")).out).toBe(scan);
});

test("--out writes a file, even the report itself, and prints nothing", async () => {
  const { directory, ...ended } = await convert(TODAY, "scan.json", "--out", "scan.json");
  expect(ended).toEqual({ code: 0, out: "", err: "" });
  expect(readFileSync(join(directory, "scan.json"), "utf8")).toBe(`${ANNOUNCED}\n`);
});

describe("errors go to standard error, with exit code 1", () => {
  const undated = TODAY.replace("scanTime", "created");
  const mixed = TODAY.replace('{"Has fix":{}}', '"Has fix"');

  test.each([
    [
      "a missing file",
      TODAY,
      ["missing.json"],
      "Error: The report cannot be read\n\nmissing.json: no such file or directory. Correct the name;",
    ],
    [
      "a file that is not a report",
      "{}",
      ["scan.json"],
      "Error: Not an image scanner report\n\nscan.json: This is not a report of the image scanner in today's or the announced schema: $.results is missing.",
    ],
    [
      "a report in both schemas",
      mixed,
      ["scan.json"],
      "The report mixes two schemas: $.results[0].vulnerabilities[0].riskFactors[0] is of the announced one",
    ],
    [
      "no reference date",
      undated,
      ["scan.json"],
      "$.results[0].vulnerabilities[0].publishedDays counts from. Set the date of the scan with --reference-date",
    ],
    [
      "an invalid reference date",
      TODAY,
      ["scan.json", "--reference-date", "soon"],
      'Error: Invalid reference date\n\n--reference-date must be an ISO 8601 date such as 2021-03-01, not "soon".',
    ],
    [
      "an unknown schema",
      TODAY,
      ["scan.json", "--to", "xml"],
      "Allowed choices are today, announced",
    ],
    [
      "a missing folder",
      TODAY,
      ["scan.json", "--out", "no/such.json"],
      "Error: The report cannot be written\n\nno/such.json: no such file or directory.",
    ],
  ])("%s", async (_, scan, argv, message) => {
    const { directory, code, out, err } = await convert(scan, ...argv);
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toContain(message);
    expect(readdirSync(directory)).toEqual(["scan.json"]);
  });
});
