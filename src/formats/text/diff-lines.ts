import { stripVTControlCharacters } from "node:util";

/** The kind of a line of a plan's text, as its symbol says. */
export type LineKind = "added" | "removed" | "changed" | "comment" | "plain";

/** A line of a plan's text. The parts together are the line. */
export interface DiffLine {
  readonly kind: LineKind;
  readonly margin: string;
  /** `+`, `-`, `~`, `-/+`, `+/-` or `#`; empty in a plain line. */
  readonly symbol: string;
  readonly rest: string;
}

const KINDS: ReadonlyMap<string, LineKind> = new Map([
  ["+", "added"],
  ["-", "removed"],
  ["-/+", "removed"],
  ["+/-", "removed"],
  ["~", "changed"],
  ["#", "comment"],
]);

/**
 * Separates the lines of a text that was rendered with `MARKED_TEXT`. A symbol counts only where the
 * renderer emphasized it: the lines of a value, which may begin with the same characters, are plain.
 */
export function diffLines(text: string): readonly DiffLine[] {
  return text.split("\n").map((line) => {
    const plain = stripVTControlCharacters(line);
    const [margin = ""] = /^ */.exec(line) ?? [];
    const isMarked = line.startsWith("\x1b", margin.length);
    const [symbol = ""] = isMarked ? plain.slice(margin.length).split(" ", 1) : [];
    const kind = KINDS.get(symbol);
    if (kind === undefined) return { kind: "plain", margin: "", symbol: "", rest: plain };
    return { kind, margin, symbol, rest: plain.slice(margin.length + symbol.length) };
  });
}
