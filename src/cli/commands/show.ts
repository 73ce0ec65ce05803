import { Option } from "commander";
import { command } from "../command-line/command";
import { reviewOptions, storedOptions } from "../command-line/options";

export const show = command({
  name: "show",
  summary: "Show the current state or a saved plan",
  examples: ["show", "show production.plan", "show production.plan --html plan.html"],
  arguments: { "[file]": "saved plan or state file (default: the states of the stacks)" },
  options: [
    ...storedOptions,
    ...reviewOptions,
    new Option("--json", "print Terraform's JSON format"),
  ],
  action: async () => (await import("../actions/stacks/index.js")).show,
});
