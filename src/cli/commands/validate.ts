import { command } from "../command-line/command";
import { appOptions, variableOptions } from "../command-line/options";

export const validate = command({
  name: "validate",
  summary: "Check whether the configuration is valid",
  examples: ["validate"],
  arguments: { "[stacks...]": "names of the stacks (default: all)" },
  options: [...appOptions, ...variableOptions],
  action: async () => (await import("../actions/stacks/index.js")).validate,
});
