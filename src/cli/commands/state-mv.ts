import { command } from "../command-line/command";
import { dryRunOption, stackOptions } from "../command-line/options";

export const stateMove = command({
  name: "mv",
  summary: "Move an item in the state to another address",
  examples: [
    "state mv cwp_license.old cwp_license.new",
    "state mv null_resource.gate 'null_resource.gates[0]'",
  ],
  arguments: {
    "<source>":
      "address of an instance, or of a resource with all its instances, or path of its construct",
    "<destination>": "new address",
  },
  options: [...stackOptions, dryRunOption],
  action: async () => (await import("../actions/stacks/index.js")).stateMove,
});
