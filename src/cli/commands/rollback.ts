import { command } from "../command-line/command";
import { approveOption, gateOptions, runOptions } from "../command-line/options";
import { rolloutOptions } from "../command-line/rollout-options";

export const rollback = command({
  name: "rollback",
  summary: "Put back what a recorded run has changed, as apply --rollback",
  examples: ["rollback run.jsonl", "rollback run.jsonl 'tenant-*' --waves 1,100%"],
  arguments: {
    "<run>": "run log of the run",
    "[stacks...]": "names or patterns of the stacks (default: all of the run)",
  },
  options: [...runOptions, ...gateOptions, ...rolloutOptions, approveOption],
  action: async () => (await import("../actions/stacks/index.js")).rollback,
});
