import { Option } from "commander";
import { command } from "../command-line/command";

export const printVersion = command({
  name: "version",
  summary: "Show the version",
  examples: ["version --json"],
  options: [new Option("--json", "print JSON, with the platform and the format of states")],
  action: async () => (await import("../actions/version.js")).printVersion,
});
