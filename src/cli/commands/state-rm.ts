import { command } from "../command-line/command";
import { dryRunOption, stackOptions } from "../command-line/options";

export const stateRemove = command({
  name: "rm",
  summary: "Remove instances from the state and leave them on their console",
  examples: ["state rm cwp_license.license"],
  arguments: { "<addresses...>": "addresses of resources or instances, or paths of constructs" },
  options: [...stackOptions, dryRunOption],
  action: async () => (await import("../actions/stacks/index.js")).stateRemove,
});
