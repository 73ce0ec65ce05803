import { InvalidArgumentError, Option } from "commander";
import { parseShare, type Share } from "../../fleet/rollout/share";
import { parseWaves, type Waves } from "../../fleet/rollout/wave-steps";
import { duration, wholeNumber } from "./option-values";

/** Options of apply and destroy for runs over many stacks. */
export const rolloutOptions = [
  new Option(
    "--waves <waves>",
    "start the stacks in waves of these cumulative sizes, as 1,5%,100%, or by label, as ring=canary,region=eu/10%,100%; :5 behind one changes 5 stacks at a time, :manual waits for an approval",
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
    "--count-excluded",
    "count stacks as failed whose row has errors or whose secret is missing",
  ),
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
    "--until-wave <number>",
    "end after this wave; the record of the run waits for an approval of the next one",
  ).argParser(wholeNumber(1)),
  new Option(
    "--run-log <path>",
    "record the run in this file, or in a new one in this folder (a name without an ending), for --resume",
  ),
  new Option(
    "--run-id <id>",
    "ID of the run in its record (default: a new one); shards of one run have the same",
  ).argParser(runId),
  new Option(
    "--resume <file>",
    "continue an earlier run from its log, without the stacks that it applied completely",
  ),
  new Option(
    "--approve-wave <number>",
    "start this wave of the resumed run, which waits for it, and none after it (more with --until-wave), if the plans are those that were recorded",
  ).argParser(wholeNumber(1)),
];

function waves(text: string): Waves {
  const parsed = parseWaves(text);
  if ("waves" in parsed) return parsed.waves;
  throw new InvalidArgumentError(parsed.problem);
}

function runId(text: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/.test(text)) return text;
  throw new InvalidArgumentError(
    "It must have letters, digits, dots, hyphens and underscores only, up to 100.",
  );
}

export function maxFailures(text: string): Share {
  const share = parseShare(text);
  if (share) return share;
  throw new InvalidArgumentError("It must be a whole number or a percentage, as 3 or 2%.");
}
