import { Option } from "commander";
import { command } from "../command-line/command";
import { storedOptions } from "../command-line/options";

export const output = command({
  name: "output",
  summary: "Show output values from the state",
  examples: ["output console_url"],
  arguments: { "[name]": "name of the output (default: all)" },
  options: [
    ...storedOptions,
    new Option("--json", "print Terraform's JSON format"),
    new Option("--raw", "print one value without quotes").conflicts("json"),
  ],
  action: async () => (await import("../actions/stacks/index.js")).output,
});
