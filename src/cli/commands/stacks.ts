import { Option } from "commander";
import { command, type CommandDefinition } from "../command-line/command";
import {
  appOption,
  appOptions,
  approveOption,
  changeOptions,
  lockOption,
  runOptions,
  stackOptions,
  variableOptions,
} from "../command-line/options";

const actions = () => import("../actions/stacks/index.js");

export const stackCommands: readonly CommandDefinition[] = [
  command({
    name: "synth",
    summary: "Run the app and write its stacks",
    examples: ["synth --app 'node app.js'"],
    options: [appOption],
    action: async () => (await actions()).synth,
  }),
  command({
    name: "plan",
    summary: "Show changes required by the current configuration",
    examples: [
      "plan",
      "plan production --detailed-exitcode",
      "plan production --out production.plan",
    ],
    arguments: { "[stacks...]": "names of the stacks (default: all)" },
    options: [
      ...runOptions,
      ...changeOptions,
      new Option("--destroy", "show the changes that destroy would make").conflicts([
        "refreshOnly",
        "replace",
      ]),
      new Option("--detailed-exitcode", "exit with 2 if there are changes"),
      new Option("--out <file>", "save the plan of one stack to this file, for apply"),
      new Option("--html <file>", "write the plan as a self-contained HTML page"),
      new Option("--markdown <file>", "write the plan as a pull request comment"),
    ],
    action: async () => (await actions()).plan,
  }),
  command({
    name: "apply",
    summary: "Apply the changes required by the configuration, or a saved plan",
    examples: ["apply", "apply production --auto-approve", "apply production.plan"],
    arguments: { "[stacks...]": "names of the stacks (default: all), or the file of a saved plan" },
    options: [...runOptions, ...changeOptions, approveOption],
    action: async () => (await actions()).apply,
  }),
  command({
    name: "destroy",
    summary: "Destroy all objects that the stacks manage",
    examples: ["destroy production"],
    arguments: { "[stacks...]": "names of the stacks (default: all)" },
    options: [...runOptions, approveOption],
    action: async () => (await actions()).destroy,
  }),
  command({
    name: "import",
    summary: "Import existing objects into the state",
    examples: [
      "import production cwp_compliance_policy_set.policies",
      "import production policies container:prefix:3",
    ],
    arguments: {
      "<stack>": "name of the stack that declares the resource",
      "<address>": "address of the resource, or the path of its construct",
      "[id]": "ID of the object (default: all that the resource can manage)",
    },
    options: [...appOptions, ...variableOptions, lockOption],
    action: async () => (await actions()).importObject,
  }),
  command({
    name: "show",
    summary: "Show the current state or a saved plan",
    examples: ["show", "show production.plan"],
    arguments: { "[file]": "saved plan or state file (default: the states of the stacks)" },
    options: [...stackOptions, new Option("--json", "print Terraform's JSON format")],
    action: async () => (await actions()).show,
  }),
  command({
    name: "output",
    summary: "Show output values from the state",
    examples: ["output console_url"],
    arguments: { "[name]": "name of the output (default: all)" },
    options: [...stackOptions, new Option("--raw", "print one value without quotes")],
    action: async () => (await actions()).output,
  }),
  command({
    name: "validate",
    summary: "Check whether the configuration is valid",
    examples: ["validate"],
    arguments: { "[stacks...]": "names of the stacks (default: all)" },
    options: [...appOptions, ...variableOptions],
    action: async () => (await actions()).validate,
  }),
];
