import { Option } from "commander";
import { command } from "../command-line/command";
import { stackOptions } from "../command-line/options";

export const forceUnlock = command({
  name: "force-unlock",
  summary: "Release a stuck lock on the state of a stack",
  examples: [
    "force-unlock 4c7b929d-45e1-c8cd-3976-c8ca57584107",
    "force-unlock --run runs/night-1.jsonl",
  ],
  arguments: { "[id]": "ID of the lock, as the lock error reports it" },
  options: [
    ...stackOptions,
    new Option(
      "--run <run>",
      "release all locks of this run instead, by its record or the ID of that; of all stacks, or of those with --stack",
    ),
    new Option("--force", "skip interactive confirmation"),
  ],
  action: async () => (await import("../actions/stacks/index.js")).forceUnlock,
});
