import { command } from "../command-line/command";
import { Option } from "commander";
import { runOptions } from "../command-line/options";

export const refresh = command({
  name: "refresh",
  summary: "Update the state to match the consoles",
  examples: ["refresh production"],
  arguments: { "[stacks...]": "names or patterns of the stacks (default: all)" },
  options: [
    ...runOptions,
    new Option("-y, --auto-approve", "has no effect: refresh asks no questions"),
  ],
  notes: "The same as apply --refresh-only --auto-approve.",
  action: async () => (await import("../actions/stacks/index.js")).refresh,
});
