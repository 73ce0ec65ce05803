import { Option, type Command } from "commander";
import { pause, stackName } from "./arguments";
import { define } from "./options";
import type { Run } from "./action";

const commands = () => import("./actions/console.js");

/** What works on the environment's console, without a stack. */
export function defineConsoleCommands(program: Command, run: Run): void {
  define(program, "scan", "Scans all containers of the environment's console, and waits for it.", [
    "scan",
    "scan --timeout 10m --json",
  ])
    .addOption(
      new Option("--timeout <duration>", "how long the scan may take, as in 90s or 10m")
        .argParser(pause)
        .default(300_000, "5m"),
    )
    .addOption(
      new Option("--interval <duration>", "how long to wait before each look at the results")
        .argParser(pause)
        .default(10_000, "10s"),
    )
    .option("--json", "print one JSON document")
    .action(run(async () => (await commands()).scan));

  define(program, "adopt", "Writes a stack for what the environment's console has.", [
    "adopt",
    "adopt --output src/console.ts --ownership prefix",
  ])
    .option("--output <path>", "a folder, or a .ts file", "adopted")
    .option("--name <name>", "the name of the stack", stackName, "adopted")
    .addOption(
      new Option("--ownership <ownership>", "whose the compliance policies are to be")
        .choices(["exclusive", "prefix", "suffix"])
        .default("exclusive"),
    )
    .option("--force", "overwrite the file")
    .action(run(async () => (await commands()).adopt));

  const download = program
    .command("download")
    .description("Downloads a CSV file from the environment's console, as the console sends it.");
  const downloadOf = (what: string, description: string, example: string) =>
    define(download, what, description, [example]).option(
      "--output <file>",
      "write here, instead of to standard output",
    );
  downloadOf("serverless", "Downloads the serverless functions.", "download serverless --defended")
    .option("--defended", "only functions that are defended")
    .option("--no-defended", "only functions that are not")
    .action(run(async () => (await commands()).downloadServerless));
  downloadOf(
    "cloud-discovery",
    "Downloads what was found in cloud accounts.",
    "download cloud-discovery --output discovery.csv",
  ).action(run(async () => (await commands()).downloadCloudDiscovery));
  downloadOf(
    "compliance",
    "Downloads all compliance checks; release next has them.",
    "download compliance --output checks.csv",
  ).action(run(async () => (await commands()).downloadCompliance));
}
