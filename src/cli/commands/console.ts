import { command } from "../command-line/command";
import { appOptions, engineOptions, variableOptions } from "../command-line/options";

export const consoleCommand = command({
  name: "console",
  summary: "Evaluate expressions with the state and the variables of a stack",
  examples: ["console production", "console --var-file production.tfvars < expressions.txt"],
  arguments: { "[stack]": "name of the stack (default: the only one)" },
  options: [...appOptions, ...variableOptions, ...engineOptions],
  notes:
    "Reads expressions from a prompt, or from the lines of standard input up to the\nfirst error. Connects to no console.",
  action: async () => (await import("../actions/stacks/index.js")).evaluateExpressions,
});
