import { Option } from "commander";
import { command } from "../command-line/command";
import { remoteOptions } from "../command-line/remote-options";
import {
  changeOptions,
  gateOptions,
  ignoreDependentsOption,
  rollbackOption,
  runOptions,
  verdictOptions,
} from "../command-line/options";

export const plan = command({
  name: "plan",
  aliases: ["diff", "preview"],
  summary: "Show changes required by the current configuration",
  examples: [
    "plan",
    "plan 'tenant-*' --label ring=canary",
    "plan production --detailed-exitcode",
    "plan production --out production.plan",
    "plan production --live",
  ],
  arguments: { "[stacks...]": "names or patterns of the stacks (default: all)" },
  options: [
    ...runOptions,
    ...changeOptions,
    rollbackOption,
    ...gateOptions,
    new Option("--destroy", "show the changes that destroy would make").conflicts([
      "refreshOnly",
      "replace",
    ]),
    ignoreDependentsOption,
    new Option(
      "--live",
      "count the running containers that change, on consoles whose policies change",
    ),
    new Option("--detailed-exitcode", "exit with 2 if there are changes"),
    new Option("--out <file>", "save the plans of the stacks to this file, for apply"),
    new Option("--html <file>", "write the plan as a self-contained HTML page"),
    new Option(
      "--open",
      "open the HTML page, of --html or a temporary one, with the program in BROWSER if it is set",
    ),
    new Option("--markdown <file>", "write the plan as a pull request comment"),
    new Option("--review-json <file>", "write the review of the plan as JSON"),
    ...verdictOptions,
    ...remoteOptions,
  ],
  action: async () => (await import("../actions/stacks/index.js")).plan,
});
