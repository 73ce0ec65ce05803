import { command } from "../command-line/command";
import { stackOptions } from "../command-line/options";

export const stateShow = command({
  name: "show",
  summary: "Show one resource instance in the state",
  examples: ["state show cwp_license.license"],
  arguments: { "<address>": "address of the resource instance, or path of its construct" },
  options: stackOptions,
  action: async () => (await import("../actions/stacks/index.js")).stateShow,
});
