import { Command, Option } from "commander";
import { version } from "../../package.json";
import { collect, pause, platforms, wholeNumber } from "./arguments";
import type { ExitCode } from "./exit-code";
import {
  appOption,
  appOptions,
  approveOption,
  changeOptions,
  define,
  dryRunOption,
  lockOption,
  missingOption,
  runOptions,
  stackOptions,
  variableOptions,
} from "./options";
import type { Terminal } from "./terminal";

/** Takes the exit code of the command that ran. */
export type Finish = (code: ExitCode) => void;

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
  const run =
    <A extends unknown[]>(
      load: () => Promise<(terminal: Terminal, ...rest: A) => Promise<ExitCode>>,
    ) =>
    async (...rest: A): Promise<void> => {
      const command = await load();
      finish(await command(terminal, ...rest));
    };

  define(program, "synth", "Runs the app and writes its stacks.", ["synth --app 'node app.js'"])
    .addOption(appOption())
    .action(run(async () => (await stackCommands()).synth));

  changeOptions(
    runOptions(
      define(program, "plan", "Shows what apply would do. Changes nothing.", [
        "plan",
        "plan production --detailed-exitcode",
        "plan production --out production.plan",
      ]).argument("[stacks...]", "the stacks to plan; all without any"),
    ),
  )
    .addOption(
      new Option("--destroy", "show what destroy would do").conflicts(["refreshOnly", "replace"]),
    )
    .option("--detailed-exitcode", "exit with 2 where there are changes")
    .option("--out <file>", "save the plan of one stack, for apply to do exactly that")
    .option("--html <file>", "write the plan as a page for reviewers, in one file")
    .option("--markdown <file>", "write the plan as a comment for a pull request")
    .action(run(async () => (await stackCommands()).plan));

  changeOptions(
    runOptions(
      define(program, "apply", "Makes the consoles what the stacks say.", [
        "apply",
        "apply production --auto-approve",
        "apply production.plan",
      ]).argument("[stacks...]", "the stacks to apply, all without any; or a saved plan"),
    ),
  )
    .addOption(approveOption())
    .action(run(async () => (await stackCommands()).apply));

  runOptions(
    define(program, "destroy", "Destroys what the stacks manage.", ["destroy production"]).argument(
      "[stacks...]",
      "the stacks to destroy; all without any",
    ),
  )
    .addOption(approveOption())
    .action(run(async () => (await stackCommands()).destroy));

  lockOption(
    variableOptions(
      appOptions(
        define(program, "import", "Takes what a console has into the state. Changes no console.", [
          "import production console_compliance_policy_set.policies",
          "import production policies container:prefix:3",
        ])
          .argument("<stack>", "the stack that has the construct for it")
          .argument("<address>", "the address of the resource, or its construct's path")
          .argument("[id]", "what of the console; all that the resource can manage without one"),
      ),
    ),
  ).action(run(async () => (await stackCommands()).importObject));

  stackOptions(
    define(program, "show", "Shows the state, or a saved plan.", ["show", "show production.plan"]),
  )
    .argument("[file]", "a saved plan or a state file, instead of the states of the stacks")
    .option("--json", "print it in Terraform's JSON format")
    .action(run(async () => (await stackCommands()).show));

  stackOptions(define(program, "output", "Shows outputs of the state.", ["output console_url"]))
    .argument("[name]", "the output; all without one")
    .option("--raw", "print a string as it is, without quotes")
    .action(run(async () => (await stackCommands()).output));

  variableOptions(
    appOptions(
      define(program, "validate", "Checks the stacks. Reads from no console.", [
        "validate",
      ]).argument("[stacks...]", "the stacks to check; all without any"),
    ),
  ).action(run(async () => (await stackCommands()).validate));

  const state = program.command("state").description("Looks into the state, and has it forget.");
  stackOptions(define(state, "list", "Lists the objects of the state.", ["state list"]))
    .argument("[addresses...]", "only these resources")
    .action(run(async () => (await stackCommands()).state.list));
  stackOptions(
    define(state, "show", "Shows one object of the state.", [
      "state show console_license.license",
    ]).argument("<address>", "the address of the object"),
  ).action(run(async () => (await stackCommands()).state.show));

  stackOptions(
    define(state, "rm", "Forgets objects. They stay on their console.", [
      "state rm console_license.license",
    ]).argument("<addresses...>", "the addresses of the objects"),
  )
    .addOption(dryRunOption())
    .action(run(async () => (await stackCommands()).stateRemove));
  stackOptions(
    define(state, "mv", "Gives an object of the state another address.", [
      "state mv console_license.old console_license.new",
      "state mv null_resource.gate 'null_resource.gates[0]'",
    ])
      .argument("<source>", "the address of the object, or of a resource with all its objects")
      .argument("<destination>", "the address that it gets"),
  )
    .addOption(dryRunOption())
    .action(run(async () => (await stackCommands()).stateMove));

  stackOptions(
    define(program, "taint", "Has the next plan replace an object.", [
      "taint console_container_scan.scan",
    ]).argument("<address>", "the address of the object"),
  )
    .addOption(missingOption())
    .action(run(async () => (await stackCommands()).taint));
  stackOptions(
    define(program, "untaint", "Takes the mark of a tainted object away.", [
      "untaint console_container_scan.scan",
    ]).argument("<address>", "the address of the object"),
  )
    .addOption(missingOption())
    .action(run(async () => (await stackCommands()).untaint));

  stackOptions(
    define(program, "force-unlock", "Removes the lock that a run left behind.", [
      "force-unlock 4c7b929d-45e1-c8cd-3976-c8ca57584107",
    ]).argument("<id>", "the ID of the lock, as the refusal names it"),
  )
    .option("--force", "do not ask")
    .action(run(async () => (await stackCommands()).forceUnlock));

  const report = program.command("report").description("Works on image scanner reports.");
  define(report, "convert", "Writes a report in today's schema or in the announced one.", [
    "report convert scan.json --out announced.json",
    "report convert scan.json --reference-date 2021-03-01",
  ])
    .argument("<file>", "the scanner's JSON output file")
    .addOption(
      new Option("--to <schema>", "the schema to write (default: the other one)").choices([
        "today",
        "announced",
      ]),
    )
    .option("--reference-date <date>", "the day that days count from; the scan's without it")
    .option("--out <file>", "write here, instead of to standard output")
    .action(run(async () => (await import("./commands/report.js")).convert));

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
    .action(run(async () => (await consoleCommands()).scan));

  define(program, "adopt", "Writes a stack for what the environment's console has.", [
    "adopt",
    "adopt --output src/console.ts --ownership prefix",
  ])
    .option("--output <path>", "a folder, or a .ts file", "adopted")
    .option("--name <name>", "the name of the stack", "adopted")
    .addOption(
      new Option("--ownership <ownership>", "whose the compliance policies are to be")
        .choices(["exclusive", "prefix", "suffix"])
        .default("exclusive"),
    )
    .option("--force", "overwrite the file")
    .action(run(async () => (await consoleCommands()).adopt));

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
    .action(run(async () => (await consoleCommands()).downloadServerless));
  downloadOf(
    "cloud-discovery",
    "Downloads what was found in cloud accounts.",
    "download cloud-discovery --output discovery.csv",
  ).action(run(async () => (await consoleCommands()).downloadCloudDiscovery));
  downloadOf(
    "compliance",
    "Downloads all compliance checks; release next has them.",
    "download compliance --output checks.csv",
  ).action(run(async () => (await consoleCommands()).downloadCompliance));

  appOptions(
    define(program, "upgrade", "Tells what breaks between two releases of the console.", [
      "upgrade --from 20.04 --to 20.12",
      "upgrade --from 20.04 --to 20.12 --scripts ci scripts Jenkinsfile",
      "upgrade --from 20.12 --to next --console --json",
    ])
      .argument("[stacks...]", "the stacks to check; all without any")
      .option("--from <release>", "what the console runs: 20.04, 20.09, 20.12 or next")
      .option("--to <release>", "what it is to run"),
  )
    .option("--scripts <paths...>", "look for calls in these files and folders")
    .option("--console", "read the settings of the environment's console")
    .addOption(new Option("--json", "print one JSON document"))
    .option("--sarif [file]", "write SARIF 2.1.0, to standard output without a file")
    .addHelpText(
      "after",
      "\nWithout stacks, --scripts and --console: the stacks of cdktf.json, and the console of CONSOLE_URL.\nExits with 2 where something breaks.",
    )
    .action(run(async () => (await import("./commands/upgrade.js")).upgrade));

  const provider = program
    .command("provider")
    .description("Lets Terraform run the stacks, with the provider of this program.");
  define(provider, "install", "Puts the provider where Terraform finds it.", [
    "provider install",
    "provider install --dir cdktf.out/stacks/production",
    "provider install --mirror mirror --platform linux_amd64 --platform darwin_arm64",
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
    .action(run(async () => (await providerCommands()).providerInstall));
  define(provider, "schema", "Prints the provider's schema.", ["provider schema --json"])
    .requiredOption("--json", "as `terraform providers schema -json` prints it")
    .action(run(async () => (await providerCommands()).providerSchema));
  define(provider, "serve", "Serves one provider to any number of Terraform runs.", [
    "provider serve --reattach --port 4000",
  ])
    .requiredOption("--reattach", "print the value for TF_REATTACH_PROVIDERS, then serve")
    .option("--port <port>", "where to listen; 0 for any free port", wholeNumber(0), 0)
    .action(run(async () => (await providerCommands()).providerServe));

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
    .action(run(async () => (await import("./commands/simulate.js")).simulate));

  return program;
}

const stackCommands = () => import("./commands/index.js");
const consoleCommands = () => import("./commands/console.js");
const providerCommands = () => import("./commands/provider.js");
