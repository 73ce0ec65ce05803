import { Option } from "commander";
import { command } from "../command-line/command";

export const reportConvert = command({
  name: "convert",
  summary: "Convert a report between today's schema and the announced one",
  examples: [
    "report convert scan.json --out announced.json",
    "report convert scan.json --reference-date 2021-03-01",
  ],
  arguments: { "<file>": "JSON output file of the scanner; - for standard input" },
  options: [
    new Option("--to <schema>", "schema to write (default: the other one)").choices([
      "today",
      "announced",
    ]),
    new Option(
      "--reference-date <date>",
      "date that days are counted from (default: the date of the scan)",
    ),
    new Option("--out <file>", "file to write (default: standard output)"),
  ],
  action: async () => (await import("../actions/report-convert.js")).convertReport,
});
