import { command } from "../command-line/command";
import {
  appOptions,
  selectionOptions,
  strictOption,
  variableOptions,
} from "../command-line/options";

export const validate = command({
  name: "validate",
  summary: "Check whether the configuration is valid",
  examples: ["validate"],
  arguments: { "[stacks...]": "names or patterns of the stacks (default: all)" },
  options: [...appOptions, ...selectionOptions, ...variableOptions, strictOption],
  action: async () => (await import("../actions/stacks/index.js")).validate,
});
