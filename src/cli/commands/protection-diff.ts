import { Option } from "commander";
import { command } from "../command-line/command";
import {
  appOptions,
  failOnOption,
  lockOption,
  secretsOption,
  variableOptions,
} from "../command-line/options";

export const protectionDiff = command({
  name: "diff",
  summary: "Compare what two sets of policies protect, or what two contracts require",
  examples: [
    "protection diff policies/base.json tenant-0042",
    "protection diff staging production --fail-on weaker",
    "protection diff console: policies/base.json",
    "protection diff base/protection.yaml protection.yaml",
  ],
  arguments: {
    "<from>": "file, stack, console: or contract",
    "<to>": "file, stack, console: or contract",
  },
  options: [
    ...appOptions,
    ...variableOptions,
    secretsOption,
    lockOption,
    failOnOption,
    new Option("--json", "print one JSON document"),
  ],
  notes: `A side is a file of policies (NAME.json), a stack, whose policies are those
after the plan, or console:, the console of the environment. Weaker means that
the second side protects less. Contracts (NAME.yaml) are compared by what they
require and waive.`,
  action: async () => (await import("../actions/stacks/index.js")).protectionDiff,
});
