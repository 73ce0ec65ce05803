import { InvalidArgumentError, Option } from "commander";
import { command } from "../command-line/command";
import {
  appOptions,
  contractOption,
  lockOption,
  parallelismOption,
  secretsOption,
  variableOptions,
} from "../command-line/options";

const OPERATIONS: readonly string[] = ["plan", "apply", "destroy", "rollback"];

function operations(text: string): readonly string[] {
  const given = text.split(",");
  if (given.every((one) => OPERATIONS.includes(one))) return given;
  throw new InvalidArgumentError(`It must have ${OPERATIONS.join(", ")}, separated by commas.`);
}

export const worker = command({
  name: "worker",
  summary: "Plan and apply stacks of this network for runs on Temporal, until it is interrupted",
  examples: ["worker --queue eu --out-dir cdktf.out", "worker --queue eu --allow plan"],
  notes: "Temporal's own variables, such as TEMPORAL_ADDRESS, and its profiles name the\nserver.",
  options: [
    new Option("--queue <name>", "queue whose stacks this worker takes (required)"),
    new Option("--allow <operations>", "plan, apply, destroy or rollback, separated by commas")
      .argParser(operations)
      .default(["plan", "apply"], "plan,apply"),
    new Option(
      "--check <command>",
      "shell command after a wave; the next one starts if it succeeds",
    ),
    ...appOptions,
    contractOption,
    ...variableOptions,
    secretsOption,
    parallelismOption,
    lockOption,
  ],
  action: async () => (await import("../actions/stacks/index.js")).worker,
});
