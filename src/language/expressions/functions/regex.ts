import type { RE2JS } from "re2js" with { "resolution-mode": "import" };
import { convert } from "../convert";
import { unmarkRoot } from "../../../core/marks";
import { listOf } from "../../../core/typed-values";
import type { Evaluated } from "../../../core/values";
import { ANY, objectOf, STRING, type Type } from "../../../core/types";
import { fail } from "./language-function";

let compilePattern: ((pattern: string) => RE2JS) | undefined;

/** Loads the RE2 engine, which the functions of this module need. */
export async function loadRegex(): Promise<void> {
  const library = await import("re2js");
  compilePattern = (pattern) => library.RE2JS.compile(pattern);
}

/** The captures of a match with their positions; `undefined` for a group that did not take part. */
interface Match {
  readonly start: number;
  readonly end: number;
  readonly groups: readonly (string | undefined)[];
}

function compile(pattern: string): RE2JS {
  if (!compilePattern) throw new Error("The parser did not load the regular expression engine.");
  try {
    return compilePattern(pattern);
  } catch {
    return fail("invalid regexp pattern", "pattern");
  }
}

/** Finds the leftmost match at or after a position. */
function matchFrom(compiled: RE2JS, text: string, position: number): Match | undefined {
  const matcher = compiled.matcher(text);
  if (!matcher.find(position)) return undefined;
  const groups = Array.from(
    { length: compiled.groupCount() + 1 },
    (_, group) => matcher.group(group) ?? undefined,
  );
  return { start: matcher.start(), end: matcher.end(), groups };
}

/** Returns the width of the character at a position, at least 1. */
function widthAt(text: string, position: number): number {
  return (text.codePointAt(position) ?? 0) > 0xffff ? 2 : 1;
}

/** Finds all matches as Go does: an empty one directly after another match does not count. */
function allMatches(compiled: RE2JS, text: string): readonly Match[] {
  const matches: Match[] = [];
  let previousEnd = -1;
  for (let position = 0; position <= text.length;) {
    const match = matchFrom(compiled, text, position);
    if (!match) break;
    if (match.end > position || match.start !== previousEnd) matches.push(match);
    position = match.end > position ? match.end : position + widthAt(text, position);
    previousEnd = match.end;
  }
  return matches;
}

/** Returns the type of a match: a string, an object of named groups, or a tuple of groups. */
function typeOfMatch(compiled: RE2JS): Type {
  const names = Object.keys(compiled.namedGroups());
  const count = compiled.groupCount();
  if (count === 0) return STRING;
  if (names.length === 0)
    return { kind: "tuple", elements: Array.from({ length: count }, () => STRING) };
  return names.length < count
    ? fail("cannot mix both named and unnamed capture groups", "pattern")
    : objectOf(names.map((name) => [name, STRING]));
}

function captures(compiled: RE2JS, { groups }: Match, type: Type): Evaluated {
  const [whole = "", ...rest] = groups;
  if (type.kind === "string") return whole;
  if (type.kind === "tuple")
    return convert(
      rest.map((group) => group ?? null),
      type,
    ).value;
  const names = Object.entries(compiled.namedGroups());
  return convert(
    Object.fromEntries(names.map(([name, group]) => [name, groups[group] ?? null])),
    type,
  ).value;
}

/** Returns the type of the matches of a pattern that may be unknown. */
export function matchType([pattern = null]: readonly Evaluated[]): Type {
  const { value } = unmarkRoot(convert(pattern, STRING).value);
  return typeof value === "string" ? typeOfMatch(compile(value)) : ANY;
}

export function findFirst(pattern: string, text: string): Evaluated {
  const compiled = compile(pattern);
  const match = matchFrom(compiled, text, 0);
  return match
    ? captures(compiled, match, typeOfMatch(compiled))
    : fail("pattern did not match any part of the given string");
}

export function findAll(pattern: string, text: string): Evaluated {
  const compiled = compile(pattern);
  const type = typeOfMatch(compiled);
  const found = allMatches(compiled, text).map((match) => captures(compiled, match, type));
  return listOf(found, type);
}

/** Replaces each match; `$1`, `$name` and `${name}` in `by` refer to groups, `$$` is a dollar. */
export function replaceAll(text: string, pattern: string, by: string): string {
  const compiled = compile(pattern);
  const names = new Map(Object.entries(compiled.namedGroups()));
  let result = "";
  let copied = 0;
  for (const { start, end, groups } of allMatches(compiled, text)) {
    const replacement = by.replace(
      /\$(?:\$|([\p{L}\p{Nd}_]+)|\{([\p{L}\p{Nd}_]+)\})/gu,
      (_, bare: string | undefined, braced: string | undefined) => {
        const name = bare ?? braced;
        if (name === undefined) return "$";
        return groups[/^\d+$/.test(name) ? Number(name) : (names.get(name) ?? -1)] ?? "";
      },
    );
    result += text.slice(copied, start) + replacement;
    copied = end;
  }
  return result + text.slice(copied);
}
