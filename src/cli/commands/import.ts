import { command } from "../command-line/command";
import {
  appOptions,
  engineOptions,
  lockOption,
  secretsOption,
  variableOptions,
} from "../command-line/options";

export const importObject = command({
  name: "import",
  summary: "Import existing objects into the state",
  examples: [
    "import production cwp_compliance_policy_set.policies",
    "import production policies container:prefix:3",
  ],
  arguments: {
    "<stack>": "name of the stack that declares the resource",
    "<address>": "address of the resource, or the path of its construct",
    "[id]": "ID of the object (default: all that the resource can manage)",
  },
  options: [...appOptions, ...variableOptions, secretsOption, ...engineOptions, lockOption],
  action: async () => (await import("../actions/stacks/index.js")).importObject,
});
