import type { Difference, Effect, Scalar } from "../difference/difference";
import { pairElements } from "../difference/sequence";
import { printableLines } from "../../core/printed";
import {
  indentation,
  nullNote,
  replacementNote,
  symbol,
  type RenderOptions,
} from "./render-options";

/** True for a text that is shown as a heredoc. */
export function isMultiline(value: Scalar | undefined): value is string {
  return typeof value === "string" && value.includes("\n");
}

/** The printable lines of a text. */
export function linesOf(value: Scalar | undefined): string[] {
  return typeof value === "string" ? printableLines(value.trim()).split("\n") : ["null"];
}

/** A line, with the symbol in front of it. */
type Line = readonly [symbol: string, text: string];

/** Pairs the lines of two texts, and marks those that are only in one. */
export function changedLines(
  before: Scalar | undefined,
  after: Scalar | undefined,
  options: RenderOptions,
): Line[] {
  const [from, to] = [linesOf(before), linesOf(after)];
  const equal = (a: string, b: string) => a === b;
  return pairElements(from, to, { equal }).flatMap(([b, a]) => {
    const left = b === undefined ? undefined : from[b];
    const right = a === undefined ? undefined : to[a];
    const line = (effect: Effect, text: string | undefined): Line[] =>
      text === undefined ? [] : [[symbol(effect, options), text]];
    if (left === right) return line("none", left);
    return [...line("delete", left), ...line("create", right)];
  });
}

/** Renders lines as a heredoc in Terraform's layout. */
export function heredoc(
  difference: Difference,
  lines: readonly Line[],
  level: number,
  options: RenderOptions,
): string {
  const margin = indentation(level + 1);
  return [
    `<<-EOT${replacementNote(difference, options)}`,
    ...lines.map(([mark, text]) => `${margin}${mark}${text}`),
    `${indentation(level)}${symbol("none", options)}EOT${nullNote(difference, options)}`,
  ].join("\n");
}
