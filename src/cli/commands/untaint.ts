import { command } from "../command-line/command";
import { missingOption, stackOptions } from "../command-line/options";

export const untaint = command({
  name: "untaint",
  summary: "Remove the tainted mark from a resource instance",
  examples: ["untaint cwp_container_scan.scan"],
  arguments: { "<address>": "address of the resource instance, or path of its construct" },
  options: [...stackOptions, missingOption],
  action: async () => (await import("../actions/stacks/index.js")).untaint,
});
