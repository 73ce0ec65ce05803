import { InvalidArgumentError, Option } from "commander";
import { parseLabel, type LabelFilter } from "../../fleet/selection/label-filter";
import { parseShard, type Shard } from "../../fleet/selection/shard";
import type { VariableArgument } from "../../language";
import { ENGINES } from "../stacks/engines";
import { collect, commandWords, duration, wholeNumber } from "./option-values";

/* Options that several commands take. */

export const appOption = new Option(
  "--app <command>",
  "command that runs the app (default: app in cdktf.json)",
).conflicts("outDir");

export const appOptions = [
  appOption,
  new Option("--out-dir <dir>", "folder of already synthesized stacks"),
];

/** Options that select stacks in addition to their names. */
export const selectionOptions = [
  new Option("--label <key=value>", "select stacks with this label (repeatable)").argParser(label),
  new Option(
    "--exclude <pattern>",
    "leave out the stacks with this name or pattern (repeatable); '!NAME' as a name does the same",
  ).argParser(collect),
  new Option(
    "--stacks-from <file>",
    "select the stacks that this file lists, - for standard input",
  ),
  new Option(
    "--shard <i/n>",
    "select one of N parts of the stacks, by a hash of their names",
  ).argParser(shard),
  new Option(
    "--changed-from <dir>",
    "select the stacks that differ from those in this folder of synthesized stacks",
  ),
];

export const engineOptions = [
  new Option("--engine <engine>", "engine that runs the stacks; terraform and tofu must be on PATH")
    .choices(ENGINES)
    .default("embedded"),
  new Option(
    "--with-null",
    "serve a replacement of hashicorp/null to the engine, for tests without its registry",
  ),
];

export const stackOptions = [
  ...appOptions,
  new Option("--stack <name>", "name of the stack"),
  ...engineOptions,
];

/** Options of commands about the states of several stacks. */
export const statesOptions = [
  ...appOptions,
  new Option("--stack <name>", "name or pattern of the stacks"),
  ...selectionOptions,
];

export const storedOptions = [...statesOptions, ...engineOptions];

function label(text: string, before: readonly LabelFilter[] = []): readonly LabelFilter[] {
  const parsed = parseLabel(text);
  if (parsed) return [...before, parsed];
  throw new InvalidArgumentError("It must be a key and a value, as in ring=canary.");
}

function shard(text: string): Shard {
  const parsed = parseShard(text);
  if (parsed) return parsed;
  throw new InvalidArgumentError("It must be I/N with I from 1 to N, as in 2/5.");
}

/** Collects `--var` and `--var-file` in one list, in command line order: the last value wins. */
class VariableOption extends Option {
  override attributeName(): string {
    return "variables";
  }
}

export const variableOptions = [
  new VariableOption("--var <name=value>", "set an input variable (repeatable)").argParser(
    (text, before?: readonly VariableArgument[]) => variables(before, { kind: "value", text }),
  ),
  new VariableOption(
    "--var-file <file>",
    "load input variables from this file (repeatable)",
  ).argParser((file, before?: readonly VariableArgument[]) =>
    variables(before, { kind: "file", file }),
  ),
];

function variables(
  before: readonly VariableArgument[] = [],
  argument: VariableArgument,
): readonly VariableArgument[] {
  return [...before, argument];
}

export const secretsOption = new Option(
  "--secrets-command <command>",
  "command that prints the secrets that are not set otherwise, started without a shell",
).argParser(commandWords);

export const lockOption = new Option(
  "--lock-timeout <duration>",
  "time to wait for a state lock, such as 30s or 5m",
)
  .argParser(duration)
  .default(0);

export const expandOption = new Option(
  "--expand",
  "print each stack instead of groups of alike ones",
);

export const attributesOption = new Option(
  "--attributes",
  "print whole attributes, in Terraform's layout",
);

export const refreshOption = new Option(
  "--refresh <boolean>",
  "read the objects from the consoles before planning",
)
  .choices(["true", "false"])
  .default("true");

export const parallelismOption = new Option(
  "--parallelism <count>",
  "maximum number of concurrent operations (default: 10, more for many stacks)",
).argParser(wholeNumber(1));

/** Options of plan, apply and destroy. */
export const runOptions = [
  ...appOptions,
  ...selectionOptions,
  ...variableOptions,
  secretsOption,
  parallelismOption,
  refreshOption,
  new Option(
    "--same-console <stack>",
    "take the console of this stack for the one that its state has, after a question (repeatable)",
  ).argParser(collect),
  new Option(
    "--target <address>",
    "limit the run to this address or path of a construct, and its dependencies (repeatable)",
  ).argParser(collect),
  new Option("--fail-fast", "plan and apply nothing if one of the stacks fails"),
  expandOption,
  attributesOption,
  new Option("--json", "print JSON lines, as Terraform's -json does"),
  ...engineOptions,
  lockOption,
];

/** The option of cdktf's own commands. */
export const ignoreDependentsOption = new Option(
  "--ignore-missing-stack-dependencies",
  "destroy stacks although stacks with objects that are not selected depend on them",
);

/** Options of plan and apply. */
export const changeOptions = [
  new Option(
    "--refresh-only",
    "only record changes made outside of the stacks in the state",
  ).conflicts("replace"),
  new Option(
    "--replace <address>",
    "force replacement of the instance with this address or path of a construct (repeatable)",
  ).argParser(collect),
];

export const rollbackOption = new Option(
  "--rollback <run>",
  "put back what the run of this run log has changed, where nothing else has changed it since",
).conflicts(["refreshOnly", "replace", "destroy", "out"]);

export const contractOption = new Option(
  "--contract <file>",
  "contract that plans must keep (default: protection.yaml, if it exists)",
);

export const failOnOption = new Option(
  "--fail-on <effect>",
  "exit with 3 if protection gets weaker",
).choices(["weaker"]);

/** Options that refuse plans by their effect on protection. */
export const reviewGateOptions = [
  failOnOption,
  new Option(
    "--allow-weaker <name>",
    "stack, pattern of stacks or address whose protection may get weaker; NAME@DIGEST for one effect (repeatable)",
  ).argParser(collect),
  new Option("--allow-unknown", "accept effects that are possible but not certain"),
  contractOption,
  new Option(
    "--propose-waivers <file>",
    "write the waivers that the plans need to this file, for those who sign them",
  ),
];

export const strictOption = new Option(
  "--strict",
  "treat warnings about policies that decide or change nothing as errors",
);

/** Options that refuse plans by their review. */
export const gateOptions = [...reviewGateOptions, strictOption];

/** Options that write the verdict of a review where code hosts and CI systems show it. */
export const verdictOptions = [
  new Option("--sarif <file>", "write the findings of the review as SARIF, for code hosts"),
  new Option(
    "--junit <file>",
    "write the findings of the review as a JUnit report, for CI systems",
  ),
];

/** Options that print and write reviews of plans. */
export const reviewOptions = [
  expandOption,
  attributesOption,
  new Option("--html <file>", "write the plan as a self-contained HTML page"),
  new Option("--markdown <file>", "write the plan as a pull request comment"),
];

export const approveOption = new Option(
  "-y, --auto-approve",
  "skip interactive approval of the plan",
);

export const dryRunOption = new Option("--dry-run", "show the result without changing the state");

export const missingOption = new Option("--allow-missing", "warn if the object does not exist");
