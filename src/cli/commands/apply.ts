import { command } from "../command-line/command";
import { remoteOptions } from "../command-line/remote-options";
import {
  approveOption,
  changeOptions,
  gateOptions,
  rollbackOption,
  runOptions,
} from "../command-line/options";
import { rolloutOptions } from "../command-line/rollout-options";

export const apply = command({
  name: "apply",
  aliases: ["deploy", "up"],
  summary: "Apply the changes required by the configuration, or a saved plan",
  examples: [
    "apply",
    "apply production --auto-approve",
    "apply production.plan",
    "apply --waves 1,5%,100% --check ./smoke.sh --run-log run.jsonl",
    "apply --resume run.jsonl --run-log run.jsonl",
    "apply --rollback run.jsonl",
  ],
  arguments: {
    "[stacks...]": "names or patterns of the stacks (default: all), or the file of a saved plan",
  },
  options: [
    ...runOptions,
    ...changeOptions,
    rollbackOption,
    ...gateOptions,
    ...rolloutOptions,
    approveOption,
    ...remoteOptions,
  ],
  action: async () => (await import("../actions/stacks/index.js")).apply,
});
