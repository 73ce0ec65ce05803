import { Option, type Command } from "commander";
import {
  appOption,
  appOptions,
  approveOption,
  changeOptions,
  define,
  lockOption,
  runOptions,
  stackOptions,
  variableOptions,
} from "./options";
import type { Run } from "./action";

const commands = () => import("./actions/index.js");

/** What synthesizes, plans and applies stacks, and what shows what came of it. */
export function defineStackCommands(program: Command, run: Run): void {
  define(program, "synth", "Runs the app and writes its stacks.", ["synth --app 'node app.js'"])
    .addOption(appOption())
    .action(run(async () => (await commands()).synth));

  define(
    program,
    "plan",
    "Shows what apply would do. Changes nothing.",
    ["plan", "plan production --detailed-exitcode", "plan production --out production.plan"],
    runOptions,
    changeOptions,
  )
    .argument("[stacks...]", "the stacks to plan; all without any")
    .addOption(
      new Option("--destroy", "show what destroy would do").conflicts(["refreshOnly", "replace"]),
    )
    .option("--detailed-exitcode", "exit with 2 where there are changes")
    .option("--out <file>", "save the plan of one stack, for apply to do exactly that")
    .option("--html <file>", "write the plan as a page for reviewers, in one file")
    .option("--markdown <file>", "write the plan as a comment for a pull request")
    .action(run(async () => (await commands()).plan));

  define(
    program,
    "apply",
    "Makes the consoles what the stacks say.",
    ["apply", "apply production --auto-approve", "apply production.plan"],
    runOptions,
    changeOptions,
  )
    .argument("[stacks...]", "the stacks to apply, all without any; or a saved plan")
    .addOption(approveOption())
    .action(run(async () => (await commands()).apply));

  define(program, "destroy", "Destroys what the stacks manage.", ["destroy production"], runOptions)
    .argument("[stacks...]", "the stacks to destroy; all without any")
    .addOption(approveOption())
    .action(run(async () => (await commands()).destroy));

  define(
    program,
    "import",
    "Takes what a console has into the state. Changes no console.",
    [
      "import production cwp_compliance_policy_set.policies",
      "import production policies container:prefix:3",
    ],
    appOptions,
    variableOptions,
    lockOption,
  )
    .argument("<stack>", "the stack that has the construct for it")
    .argument("<address>", "the address of the resource, or its construct's path")
    .argument("[id]", "what of the console; all that the resource can manage without one")
    .action(run(async () => (await commands()).importObject));

  define(
    program,
    "show",
    "Shows the state, or a saved plan.",
    ["show", "show production.plan"],
    stackOptions,
  )
    .argument("[file]", "a saved plan or a state file, instead of the states of the stacks")
    .option("--json", "print it in Terraform's JSON format")
    .action(run(async () => (await commands()).show));

  define(program, "output", "Shows outputs of the state.", ["output console_url"], stackOptions)
    .argument("[name]", "the output; all without one")
    .option("--raw", "print a string as it is, without quotes")
    .action(run(async () => (await commands()).output));

  define(
    program,
    "validate",
    "Checks the stacks. Reads from no console.",
    ["validate"],
    appOptions,
    variableOptions,
  )
    .argument("[stacks...]", "the stacks to check; all without any")
    .action(run(async () => (await commands()).validate));
}
