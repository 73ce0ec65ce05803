import { InvalidArgumentError, Option } from "commander";
import { parseShare, type Share } from "../../fleet/rollout/share";
import { parseWaves, type Waves } from "../../fleet/rollout/waves";
import { duration } from "./option-values";

/** Options of apply and destroy for runs over many stacks. */
export const rolloutOptions = [
  new Option(
    "--waves <sizes>",
    "start the stacks in waves of these cumulative sizes, as 1,5%,100%",
  ).argParser(waves),
  new Option(
    "--check <command>",
    "shell command between waves; the next wave begins if its exit code is 0",
  ),
  new Option(
    "--max-failures <number>",
    "maximum number or percentage of failed stacks: after more, no further stack starts (default: 0 with --waves, else any)",
  ).argParser(maxFailures),
  new Option(
    "--failure-mode <mode>",
    "strict: a stack changes something only if at most one more than --max-failures could then fail; soft: all stacks of a wave start at once",
  )
    .choices(["strict", "soft"])
    .default("strict"),
  new Option(
    "--wait <duration>",
    "longest time that the run waits for consoles to become ready, such as 5m (default: wait_timeout of each)",
  ).argParser(duration),
  new Option(
    "--run-log <path>",
    "record the run in this file, or in a new one in this folder, for --resume",
  ),
  new Option(
    "--resume <file>",
    "continue an earlier run from its log, without the stacks that it applied completely",
  ),
];

function waves(text: string): Waves {
  const parsed = parseWaves(text);
  if ("waves" in parsed) return parsed.waves;
  throw new InvalidArgumentError(parsed.problem);
}

function maxFailures(text: string): Share {
  const share = parseShare(text);
  if (share) return share;
  throw new InvalidArgumentError("It must be a whole number or a percentage, as 3 or 2%.");
}
