import { command } from "../command-line/command";
import {
  appOptions,
  engineOptions,
  selectionOptions,
  variableOptions,
} from "../command-line/options";

export const graph = command({
  name: "graph",
  summary: "Show the dependencies of resources in the DOT language",
  examples: ["graph production | dot -Tsvg > graph.svg"],
  arguments: { "[stacks...]": "names or patterns of the stacks (default: all)" },
  options: [...appOptions, ...selectionOptions, ...variableOptions, ...engineOptions],
  action: async () => (await import("../actions/stacks/index.js")).graph,
});
