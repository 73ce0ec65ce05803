import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { error } from "../../../core/diagnostics";
import { world } from "../../../core/io/world";
import { joined, printed, type Printed } from "../../../core/printed";
import type { StackPlan } from "../../../core/documents/stack-plan";
import { describeProtection } from "../../../review/protection/protection-text";
import { reviewProtection } from "../../../review/protection/review-protection";
import { ExitCode } from "../../exit-code";
import type { RunOptions } from "../../stacks/run-options";
import { openScreen, type Screen } from "../../terminal/screen";
import type { Terminal } from "../../terminal/terminal";
import { validate } from "./configuration";
import { planAndReport } from "./planning";

/**
 * Plans once, then synthesizes and validates at each save, and plans again when Enter is pressed. Only
 * plans read from consoles.
 */
export async function watch(
  terminal: Terminal,
  stacks: readonly string[],
  given: Omit<RunOptions, "engine">,
): Promise<ExitCode> {
  const options: RunOptions = { ...given, engine: "embedded" };
  const screen = openScreen(terminal, options);
  if (!terminal.interactive || options.input === false) {
    const detail = 'Each plan starts with a key. In a pipeline, use "validate" and "plan".';
    return screen.fail(error("A terminal is required", detail));
  }
  const stop = new AbortController();
  const release = terminal.onInterrupt(() => {
    stop.abort();
  });
  try {
    let seen = await readSources(terminal.directory);
    let effects = await planned(screen, stacks, options, undefined);
    while (!stop.signal.aborted) {
      const next = await nextEvent(terminal, seen, stop.signal);
      if (next === "end") break;
      if (next === "plan") {
        effects = (await planned(screen, stacks, options, effects)) ?? effects;
      } else {
        seen = next;
        await validate(terminal, stacks, options);
      }
    }
    return ExitCode.DONE;
  } finally {
    release();
  }
}

const PROMPT = "\nPress Enter to plan, Ctrl-C to end. Changed files are validated.\n";

type Event = "plan" | "end" | Sources;

/** Waits for Enter, the end of the input, an interrupt, or saved files. */
async function nextEvent(terminal: Terminal, seen: Sources, stop: AbortSignal): Promise<Event> {
  const over = new AbortController();
  const signal = AbortSignal.any([stop, over.signal]);
  try {
    return await Promise.race([
      terminal
        .ask(PROMPT, signal)
        .then((answer) => (answer === undefined ? ("end" as const) : ("plan" as const))),
      changedSources(terminal.directory, seen, signal),
    ]);
  } finally {
    over.abort();
  }
}

/** Sizes and times of files by path. */
type Sources = ReadonlyMap<string, string>;

const POLL_MS = 300;

/** Resolves when files were saved and no further one is. */
async function changedSources(
  folder: string,
  seen: Sources,
  signal: AbortSignal,
): Promise<Sources | "end"> {
  let before = seen;
  while (!signal.aborted) {
    await world.clock.sleep(POLL_MS, signal).catch(() => undefined);
    const present = await readSources(folder);
    if (!isSame(present, seen) && isSame(present, before)) return present;
    before = present;
  }
  return "end";
}

function isSame(one: Sources, other: Sources): boolean {
  return one.size === other.size && [...one].every(([path, mark]) => other.get(path) === mark);
}

/** Names of what the commands and other programs write: synthesized stacks, states, packages, hidden files. */
const NO_SOURCE = /^\.|^node_modules$|^cdktf\.out$|\.tfstate/;

/** Polled, since not every file system reports changes. */
async function readSources(folder: string): Promise<Sources> {
  const found = new Map<string, string>();
  const visit = async (directory: string): Promise<void> => {
    const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
    for (const entry of entries.filter(({ name }) => !NO_SOURCE.test(name))) {
      const path = join(directory, entry.name);
      if (entry.isDirectory()) await visit(path);
      const stats = entry.isFile() ? await lstat(path).catch(() => undefined) : undefined;
      if (stats) found.set(path, `${stats.size} ${stats.mtimeMs}`);
    }
  };
  await visit(folder);
  return found;
}

/** Plans, and compares the effects on protection with those of the last plan. Undefined after an error. */
async function planned(
  screen: Screen,
  stacks: readonly string[],
  options: RunOptions,
  last: readonly string[] | undefined,
): Promise<readonly string[] | undefined> {
  let effects: readonly string[] | undefined;
  await planAndReport(screen, stacks, options, {
    operation: "plan",
    mode: "normal",
    decide: ({ gate, plans }) => {
      gate.refuse(screen, plans);
      effects = plans.flatMap(effectsOf);
      if (last) screen.print(describeDifference(last, effects));
      return Promise.resolve(ExitCode.DONE);
    },
  });
  return effects;
}

/** Each effect of a plan on protection, one line each. */
function effectsOf(plan: StackPlan): readonly string[] {
  return [...reviewProtection(plan).values()].flatMap((review) =>
    describeProtection(review, { isWhole: true }).effects.flatMap(({ change, text, places }) =>
      change === "same"
        ? []
        : places.map(({ where }) => `${plan.stack}: ${change}, ${text}, for ${where}`),
    ),
  );
}

function describeDifference(last: readonly string[], present: readonly string[]): Printed {
  const lines = [
    ...present.filter((line) => !last.includes(line)).map((line) => printed`  + ${line}`),
    ...last.filter((line) => !present.includes(line)).map((line) => printed`  - ${line}`),
  ];
  return lines.length === 0
    ? printed`\nThe effect on protection is that of the last plan.\n`
    : printed`\nThe effect on protection, compared with the last plan:\n${joined(lines, "\n")}\n`;
}
