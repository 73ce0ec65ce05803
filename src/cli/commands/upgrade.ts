import { Option } from "commander";
import { RELEASES } from "../../api/release";
import { command } from "../command-line/command";
import { appOptions, selectionOptions } from "../command-line/options";

export const upgrade = command({
  name: "upgrade",
  summary: "Report what breaks between two releases of the console",
  examples: [
    "upgrade --from 20.04 --to 20.12",
    "upgrade --from 20.04 --to 20.12 --label ring=canary",
    "upgrade --from 20.04 --to 20.12 --scripts ci Jenkinsfile",
    "upgrade --from 20.12 --to next --console --json",
    "upgrade --from 20.12 --to next --tenants tenants.csv",
    "upgrade --from 20.12 --to next --patterns",
  ],
  arguments: { "[stacks...]": "names or patterns of the stacks to check (default: all)" },
  options: [
    releaseOption("--from <release>", "current release"),
    releaseOption("--to <release>", "release to upgrade to"),
    ...appOptions,
    ...selectionOptions,
    new Option("--scripts <paths...>", "search these files and folders for changed endpoints"),
    new Option("--patterns", "print the patterns of --scripts, for any search tool"),
    new Option("--console", "read the settings of the console"),
    new Option(
      "--tenants <file>",
      "read those of the consoles of a file of tenants instead; names, --label and so on select its tenants",
    ).conflicts("changedFrom"),
    new Option("--json", "print one JSON document"),
  ],
  notes: `Without stacks, --scripts and --console, the command checks the stacks of
cdktf.json and the console at CONSOLE_URL. It exits with 2 if something breaks,
or if a script mentions what changes.`,
  action: async () => (await import("../actions/console/index.js")).upgrade,
});

/** Shows the releases in help and completion. The command checks them, with its other arguments. */
function releaseOption(flags: string, description: string): Option {
  const option = new Option(flags, description);
  option.argChoices = [...RELEASES];
  return option;
}
