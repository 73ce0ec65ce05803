import { Option } from "commander";
import { positiveDuration } from "./option-values";

/** Options of plan, apply and destroy over many machines. */
export const remoteOptions = [
  new Option("--on <engine>", "run on the workers of a server instead of in this process").choices([
    "temporal",
  ]),
  new Option("--queue-by <label>", "label whose value names the queue of a stack's workers"),
  new Option(
    "--lease <duration>",
    "time without a sign of a worker after which another one takes over its stacks (default: 30s)",
  ).argParser(positiveDuration),
];
