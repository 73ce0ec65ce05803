import { Option } from "commander";
import { command } from "../command-line/command";
import {
  appOptions,
  contractOption,
  engineOptions,
  selectionOptions,
  strictOption,
  variableOptions,
} from "../command-line/options";

export const validate = command({
  name: "validate",
  summary: "Check whether the configuration is valid",
  examples: ["validate", "validate --json"],
  arguments: { "[stacks...]": "names or patterns of the stacks (default: all)" },
  options: [
    ...appOptions,
    ...selectionOptions,
    ...variableOptions,
    ...engineOptions,
    strictOption,
    contractOption,
    new Option("--json", "print Terraform's JSON format"),
  ],
  action: async () => (await import("../actions/stacks/index.js")).validate,
});
