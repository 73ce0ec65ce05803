import { Option } from "commander";
import { command } from "../command-line/command";

export const providerSchema = command({
  name: "schema",
  summary: "Show the schema of the provider",
  examples: ["provider schema --json"],
  options: [
    new Option(
      "--json",
      "print the format of `terraform providers schema -json`",
    ).makeOptionMandatory(),
  ],
  action: async () => (await import("../actions/provider/index.js")).providerSchema,
});
