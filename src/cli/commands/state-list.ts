import { command } from "../command-line/command";
import { stackOptions } from "../command-line/options";

export const stateList = command({
  name: "list",
  summary: "List resource instances in the state",
  examples: ["state list"],
  arguments: {
    "[addresses...]": "resources or instances to list, or paths of constructs (default: all)",
  },
  options: stackOptions,
  action: async () => (await import("../actions/stacks/index.js")).stateList,
});
