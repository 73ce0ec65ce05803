import type { Evaluated } from "../evaluated";
import { FunctionFailure } from "./language-function";

/*
 * Terraform's patterns are RE2's. They are rewritten for JavaScript where the two differ in
 * spelling; what JavaScript cannot express, or RE2 does not have, is refused.
 */

const CLASSES: { readonly [name: string]: string } = {
  alnum: "0-9A-Za-z",
  alpha: "A-Za-z",
  ascii: "\\x00-\\x7F",
  blank: "\\t ",
  cntrl: "\\x00-\\x1F\\x7F",
  digit: "0-9",
  graph: "!-~",
  lower: "a-z",
  print: " -~",
  punct: "!-\\/:-@\\[-`\\{-~",
  space: "\\t\\n\\v\\f\\r ",
  upper: "A-Z",
  word: "0-9A-Za-z_",
  xdigit: "0-9A-Fa-f",
};

const TOKEN =
  /\[\[:(?<posix>\^?\w+):\]|\[:(?<inner>\^?\w+):\]|\(\?P?<(?<group>\w+)>|\(\?(?<flags>[a-zA-Z-]+)(?<scope>[:)])|(?<look>\(\?<?[=!])|\\(?<escape>x\{[\da-fA-F]+\}|[^])/g;

/** Compiles an RE2 pattern; `extra` are JavaScript flags on top of Unicode. */
function compile(pattern: string, extra: string): RegExp | FunctionFailure {
  const leading = /^\(\?([ims]+)\)/.exec(pattern);
  const body = leading ? pattern.slice(leading[0].length) : pattern;
  const multiline = leading?.[1]?.includes("m") ?? false;
  let refused: string | undefined;
  const rewritten = body.replace(TOKEN, (all, ...rest: unknown[]) => {
    const groups = rest.at(-1) as Readonly<Record<string, string | undefined>>;
    const posix = groups.posix ?? groups.inner;
    if (posix !== undefined) {
      const inside = CLASSES[posix];
      if (inside === undefined) refused = `the character class ${all}`;
      return (groups.posix === undefined ? "" : "[") + (inside ?? "");
    }
    if (groups.group !== undefined) return `(?<${groups.group}>`;
    if (groups.flags !== undefined) refused = `the flags ${all}`;
    if (groups.look !== undefined) refused = `the lookaround ${all}`;
    if (groups.escape !== undefined) {
      const escape = rewriteEscape(groups.escape, multiline);
      if (escape === undefined) refused = `the escape ${all}`;
      return escape ?? "";
    }
    return all;
  });
  if (refused !== undefined) {
    return new FunctionFailure(
      `this executor does not know ${refused} in a pattern; Terraform may run the stack`,
      "pattern",
    );
  }
  try {
    return new RegExp(rewritten, `u${extra}${leading?.[1] ?? ""}`);
  } catch {
    return new FunctionFailure("invalid regexp pattern", "pattern");
  }
}

function rewriteEscape(escape: string, multiline: boolean): string | undefined {
  if (escape.startsWith("x{")) return `\\u${escape.slice(1)}`;
  if (escape === "A" && !multiline) return "^";
  if (escape === "z" && !multiline) return "$";
  if (escape === "a") return "\\x07";
  if (escape === "s") return "[\\t\\n\\f\\r ]";
  if (escape === "S") return "[^\\t\\n\\f\\r ]";
  if (/[dDwWbBpPtnrfvx]/.test(escape)) return `\\${escape}`;
  if (/[A-Za-z0-9]/.test(escape)) return undefined;
  return /[\^$\\.*+?()[\]{}|/-]/.test(escape) ? escapePunctuation(escape) : escape;
}

/** A dash may be escaped within a class only; written as a code point it may stand anywhere. */
function escapePunctuation(character: string): string {
  return character === "-" ? "\\x2D" : `\\${character}`;
}

export function findFirst(pattern: string, text: string): Evaluated | FunctionFailure {
  const compiled = compile(pattern, "");
  if (compiled instanceof FunctionFailure) return compiled;
  const match = compiled.exec(text);
  return match
    ? captures(match)
    : new FunctionFailure("pattern did not match any part of the given string");
}

export function findAll(pattern: string, text: string): Evaluated | FunctionFailure {
  const compiled = compile(pattern, "g");
  if (compiled instanceof FunctionFailure) return compiled;
  return Array.from(text.matchAll(compiled), captures);
}

/** Without groups the match; with names an object; else a list. */
function captures(match: RegExpExecArray): Evaluated {
  if (match.groups) {
    return Object.fromEntries(
      Object.entries(match.groups).map(([name, value]: [string, string | undefined]) => [
        name,
        value ?? null,
      ]),
    );
  }
  if (match.length === 1) return match[0];
  return match.slice(1).map((value: string | undefined) => value ?? null);
}

/** Replaces each match; `$1`, `$name` and `${name}` in `by` stand for groups, `$$` for a dollar. */
export function replaceAll(text: string, pattern: string, by: string): string | FunctionFailure {
  const compiled = compile(pattern, "g");
  if (compiled instanceof FunctionFailure) return compiled;
  return text.replace(compiled, (...match: unknown[]) => {
    const last = match.at(-1);
    const groups: ReadonlyMap<string, unknown> = new Map(
      typeof last === "object" && last !== null ? Object.entries(last) : [],
    );
    const count = match.findIndex((part) => typeof part === "number");
    return by.replace(
      /\$(?:\$|(\w+)|\{(\w+)\})/g,
      (all, bare: string | undefined, braced: string | undefined) => {
        const name = bare ?? braced;
        if (name === undefined) return "$";
        const position = Number(name);
        const value = Number.isInteger(position)
          ? position < count
            ? match[position]
            : undefined
          : groups.get(name);
        return typeof value === "string" ? value : "";
      },
    );
  });
}
