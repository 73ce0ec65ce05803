import { Option } from "commander";
import { command } from "../command-line/command";
import { reviewGateOptions, reviewOptions, verdictOptions } from "../command-line/options";

export const review = command({
  name: "review",
  summary: "Show plans that terraform show -json printed",
  examples: [
    "review plan.json",
    "review tenants/*.json --html review.html --fail-on weaker",
    "review plan.json --json",
    "review plan.json --console --live",
  ],
  arguments: {
    "<files...>": "plans in Terraform's JSON format, named after the files; - for standard input",
  },
  options: [
    ...reviewOptions,
    ...verdictOptions,
    ...reviewGateOptions,
    new Option(
      "--console",
      "read the policies that the plans lack from the console of CONSOLE_URL",
    ),
    new Option(
      "--live",
      "count the running containers of this console that change (implies --console)",
    ).implies({ console: true }),
    new Option("--json", "print the review as one JSON document"),
  ],
  notes: `Create a file with "terraform plan -out=plan.bin" and
"terraform show -json plan.bin". Sensitive values are in it in plain text.`,
  action: async () => (await import("../actions/stacks/index.js")).review,
});
