import type { Command } from "commander";
import { createProgram } from "../../../src/cli/run";
import { ignoredArguments } from "../../../src/cli/command-line/terraform-arguments";
import { temporaryFolder, writeStacks } from "../stack-files";
import { TestTerminal } from "../test-terminal";

const gates = { resource: { null_resource: { a: {}, b: {} } } };

async function run(environment: Record<string, string>, ...argv: string[]) {
  const directory = temporaryFolder();
  writeStacks(directory, { prod: gates });
  const terminal = new TestTerminal({ directory, environment });
  const code = await terminal.run(...argv, "--out-dir", "cdktf.out");
  return { code, out: terminal.out, err: terminal.err.replace(/\s+/g, " ") };
}

test.each([
  ["TF_CLI_ARGS", ["plan"]],
  ["TF_CLI_ARGS_plan", ["plan"]],
  ["TF_CLI_ARGS_apply", ["apply", "--auto-approve"]],
  ["TF_CLI_ARGS_destroy", ["destroy", "--auto-approve"]],
  ["TF_CLI_ARGS_state_list", ["state", "list"]],
  ["TF_CLI_ARGS_force_unlock", ["force-unlock", "x"]],
])("the embedded engine refuses %s by name", async (variable, argv) => {
  const { code, out, err } = await run({ [variable]: "-target=null_resource.a" }, ...argv);
  expect({ code, out }).toEqual({ code: 1, out: "" });
  expect(err).toContain(`Error: ${variable} has arguments for Terraform`);
});

test("arguments for other commands, empty ones and commands that Terraform lacks are not refused", async () => {
  const environment = { TF_CLI_ARGS: " ", TF_CLI_ARGS_init: "-upgrade", TF_CLI_ARGS_apply: "-x" };
  expect(await run(environment, "plan")).toMatchObject({ code: 0, err: "" });
  expect(await run({ TF_CLI_ARGS: "-no-color" }, "stacks")).toMatchObject({ code: 0, err: "" });
});

test("every command of Terraform's refuses them", () => {
  const program = createProgram({
    terminal: new TestTerminal({ directory: "/" }),
    finish: () => undefined,
  });
  const names = (command: Command, before = ""): readonly string[] =>
    command.commands.flatMap((one) => {
      const name = `${before}${one.name()}`;
      return [name, ...names(one, `${name} `)];
    });
  const environment = { TF_CLI_ARGS: "-x" };
  const refused = names(program).filter((name) => ignoredArguments(name, undefined, environment));
  expect(refused.join(", ")).toBe(
    "validate, graph, plan, apply, destroy, refresh, show, output, console, import, state list, state show, state rm, state mv, state pull, state push, taint, untaint, force-unlock",
  );
});
