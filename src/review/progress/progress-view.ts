import { formatDuration } from "../../formats/text/progress-text";
import { printable, printed, type Printable } from "../../core/printed";
import type { TextOptions } from "../../formats/text/style";
import type { Progress } from "./progress-count";

/** `Applying: 312 of 1000 stacks done, 3 failed, 97 running, 41 per second, 17s left` in one line. */
export function progressLine(verb: string, progress: Progress): string {
  const slowest = slowestText(progress);
  return `${verb}: ${counts(progress).join(", ")}${slowest === "" ? "" : `; slowest: ${slowest}`}`;
}

/** The lines of a view that is drawn again and again. None is longer than the terminal is wide. */
export function progressView(
  verb: string,
  progress: Progress,
  { style, width }: Pick<TextOptions, "style" | "width">,
): readonly Printable[] {
  const { total, done, failed } = progress;
  const [first = "", ...others] = counts(progress);
  const bar = total === 0 ? 0 : Math.floor((BAR * done) / total);
  const plain = [`${verb} ${"█".repeat(bar)}${"░".repeat(BAR - bar)} ${first}`, ...others].join(
    ", ",
  );
  const slowest = slowestText(progress);
  const lines = [plain, ...(slowest === "" ? [] : [`Slowest: ${slowest}`])];
  const emphasis = failed > 0 ? style.red : style.bold;
  return lines.map((line, at) =>
    (at === 0 ? emphasis : style.dim)(printed`${cut(line, width - 1)}`).toString(),
  );
}

/** Characters of the bar. */
const BAR = 20;

function counts({ total, done, failed, running, rate, timeLeft }: Progress): readonly string[] {
  return [
    `${done} of ${total} stacks done`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    `${running} running`,
    ...(rate === undefined ? [] : [formatRate(rate)]),
    ...(timeLeft === undefined || done === total ? [] : [`${formatDuration(timeLeft)} left`]),
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
    .map(({ stack, elapsedMs }) => `${printable(stack)} (${formatDuration(elapsedMs)})`)
    .join(", ");
}

function cut(line: string, width: number): string {
  if (line.length <= width) return line;
  // Half of a character would be escaped, and longer than the whole.
  return `${line.slice(0, Math.max(0, width - 1)).replace(/[\ud800-\udbff]$/, "")}…`;
}
