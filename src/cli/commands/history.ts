import { Option } from "commander";
import { command } from "../command-line/command";

export const history = command({
  name: "history",
  summary: "List the recorded runs of a folder",
  examples: ["history runs", "history runs --json"],
  arguments: { "[folder]": "folder of --run-log (default: the working directory)" },
  options: [new Option("--json", "print one JSON document")],
  action: async () => (await import("../actions/stacks/index.js")).history,
});
