import { command } from "../command-line/command";
import {
  appOption,
  attributesOption,
  expandOption,
  gateOptions,
  lockOption,
  refreshOption,
  secretsOption,
  selectionOptions,
  variableOptions,
} from "../command-line/options";

export const watch = command({
  name: "watch",
  summary: "Validate the stacks at each save, and plan them again when Enter is pressed",
  examples: ["watch", "watch production --contract protection.yaml"],
  arguments: { "[stacks...]": "names or patterns of the stacks (default: all)" },
  options: [
    appOption,
    ...selectionOptions,
    ...variableOptions,
    secretsOption,
    refreshOption,
    lockOption,
    expandOption,
    attributesOption,
    ...gateOptions,
  ],
  notes:
    "The first plan and those after it read from the consoles, the validation of a\nsaved file does not. Each later plan shows how the effect on protection changed.",
  action: async () => (await import("../actions/stacks/index.js")).watch,
});
