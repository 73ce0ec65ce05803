import { memberOf } from "../../core/member-of";
import { InvalidArgumentError } from "commander";
import type { Platform } from "../../terraform-provider/installation";

/* Parsers of option values. */

export function wholeNumber(least: number) {
  return (text: string): number => {
    const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (number >= least) return number;
    throw new InvalidArgumentError(`It must be a whole number, ${least} or more.`);
  };
}

/** From 1% to 100%, with or without the sign. */
export function percentage(text: string): number {
  const number = /^\d+%?$/.test(text) ? Number.parseInt(text, 10) : 0;
  if (number >= 1 && number <= 100) return number;
  throw new InvalidArgumentError("It must be a percentage from 1% to 100%.");
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** Milliseconds, from Terraform's `30s`, `1m30s`, `1h`, `0`. */
export function duration(text: string): number {
  if (text === "0") return 0;
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)];
  if (parts.length === 0 || parts.map(([part]) => part).join("") !== text) {
    throw new InvalidArgumentError("It must be a duration such as 30s, 5m or 1h30m.");
  }
  return parts.reduce(
    (sum, [, count, unit = ""]) => sum + Number(count) * (memberOf(UNITS, unit) ?? 0),
    0,
  );
}

/** Like `duration`, but refuses 0. */
export function positiveDuration(text: string): number {
  const milliseconds = duration(text);
  if (milliseconds > 0) return milliseconds;
  throw new InvalidArgumentError("It must be longer than 0.");
}

/**
 * A program and its arguments, for a start without a shell. Blanks separate words; quotes and
 * backslashes work as in a POSIX shell, and nothing is expanded.
 */
export function commandWords(text: string): readonly string[] {
  const words = text.match(WORD) ?? [];
  if (words.length === 0 || text.replace(WORD, "").trim() !== "") {
    throw new InvalidArgumentError("It must be a program and its arguments, with closed quotes.");
  }
  return words.map((word) =>
    word.replace(QUOTED, (_, escaped?: string, double?: string, single?: string) =>
      double === undefined ? (escaped ?? single ?? "") : double.replace(/\\(["\\$`])/g, "$1"),
    ),
  );
}

const WORD = /(?:[^\s"'\\]|\\.|"(?:[^"\\]|\\.)*"|'[^']*')+/gs;
const QUOTED = /\\(.)|"((?:[^"\\]|\\.)*)"|'([^']*)'/gs;

/** A name that cdktf accepts for a stack. */
export function stackName(text: string): string {
  if (!/[\s*?[\]{}!]/.test(text)) return text;
  throw new InvalidArgumentError("It must be a name without spaces and *?[]{}!.");
}

/** One more value of a repeatable option. */
export function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

/** A value or pattern, given once. An empty one is a list without elements: it has no value. */
export function workloadValue(text: string, before?: readonly string[]): readonly string[] {
  if (before) throw new InvalidArgumentError("It is given twice, and a workload has one.");
  return workloadLabels(text);
}

/** One more label or pattern of labels; an empty one adds nothing. */
export function workloadLabels(text: string, before: readonly string[] = []): readonly string[] {
  if (!text.startsWith("-") || !text.includes("*")) return text === "" ? before : [...before, text];
  throw new InvalidArgumentError("A pattern with a dash in front exempts; name what to look for.");
}

/** One more platform, written as Terraform's `linux_amd64`. */
export function platforms(text: string, before: readonly Platform[] = []): readonly Platform[] {
  const [, os, arch] = /^([a-z0-9]+)_([a-z0-9]+)$/.exec(text) ?? [];
  if (os === undefined || arch === undefined) {
    throw new InvalidArgumentError("It must be a system and an architecture, as in linux_amd64.");
  }
  return [...before, { os, arch }];
}
