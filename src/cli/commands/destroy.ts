import { command } from "../command-line/command";
import { remoteOptions } from "../command-line/remote-options";
import { approveOption, ignoreDependentsOption, runOptions } from "../command-line/options";
import { rolloutOptions } from "../command-line/rollout-options";

export const destroy = command({
  name: "destroy",
  summary: "Destroy all objects that the stacks manage",
  examples: ["destroy production"],
  arguments: { "[stacks...]": "names or patterns of the stacks (default: all)" },
  options: [
    ...runOptions,
    ignoreDependentsOption,
    ...rolloutOptions,
    approveOption,
    ...remoteOptions,
  ],
  action: async () => (await import("../actions/stacks/index.js")).destroy,
});
