import { Option, type Command } from "commander";
import { LOG_LEVELS } from "../provider/log";
import type { VariableArgument } from "../runtime/config/variable-sources";
import { collect, duration, wholeNumber } from "./arguments";
import { ENGINES } from "./engines";

/** A command with what every command takes, examples of it, and further options. */
export function define(
  parent: Command,
  name: string,
  description: string,
  examples: readonly string[],
  ...options: readonly ((command: Command) => Command)[]
): Command {
  const lines = examples.map((example) => `  $ cdktf-console ${example}`);
  const command = parent
    .command(name)
    .description(description)
    .option("--no-color", "print without colour, as with NO_COLOR")
    .addOption(
      new Option("--log-level <level>", "log to standard error as JSON lines")
        .choices(LOG_LEVELS)
        .default("off"),
    )
    .addHelpText("after", `\nExample${lines.length === 1 ? "" : "s"}:\n${lines.join("\n")}`);
  return options.reduce((defined, add) => add(defined), command);
}

export function appOption(): Option {
  return new Option("--app <command>", "run this app, instead of cdktf.json's");
}

/** Where the stacks come from. */
export function appOptions(command: Command): Command {
  return command
    .addOption(appOption().conflicts("outDir"))
    .option("--out-dir <dir>", "use the stacks that are synthesized here already");
}

export function stackOptions(command: Command): Command {
  return appOptions(command).option("--stack <name>", "which of the app's stacks");
}

/** Variables and their files are one list, in the order of the command line: the last one counts. */
export function variableOptions(command: Command): Command {
  const given: VariableArgument[] = [];
  const take = (argument: VariableArgument) => {
    given.push(argument);
    return given;
  };
  return command
    .option("--var <name=value>", "set a variable (repeatable)", (text: string) =>
      take({ kind: "value", text }),
    )
    .option("--var-file <file>", "set the variables of this file (repeatable)", (file: string) =>
      take({ kind: "file", file }),
    );
}

/** What plans and applies. */
export function runOptions(command: Command): Command {
  return lockOption(
    variableOptions(appOptions(command))
      .option(
        "--parallelism <count>",
        "how many calls may be under way at once",
        wholeNumber(1),
        10,
      )
      .addOption(
        new Option("--refresh <boolean>", "false: believe the state, without reading the consoles")
          .choices(["true", "false"])
          .default("true"),
      )
      .option(
        "--target <address>",
        "only this resource, instance or module, and what it depends on (repeatable)",
        collect,
      )
      .option("--json", "print JSON lines for programs, as Terraform's -json does")
      .addOption(
        new Option("--engine <engine>", "what runs the stacks; tofu is not tested")
          .choices(ENGINES)
          .default("embedded"),
      ),
  );
}

/** What changes something, or could. */
export function changeOptions(command: Command): Command {
  return command
    .addOption(
      new Option("--refresh-only", "only take what was changed outside into the state").conflicts(
        "replace",
      ),
    )
    .option(
      "--replace <address>",
      "replace this instance, whether it changed or not (repeatable)",
      collect,
    );
}

export function lockOption(command: Command): Command {
  return command.option(
    "--lock-timeout <duration>",
    "how long to wait for another run to end, as in 30s or 5m",
    duration,
    0,
  );
}

export function approveOption(): Option {
  return new Option("--auto-approve", "do not ask before anything is changed");
}

export function dryRunOption(): Option {
  return new Option("--dry-run", "say what would be done, and do nothing");
}

export function missingOption(): Option {
  return new Option("--allow-missing", "warn only, where there is no such object");
}
