import { Option } from "commander";
import { LIBRARIES } from "../../core/library-names";
import { command } from "../command-line/command";

export const init = command({
  name: "init",
  summary: "Write a new project that plans against an embedded console",
  examples: ["init my-console", "init --library cdktn", "init --contract"],
  arguments: { "[dir]": "folder of the project (default: the current folder)" },
  options: [
    new Option(
      "--library <name>",
      "library of the constructs (default: that of the folder's package.json, or cdktf)",
    ).choices(LIBRARIES),
    new Option(
      "--contract",
      "also write protection.yaml, the contract; in a folder with a project, write only that",
    ),
    new Option("--package <source>", "source of cdktf-console for npm (default: as installed)"),
    new Option("--no-install", "do not install the packages of the project"),
  ],
  action: async () => (await import("../actions/init.js")).init,
});
