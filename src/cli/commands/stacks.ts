import { Option } from "commander";
import { command } from "../command-line/command";
import { appOptions, engineOptions, selectionOptions } from "../command-line/options";

export const stacks = command({
  name: "stacks",
  aliases: ["list", "ls"],
  summary: "List stacks with their consoles, labels and states",
  examples: ["stacks", "stacks 'tenant-*' --label ring=canary --json"],
  arguments: { "[stacks...]": "names or patterns of the stacks (default: all)" },
  options: [
    ...appOptions,
    ...selectionOptions,
    ...engineOptions,
    new Option("--json", "print one JSON document"),
  ],
  action: async () => (await import("../actions/stacks/index.js")).stacks,
});
