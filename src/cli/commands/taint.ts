import { command } from "../command-line/command";
import { missingOption, stackOptions } from "../command-line/options";

export const taint = command({
  name: "taint",
  summary: "Mark a resource instance for replacement by the next apply",
  examples: ["taint cwp_container_scan.scan"],
  arguments: { "<address>": "address of the resource instance, or path of its construct" },
  options: [...stackOptions, missingOption],
  action: async () => (await import("../actions/stacks/index.js")).taint,
});
