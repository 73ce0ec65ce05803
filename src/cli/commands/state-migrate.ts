import { Option } from "commander";
import { command } from "../command-line/command";
import { lockOption, statesOptions } from "../command-line/options";

export const stateMigrate = command({
  name: "migrate",
  summary: "Move states to the backends that the stacks have now",
  examples: ["state migrate", "state migrate production --from-file old.tfstate"],
  arguments: { "[stacks...]": "names or patterns of the stacks (default: all)" },
  options: [
    ...statesOptions,
    new Option("--from-file <file>", "state file to move").conflicts("fromBackend"),
    new Option(
      "--from-backend <file>",
      "JSON file with the earlier backend block, - for standard input",
    ),
    lockOption,
  ],
  notes:
    "By default, a state is moved from the backend that the stack used last. It is\nlocked in both places, and compared after it was copied. The old one is renamed\nNAME.moved-SERIAL. A run that was interrupted can be repeated.",
  action: async () => (await import("../actions/stacks/index.js")).stateMigrate,
});
