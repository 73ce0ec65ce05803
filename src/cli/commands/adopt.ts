import { Option } from "commander";
import { command } from "../command-line/command";
import { collect, percentage, stackName } from "../command-line/option-values";

export const adopt = command({
  name: "adopt",
  summary: "Write a stack for the existing objects of the console",
  examples: [
    "adopt",
    "adopt --output src/console.ts --ownership prefix",
    "adopt --path policies/admission",
    "adopt --only compliance_policy_set collection",
    "adopt --tenants tenants.csv",
  ],
  options: [
    new Option("--output <path>", "folder or .ts file to write").default("adopted"),
    new Option(
      "--path <api-path>",
      "path below /api/v1 to adopt as a generic resource, instead of all typed resources; repeatable",
    ).argParser(collect),
    new Option(
      "--only <kind...>",
      "kinds to adopt instead of all typed resources: types without cwp_, or kinds of the catalogue",
    ),
    new Option("--name <name>", "name of the stack").argParser(stackName).default("adopted"),
    new Option("--ownership <ownership>", "ownership of the compliance policies")
      .choices(["exclusive", "prefix", "suffix"])
      .default("exclusive"),
    new Option(
      "--tenants <file>",
      "write one program for the consoles of a file of tenants",
    ).conflicts(["path", "only", "name"]),
    new Option("--consoles <file>", "the same for a file with an address on each line").conflicts([
      "path",
      "only",
      "name",
      "tenants",
    ]),
    new Option("--common <percentage>", "what at least so many tenants share is the base line")
      .argParser(percentage)
      .default(80, "80%"),
    new Option("--force", "overwrite an existing file"),
  ],
  action: async () => (await import("../actions/console/index.js")).adopt,
});
