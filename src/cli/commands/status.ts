import { Option } from "commander";
import { command } from "../command-line/command";
import {
  appOptions,
  contractOption,
  secretsOption,
  selectionOptions,
  variableOptions,
} from "../command-line/options";
import { wholeNumber } from "../command-line/option-values";

export const status = command({
  name: "status",
  summary: "Read all consoles, and show what needs a person, the worst first",
  examples: [
    "status",
    "status --label ring=canary --within 14",
    "status --json > status/today.json",
    "status --html wall.html --trend status",
  ],
  arguments: { "[stacks...]": "names or patterns of the stacks (default: all)" },
  options: [
    ...appOptions,
    ...selectionOptions,
    ...variableOptions,
    secretsOption,
    contractOption,
    new Option(
      "--parallelism <count>",
      "maximum number of concurrent operations (default: 10, more for many stacks)",
    ).argParser(wholeNumber(1)),
    new Option("--within <days>", "show waivers and licenses that end within this number of days")
      .argParser(wholeNumber(0))
      .default(30),
    new Option(
      "--live",
      "read the running containers, and show those without a policy or with failing checks",
    ),
    new Option("--json", "print one JSON document"),
    new Option("--markdown <file>", "write the status as Markdown, for an issue or a chat"),
    new Option("--html <file>", "write the status as one self-contained HTML page"),
    new Option("--trend <folder>", "folder of earlier documents of --json, for the trend"),
  ],
  notes: `Exit codes, the first that holds: 3 protection is weaker than declared, or a
contract is violated; 1 a console cannot be read; 2 something else needs a
person; 0 quiet.`,
  action: async () => (await import("../actions/stacks/index.js")).status,
});
