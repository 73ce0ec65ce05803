import { Option } from "commander";
import type { Decision } from "../../temporal";
import { command, group } from "../command-line/command";
import { wholeNumber } from "../command-line/option-values";
import {
  appOptions,
  approveOption,
  contractOption,
  failOnOption,
  reviewGateOptions,
  selectionOptions,
} from "../command-line/options";
import { remoteOptions } from "../command-line/remote-options";
import { maxFailures, rolloutOptions } from "../command-line/rollout-options";

const RUN = { "<id>": "ID of the run, as apply --on temporal prints it" };

const waveOption = new Option(
  "--wave <number>",
  "number of the wave that the run asks about (required)",
).argParser(wholeNumber(1));

/** The options of apply that a rollback over many machines has. */
const OF_ROLLBACKS: ReadonlySet<string> = new Set([
  "--fail-on",
  "--allow-weaker",
  "--allow-unknown",
  "--contract",
  "--waves",
  "--max-failures",
  "--run-id",
  "--queue-by",
  "--lease",
]);

type Kind = Exclude<Decision["kind"], "set">;

function decision(name: Kind, summary: string, options: readonly Option[] = []) {
  return command({
    name,
    summary,
    examples: [`${name} night-1${options.length > 0 ? " --wave 2" : ""}`],
    arguments: RUN,
    options,
    action: async () => (await import("../actions/stacks/index.js")).rolloutDecisions[name],
  });
}

export const rolloutCommands = [
  command({
    name: "list",
    summary: "List the runs on Temporal",
    examples: ["list"],
    action: async () => (await import("../actions/stacks/index.js")).rolloutList,
  }),
  command({
    name: "show",
    summary: "Show where a run is",
    examples: ["show night-1"],
    arguments: RUN,
    options: [new Option("--json", "print one JSON document")],
    action: async () => (await import("../actions/stacks/index.js")).rolloutShow,
  }),
  command({
    name: "wait",
    summary: "Show a run until it ends, with the exit code of apply",
    examples: ["wait night-1"],
    arguments: RUN,
    action: async () => (await import("../actions/stacks/index.js")).rolloutWait,
  }),
  decision("approve", "Start the wave that a run waits with", [waveOption]),
  decision("reject", "End a run instead of starting the wave that it waits with", [waveOption]),
  decision("pause", "Start no further stacks of a run until it is continued"),
  decision("continue", "Continue a paused run"),
  command({
    name: "set",
    summary: "Change the limits of a run that goes on",
    examples: ["set night-1 --max-failures 5", "set night-1 --parallelism 20"],
    arguments: RUN,
    options: [
      new Option(
        "--max-failures <number>",
        "maximum number or percentage of failed stacks",
      ).argParser(maxFailures),
      new Option(
        "--parallelism <count>",
        "maximum number of stacks that change at a time; dependent ones count as one",
      ).argParser(wholeNumber(1)),
    ],
    action: async () => (await import("../actions/stacks/index.js")).rolloutSet,
  }),
  command({
    name: "rollback",
    summary: "Put back what a run has changed, by workers that allow rollback",
    examples: ["rollback night-1", "rollback night-1 'tenant-*' --waves 1,100%"],
    arguments: {
      ...RUN,
      "[stacks...]": "names or patterns of the stacks (default: all of the run)",
    },
    options: [
      ...appOptions,
      ...selectionOptions,
      ...[...reviewGateOptions, ...rolloutOptions, ...remoteOptions].filter(
        ({ long }) => long !== undefined && OF_ROLLBACKS.has(long),
      ),
      approveOption,
    ],
    action: async () => (await import("../actions/stacks/index.js")).rolloutRollback,
  }),
  command({
    name: "record",
    summary: "Join the record of a run from the backends of its stacks",
    examples: ["record night-1", "record night-1 --out runs/night-1.jsonl"],
    arguments: RUN,
    options: [
      ...appOptions,
      new Option("--out <file>", "file for the record (default: the ID with .jsonl)"),
    ],
    action: async () => (await import("../actions/stacks/index.js")).rolloutRecord,
  }),
  decision("stop", "End a run after the stacks that its workers have"),
  group("schedule", "Read or plan stacks at certain times, by Temporal's schedules", [
    command({
      name: "add",
      summary: "Read or plan stacks at the times of a cron expression",
      examples: [
        'add status --cron "0 6 * * *" --queue-by zone',
        "add plan --cron @daily --queue-by zone",
      ],
      notes:
        "Its runs are named after it and their time. Add it again after each change of\nthe app, of the contract or of the version of cdktf-console: workers refuse\nothers.",
      arguments: {
        "<operation>": "status or plan; both change nothing",
        "[stacks...]": "names or patterns of the stacks (default: all)",
      },
      options: [
        new Option("--cron <expression>", "times in UTC (required)"),
        new Option("--id <id>", "ID of the schedule (default: the operation)"),
        ...appOptions,
        ...selectionOptions,
        failOnOption,
        contractOption,
        ...remoteOptions.filter(({ long }) => long !== "--on"),
      ],
      action: async () => (await import("../actions/stacks/index.js")).scheduleAdd,
    }),
    command({
      name: "list",
      summary: "List the schedules",
      examples: ["list"],
      action: async () => (await import("../actions/stacks/index.js")).scheduleList,
    }),
    command({
      name: "delete",
      summary: "Delete a schedule; a run that it has started goes on",
      examples: ["delete daily"],
      arguments: { "<id>": "ID of the schedule" },
      action: async () => (await import("../actions/stacks/index.js")).scheduleDelete,
    }),
  ]),
];
