import { memberOf } from "../../core/member-of";
import type { SyntaxNode } from "./syntax-tree";

/** The unit of text between sequences: `lines` in a template that was given as text, else `whole`. */
export type TextUnit = "lines" | "whole";

/** Removes the white space that a `~` in the sequence before or after asks to remove. */
export function stripText(
  value: string,
  { range }: SyntaxNode,
  { source, text: unit }: { readonly source: Buffer; readonly text: TextUnit },
): string {
  const before = source.subarray(Math.max(0, range.start.byte - 2), range.start.byte).toString();
  const behind = source.subarray(range.end.byte, range.end.byte + 3).toString();
  const left = before === "~}" ? value.replace(SPACE_AT_START[unit], "") : value;
  return behind === "${~" || behind === "%{~" ? left.replace(SPACE_AT_END[unit], "") : left;
}

/** In text, HCL takes each line for itself: white space goes up to a line break, which is included. */
const SPACE_AT_START = { whole: /^\s+/, lines: /^[^\S\n]*\n?/ };
const SPACE_AT_END = { whole: /\s+$/, lines: /[^\S\n]*\n?$/ };

const ESCAPES: { readonly [escape: string]: string } = { n: "\n", r: "\r", t: "\t" };

export function unescape(raw: string, heredoc: boolean): string {
  const value = raw.replace(
    /\$\$\{|%%\{|\\u([\da-fA-F]{4})|\\U([\da-fA-F]{8})|\\(.)/g,
    (all, short?: string, long?: string, single?: string) => {
      if (all === "$${" || all === "%%{") return all.slice(1);
      if (heredoc) return all;
      const code = short ?? long;
      if (code) return String.fromCodePoint(Number.parseInt(code, 16));
      return single === undefined ? all : (memberOf(ESCAPES, single) ?? single);
    },
  );
  return value.normalize("NFC");
}
