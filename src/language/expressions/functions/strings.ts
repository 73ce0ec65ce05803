import { UNKNOWN, type Evaluated } from "../../../core/values";
import { rangeOf } from "../ranges";
import { graphemes } from "../graphemes";
import type { LanguageFunction, Parameter } from "./language-function";
import {
  define,
  defineVariadic,
  fail,
  refuse,
  integer,
  withName,
  string,
  nullableStrings,
  raw,
} from "./language-function";
import { LIMITS, TOO_LONG } from "../limits";
import { format, formatList } from "./format";
import { lower, SPACE, title, upper } from "./letter-case";
import { findAll, findFirst, loadRegex, replaceAll } from "./regex";

function trimCharacters(text: string, characters: string, sides: "start" | "end" | "both"): string {
  const all = new Set(characters);
  const letters = Array.from(text);
  let start = 0;
  let end = letters.length;
  if (sides !== "end") while (start < end && all.has(letters[start] ?? "")) start += 1;
  if (sides !== "start") while (end > start && all.has(letters[end - 1] ?? "")) end -= 1;
  return letters.slice(start, end).join("");
}

function substring(text: string, offset: number, length: number): string {
  const letters = graphemes(text);
  const start = offset < 0 ? Math.max(0, letters.length + offset) : offset;
  // Terraform takes no length from a negative offset as all of the rest.
  const isRest = length < 0 || (length === 0 && offset < 0);
  return letters.slice(start, isRest ? undefined : start + length).join("");
}

/** Compares also with the known start of an unknown string. */
function startsWith(text: Evaluated, start: string): Evaluated {
  if (typeof text === "string") return text.startsWith(start);
  const { prefix = "" } = rangeOf(text);
  if (prefix.startsWith(start)) return true;
  return prefix !== "" && prefix.length >= start.length ? false : UNKNOWN;
}

const partialString: Parameter<Evaluated> = {
  ...string,
  deep: false,
  partial: true,
  read: (value) => value,
};

const separator = withName("separator", string);
const pattern = withName("pattern", string);

export const stringFunctions: Readonly<Record<string, LanguageFunction>> = {
  chomp: define([string], ([text]) => text.replace(/(\r\n|\n|\r)+$/, "")),
  endswith: define([string, withName("suffix", string)], ([text, end]) => text.endsWith(end)),
  format: defineVariadic([withName("format", string)], raw, ([pattern], args) =>
    format(pattern, args),
  ),
  formatlist: defineVariadic([withName("format", string)], raw, ([pattern], args) =>
    formatList(pattern, args),
  ),
  indent: define([withName("spaces", integer), string], ([spaces, text]) =>
    spaces < 0
      ? fail("the number of spaces must not be negative", "spaces")
      : spaces > LIMITS.stringLength.value
        ? refuse(TOO_LONG, "spaces")
        : text.replaceAll("\n", `\n${" ".repeat(spaces)}`),
  ),
  join: defineVariadic(
    [separator],
    withName("lists", nullableStrings),
    ([glue], lists) => {
      if (lists.length === 0) return fail("at least one list is required");
      const all = lists.flat();
      const empty = all.indexOf(null);
      return empty < 0
        ? all.join(glue)
        : fail(`element ${empty} is null; cannot concatenate null values`, "lists");
    },
    { minimum: 1 },
  ),
  lower: define([string], ([text]) => lower(text)),
  regex: {
    ...define([pattern, withName("string", string)], ([source, text]) => findFirst(source, text)),
    load: loadRegex,
  },
  regexall: {
    ...define([pattern, withName("string", string)], ([source, text]) => findAll(source, text)),
    load: loadRegex,
  },
  replace: {
    ...define(
      [string, withName("substring", string), withName("replacement", string)],
      ([text, what, by]) =>
        what.length > 1 && what.startsWith("/") && what.endsWith("/")
          ? replaceAll(text, what.slice(1, -1), by)
          : text.replaceAll(what, () => by),
    ),
    load: loadRegex,
  },
  split: define([separator, string], ([glue, text]) => {
    if (glue === "") return Array.from(text);
    return text.split(glue);
  }),
  strcontains: define([string, withName("substr", string)], ([text, part]) => text.includes(part)),
  startswith: define([partialString, withName("prefix", string)], ([text, start]) =>
    startsWith(text, start),
  ),
  strrev: define([string], ([text]) => [...graphemes(text)].reverse().join("")),
  substr: define(
    [string, withName("offset", integer), withName("length", integer)],
    ([text, offset, length]) => substring(text, offset, length),
  ),
  title: define([string], ([text]) => title(text)),
  trim: define([string, withName("cutset", string)], ([text, cut]) =>
    trimCharacters(text, cut, "both"),
  ),
  trimprefix: define([string, withName("prefix", string)], ([text, start]) =>
    text.startsWith(start) ? text.slice(start.length) : text,
  ),
  trimspace: define([string], ([text]) =>
    text.replace(new RegExp(`^[${SPACE}]+|[${SPACE}]+$`, "g"), ""),
  ),
  trimsuffix: define([string, withName("suffix", string)], ([text, end]) =>
    end !== "" && text.endsWith(end) ? text.slice(0, -end.length) : text,
  ),
  upper: define([string], ([text]) => upper(text)),
};
