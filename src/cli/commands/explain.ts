import { Option } from "commander";
import { command } from "../command-line/command";
import { workloadLabels, workloadValue } from "../command-line/option-values";
import { appOptions, lockOption, secretsOption, variableOptions } from "../command-line/options";

export const explain = command({
  name: "explain",
  summary: "Show which policy decides for workloads, now and after the plan",
  examples: [
    "explain production --namespace prod-pay --image nginx:1.27",
    "explain --console --namespace default",
    "explain production --namespace 'prod-*' --image nginx",
    "explain production --live",
  ],
  arguments: { "[stack]": "name of the stack" },
  options: [
    ...appOptions,
    ...variableOptions,
    secretsOption,
    lockOption,
    new Option("--console", "read the console of the environment instead of a stack"),
    new Option(
      "--image <name>",
      'image, or a pattern of whole names; "" for none (default: any)',
    ).argParser(workloadValue),
    new Option("--exact-image", "take the image name as it is, without completing it"),
    new Option("--container <name>", "name of the container, or a pattern").argParser(
      workloadValue,
    ),
    new Option("--namespace <name>", "namespace of the workload, or a pattern").argParser(
      workloadValue,
    ),
    new Option("--host <name>", "host of the workload, or a pattern").argParser(workloadValue),
    new Option(
      "--workload-label <label>",
      "label of the workload (repeatable); with a pattern among them, it may have others",
    ).argParser(workloadLabels),
    new Option("--account-id <id>", "ID of the cloud account, or a pattern").argParser(
      workloadValue,
    ),
    new Option(
      "--live",
      "count the running containers with these values by the policies that decide for them",
    ),
    new Option("--json", "print one JSON document"),
  ],
  action: async () => (await import("../actions/stacks/index.js")).explain,
});
