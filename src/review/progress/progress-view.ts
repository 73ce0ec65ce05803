import { formatDuration } from "../../formats/text/progress-text";
import { joined, printable, printed, type Printable, type Printed } from "../../core/printed";
import type { TextOptions } from "../../formats/text/style";
import type { Progress } from "./progress-count";

/**
 * `Applying: 312 of 1500 operations, 41 per second, 29s left, 97 of 300 stacks, …` in one line, or in more
 * if it would be wider than 80 columns.
 */
export function progressLine(verb: string, progress: Progress): Printed {
  const slowest = slowestText(progress);
  const counts = [...work(progress), ...stacksText(progress)];
  const parts = [counts.join(", "), ...(slowest === "" ? [] : [`slowest: ${slowest}`])];
  const line = `${verb}: ${[...parts, ...limitsText(progress.limits)].join("; ")}`;
  return joined(wrapped(line.split(" ")), "\n");
}

/** The width of an output that is not a terminal. */
const LINE_COLUMNS = 80;

/** Joins words to lines; those behind the first one are indented. */
function wrapped(words: readonly string[]): readonly string[] {
  const lines = [""];
  for (const word of words) {
    const last = lines.at(-1) ?? "";
    const joined = last === "" ? word : `${last} ${word}`;
    if (joined.length <= LINE_COLUMNS || last === "") lines.splice(-1, 1, joined);
    else lines.push(`  ${word}`);
  }
  return lines.map((line) => cut(line, LINE_COLUMNS));
}

/** `The console limits writes: about 1 per second` for each limit, or one line for many. */
export function limitLines(limits: readonly string[]): readonly string[] {
  return limitsText(limits).map((text) => text.replace(/^t/, "T"));
}

function limitsText(limits: readonly string[]): readonly string[] {
  const all = [...new Set(limits)].map((limit) => `the console ${limit}`);
  return all.length <= MOST_LIMITS ? all : [`${limits.length} limits of consoles slow the run`];
}

const MOST_LIMITS = 3;

/** The lines of a view that is drawn again and again. None is longer than the terminal is wide. */
export function progressView(
  verb: string,
  progress: Progress,
  { style, width }: Pick<TextOptions, "style" | "width">,
): readonly Printable[] {
  const { total, done } = main(progress);
  const bar = total === 0 ? 0 : Math.floor((BAR_COLUMNS * done) / total);
  const title = `${verb} ${"█".repeat(bar)}${"░".repeat(BAR_COLUMNS - bar)}`;
  const slowest = slowestText(progress);
  const lines = [
    `${title} ${work(progress).join(", ")}`,
    stacksText(progress).join(", "),
    ...(slowest === "" ? [] : [`Slowest: ${slowest}`]),
    ...limitLines(progress.limits),
  ];
  const emphasis = progress.stacks.failed > 0 ? style.red : style.bold;
  return lines
    .filter((line) => line !== "")
    .map((line, at) =>
      (at === 0 ? emphasis : style.dim)(printed`${cut(line, width - 1)}`).toString(),
    );
}

/** Characters of the bar. */
const BAR_COLUMNS = 16;

/** The count of the work: operations, or stacks where they are not known. */
function main({ operations, stacks }: Progress) {
  return operations.total > 0 ? operations : stacks;
}

function work(progress: Progress): readonly string[] {
  const { rate, timeLeft, operations } = progress;
  const { done, total } = main(progress);
  return [
    `${done} of ${total} ${operations.total > 0 ? "operations" : "stacks"}`,
    ...(rate === undefined || done === total ? [] : [formatRate(rate)]),
    ...(timeLeft === undefined || done === total ? [] : [`${formatDuration(timeLeft)} left`]),
  ];
}

function stacksText({ operations, stacks }: Progress): readonly string[] {
  const { done, total, failed, running, waiting } = stacks;
  return [
    ...(operations.total > 0 ? [`${done} of ${total} stacks`] : []),
    ...(failed > 0 ? [`${failed} failed`] : []),
    `${running} running`,
    ...(waiting > 0 ? [`${waiting} waiting`] : []),
  ];
}

function formatRate(rate: number): string {
  if (rate < 0.5) return `${(60 * rate).toFixed(1)} per minute`;
  return `${rate < 10 ? rate.toFixed(1) : Math.round(rate)} per second`;
}

/** Stacks that have just started are not slow. */
const SLOW_MS = 1000;

function slowestText({ slowest }: Progress): string {
  return slowest
    .filter(({ elapsedMs }) => elapsedMs >= SLOW_MS)
    .map(({ stack, elapsedMs, reason }) => {
      const why = reason === undefined ? "" : `, ${printable(withoutRequest(reason))}`;
      return `${printable(stack)} (${formatDuration(elapsedMs)}${why})`;
    })
    .join(", ");
}

/** The line has no room for the address of a console. */
function withoutRequest(reason: string): string {
  return reason.replace(/^waiting: (?:(?:[A-Z]+ )?https:\/\/\S+ )?/, "");
}

/** Cuts a line behind a word; a single word is cut where it has to be. */
function cut(line: string, width: number): string {
  if (line.length <= width) return line;
  const fitting = line.slice(0, Math.max(0, width - 1));
  const words = line[fitting.length] === " " ? fitting : fitting.replace(/(\S) +\S*$/, "$1");
  // Half of a character would be escaped, and longer than the whole.
  return `${words.trimEnd().replace(/[\ud800-\udbff]$/, "")}…`;
}
