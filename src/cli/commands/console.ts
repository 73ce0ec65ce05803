import { Option } from "commander";
import { command, group, type CommandDefinition } from "../command-line/command";
import { positiveDuration, stackName } from "../command-line/option-values";
import { appOptions } from "../command-line/options";

const actions = () => import("../actions/console/index.js");

const outputOption = new Option("--output <file>", "file to write (default: standard output)");

export const consoleCommands: readonly CommandDefinition[] = [
  group("report", "Convert image scanner reports", [
    command({
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
      action: async () => (await import("../actions/report-convert.js")).convert,
    }),
  ]),
  command({
    name: "scan",
    summary: "Scan all containers of the console and wait for the results",
    examples: ["scan", "scan --timeout 10m --json"],
    options: [
      new Option("--timeout <duration>", "time limit of the scan, such as 90s or 10m")
        .argParser(positiveDuration)
        .default(300_000, "5m"),
      new Option("--interval <duration>", "time between two reads of the results")
        .argParser(positiveDuration)
        .default(10_000, "10s"),
      new Option("--json", "print one JSON document"),
    ],
    action: async () => (await actions()).scan,
  }),
  command({
    name: "adopt",
    summary: "Write a stack for the existing objects of the console",
    examples: ["adopt", "adopt --output src/console.ts --ownership prefix"],
    options: [
      new Option("--output <path>", "folder or .ts file to write").default("adopted"),
      new Option("--name <name>", "name of the stack").argParser(stackName).default("adopted"),
      new Option("--ownership <ownership>", "ownership of the compliance policies")
        .choices(["exclusive", "prefix", "suffix"])
        .default("exclusive"),
      new Option("--force", "overwrite an existing file"),
    ],
    action: async () => (await actions()).adopt,
  }),
  group("download", "Download CSV files from the console", [
    command({
      name: "serverless",
      summary: "Download the serverless functions",
      examples: ["download serverless --defended"],
      options: [
        outputOption,
        new Option("--defended", "only defended functions"),
        new Option("--no-defended", "only undefended functions"),
      ],
      action: async () => (await actions()).downloadServerless,
    }),
    command({
      name: "cloud-discovery",
      summary: "Download the results of cloud discovery",
      examples: ["download cloud-discovery --output discovery.csv"],
      options: [outputOption],
      action: async () => (await actions()).downloadCloudDiscovery,
    }),
    command({
      name: "compliance",
      summary: "Download all compliance checks (release next)",
      examples: ["download compliance --output checks.csv"],
      options: [outputOption],
      action: async () => (await actions()).downloadCompliance,
    }),
  ]),
  command({
    name: "upgrade",
    summary: "Report what breaks between two releases of the console",
    examples: [
      "upgrade --from 20.04 --to 20.12",
      "upgrade --from 20.04 --to 20.12 --scripts ci Jenkinsfile",
      "upgrade --from 20.12 --to next --console --json",
    ],
    arguments: { "[stacks...]": "names of the stacks to check (default: all)" },
    options: [
      new Option("--from <release>", "current release: 20.04, 20.09, 20.12 or next"),
      new Option("--to <release>", "release to upgrade to"),
      ...appOptions,
      new Option("--scripts <paths...>", "search these files and folders for API calls"),
      new Option("--console", "read the settings of the console"),
      new Option("--json", "print one JSON document"),
      new Option("--sarif [file]", "write SARIF 2.1.0 (default: to standard output)"),
    ],
    notes: `Without stacks, --scripts and --console, the command checks the stacks of
cdktf.json and the console at CONSOLE_URL. It exits with 2 if something breaks,
or if a script may break.`,
    action: async () => (await actions()).upgrade,
  }),
];
