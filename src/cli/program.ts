import { Command, Option } from "commander";
import { version } from "../../package.json";
import { collect, platforms, wholeNumber } from "./arguments";
import { defineConsoleCommands } from "./console-commands";
import { appOptions, define } from "./options";
import { runBy, type Finish, type Run } from "./action";
import { defineStackCommands } from "./stack-commands";
import { defineStateCommands } from "./state-commands";
import type { Terminal } from "./terminal";

/**
 * All commands with their options. What a command does is loaded when it runs, so that `--version`
 * and `--help` cost nothing but this.
 */
export function createProgram(terminal: Terminal, finish: Finish): Command {
  const program = new Command("cdktf-console")
    .description("Plans and applies stacks for workload-security consoles.")
    .version(version)
    .showSuggestionAfterError()
    .helpCommand("help [command]", "Explains a command.");
  const run = runBy(terminal, finish);
  defineStackCommands(program, run);
  defineStateCommands(program, run);
  defineReportCommands(program, run);
  defineConsoleCommands(program, run);
  defineUpgrade(program, run);
  defineProviderCommands(program, run);
  defineSimulate(program, run);
  return program;
}

function defineReportCommands(program: Command, run: Run): void {
  const report = program.command("report").description("Works on image scanner reports.");
  define(report, "convert", "Writes a report in today's schema or in the announced one.", [
    "report convert scan.json --out announced.json",
    "report convert scan.json --reference-date 2021-03-01",
  ])
    .argument("<file>", "the scanner's JSON output file; - for standard input")
    .addOption(
      new Option("--to <schema>", "the schema to write (default: the other one)").choices([
        "today",
        "announced",
      ]),
    )
    .option("--reference-date <date>", "the day that days count from; the scan's without it")
    .option("--out <file>", "write here, instead of to standard output")
    .action(run(async () => (await import("./actions/report.js")).convert));
}

function defineUpgrade(program: Command, run: Run): void {
  const upgrade = define(
    program,
    "upgrade",
    "Tells what breaks between two releases of the console.",
    [
      "upgrade --from 20.04 --to 20.12",
      "upgrade --from 20.04 --to 20.12 --scripts ci Jenkinsfile",
      "upgrade --from 20.12 --to next --console --json",
    ],
  )
    .argument("[stacks...]", "the stacks to check; all without any")
    .option("--from <release>", "what the console runs: 20.04, 20.09, 20.12 or next")
    .option("--to <release>", "what it is to run");
  appOptions(upgrade)
    .option("--scripts <paths...>", "look for calls in these files and folders")
    .option("--console", "read the settings of the environment's console")
    .addOption(new Option("--json", "print one JSON document"))
    .option("--sarif [file]", "write SARIF 2.1.0, to standard output without a file")
    .addHelpText(
      "after",
      "\nWithout stacks, --scripts and --console: the stacks of cdktf.json,\nand the console of CONSOLE_URL.\nExits with 2 where something breaks.",
    )
    .action(run(async () => (await import("./actions/upgrade.js")).upgrade));
}

function defineProviderCommands(program: Command, run: Run): void {
  const commands = () => import("./actions/provider.js");
  const provider = program
    .command("provider")
    .description("Lets Terraform run the stacks, with the provider of this program.");
  define(provider, "install", "Puts the provider where Terraform finds it.", [
    "provider install",
    "provider install --dir cdktf.out/stacks/production",
    "provider install --mirror mirror --platform linux_amd64",
  ])
    .addOption(
      new Option(
        "--dir <dir>",
        "beside the stack of this folder (default: in ~/.terraform.d/plugins)",
      ).conflicts("mirror"),
    )
    .option("--mirror <dir>", "packed, for a filesystem mirror of Terraform")
    .option("--platform <os_arch>", "for these systems (repeatable; default: this one)", platforms)
    .option("--with-null", "add a stand-in for hashicorp/null, for tests without a registry")
    .action(run(async () => (await commands()).providerInstall));
  define(provider, "schema", "Prints the provider's schema.", ["provider schema --json"])
    .requiredOption("--json", "as `terraform providers schema -json` prints it")
    .action(run(async () => (await commands()).providerSchema));
  define(provider, "serve", "Serves one provider to any number of Terraform runs.", [
    "provider serve --reattach --port 4000",
  ])
    .requiredOption("--reattach", "print the value for TF_REATTACH_PROVIDERS, then serve")
    .option("--port <port>", "where to listen; 0 for any free port", wholeNumber(0), 0)
    .action(run(async () => (await commands()).providerServe));
}

function defineSimulate(program: Command, run: Run): void {
  define(program, "simulate", "Serves an embedded console to try stacks on.", [
    "simulate --port 0 --signed-up admin:secret --licensed",
  ])
    .option("--release <release>", "the console's release (default: 20.12)")
    .option("--port <port>", "where to listen; 0 for any free port", wholeNumber(0), 8083)
    .option("--tenants <count>", "how many consoles to serve", wholeNumber(1))
    .option("--signed-up <user:pass>", "sign this user up")
    .option("--licensed", "install a license")
    .option("--fault <spec>", "inject a fault, as in *:delay=200 (repeatable)", collect)
    .option("--data <dir>", "keep the state here over restarts")
    .option("--client-ca <file>", "ask for client certificates of this authority")
    .option("--tls-cert <file>", "one PEM file with certificate and key")
    .action(run(async () => (await import("./actions/simulate.js")).simulate));
}
