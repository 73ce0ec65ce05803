import { command } from "../command-line/command";
import { stackOptions } from "../command-line/options";

export const statePush = command({
  name: "push",
  summary: "Store a state file in the backend of a stack",
  examples: ["state push errored.tfstate"],
  arguments: { "<file>": "state file" },
  options: stackOptions,
  action: async () => (await import("../actions/stacks/index.js")).statePush,
});
