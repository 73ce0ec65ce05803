import { command } from "../command-line/command";
import { stackOptions } from "../command-line/options";

export const statePull = command({
  name: "pull",
  summary: "Print the state of a stack, with its secrets",
  examples: ["state pull --stack production"],
  options: stackOptions,
  action: async () => (await import("../actions/stacks/index.js")).statePull,
});
