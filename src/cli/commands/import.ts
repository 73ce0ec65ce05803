import { Option } from "commander";
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
    "import --tenants tenants.csv policies",
  ],
  arguments: {
    "<stack>": "name of the stack that declares the resource; left out with --tenants",
    "[address]": "address of the resource, or the path of its construct",
    "[id]": "ID of the object (default: all that the resource can manage)",
  },
  options: [
    ...appOptions,
    ...variableOptions,
    secretsOption,
    ...engineOptions,
    lockOption,
    new Option("--tenants <file>", "import into the stacks of all tenants of this file"),
  ],
  action: async () => (await import("../actions/stacks/index.js")).importObjects,
});
