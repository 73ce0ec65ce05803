/**
 * Patterns of a policy's resource fields by the rules of the console: `*` matches any text, several
 * in a row count as one, letter case is ignored, and a pattern behind `-` exempts what it matches.
 */

/** A field's patterns, normalized; equal lists have equal keys. */
export interface PatternList {
  readonly key: string;
  readonly included: readonly string[];
  readonly exempted: readonly string[];
  /** Every value matches, and so does a workload without a value. */
  readonly isEverything: boolean;
  /** No value matches, and neither does a workload without a value. */
  readonly isNothing: boolean;
}

/** Normalizes patterns. An empty pattern and a lone `-` match nothing and are left out. */
export function patternList(patterns: readonly string[]): PatternList {
  const [included, exempted]: [string[], string[]] = [[], []];
  for (const pattern of patterns) {
    const normalized = normalize(pattern);
    if (normalized.startsWith("-")) exempted.push(normalized.slice(1));
    else included.push(normalized);
  }
  return normalizedList(distinct(included), distinct(exempted));
}

/** Makes a list of normalized patterns, without their `-`. */
export function normalizedList(
  included: readonly string[],
  exempted: readonly string[],
): PatternList {
  if (included.length === 0 || exempted.includes("*")) return NOTHING;
  return {
    key: JSON.stringify([included, exempted]),
    included,
    exempted,
    isEverything: included.includes("*") && exempted.length === 0,
    isNothing: false,
  };
}

/** Writes a list in the form of a policy. */
export function writtenList({ included, exempted }: PatternList): readonly string[] {
  return [...included, ...exempted.map((pattern) => `-${pattern}`)];
}

const NOTHING: PatternList = {
  key: "",
  included: [],
  exempted: [],
  isEverything: false,
  isNothing: true,
};

/** Sorts patterns and removes duplicates. Next to `*`, the others have no effect. */
function distinct(patterns: readonly string[]): readonly string[] {
  if (patterns.includes("*")) return ["*"];
  return [...new Set(patterns)].filter((pattern) => pattern !== "").sort();
}

function normalize(pattern: string): string {
  return foldCase(pattern).replace(/\*+/g, "*");
}

export function foldCase(text: string): string {
  return text.toLowerCase();
}

/** Returns true if the list matches a value; null represents a workload without a value. */
export function matchesValue(list: PatternList, value: string | null): boolean {
  if (value === null) return list.included.includes("*");
  const text = foldCase(value);
  return matchesSome(list.included, text) && !matchesSome(list.exempted, text);
}

/** Returns true if the list includes one of the labels and exempts none. */
export function matchesLabels(list: PatternList, labels: readonly string[]): boolean {
  if (labels.length === 0) return matchesValue(list, null);
  let isIncluded = false;
  for (const label of labels) {
    const text = foldCase(label);
    if (matchesSome(list.exempted, text)) return false;
    isIncluded ||= matchesSome(list.included, text);
  }
  return isIncluded;
}

/** Returns true if one of the patterns matches the text; all are normalized. */
export function matchesSome(patterns: readonly string[], text: string): boolean {
  for (const pattern of patterns) if (matchesText(pattern, text)) return true;
  return false;
}

/** Returns true if a pattern matches a text, both normalized. The text is not empty. */
export function matchesText(pattern: string, text: string): boolean {
  if (pattern === "*") return true;
  if (!pattern.includes("*")) return pattern === text;
  const [first = "", ...rest] = pattern.split("*");
  const last = rest.pop() ?? "";
  if (!text.startsWith(first) || !text.endsWith(last)) return false;
  if (text.length < first.length + last.length) return false;
  const end = text.length - last.length;
  let at = first.length;
  for (const part of rest) {
    const found = text.indexOf(part, at);
    if (found < 0 || found + part.length > end) return false;
    at = found + part.length;
  }
  return true;
}

/** The texts of a pattern before its first star and behind its last one. A literal has no star. */
export interface Ends {
  readonly head: string;
  readonly tail: string;
  readonly isLiteral: boolean;
}

export function endsOf(pattern: string): Ends {
  const first = pattern.indexOf("*");
  if (first < 0) return { head: pattern, tail: pattern, isLiteral: true };
  const tail = pattern.slice(pattern.lastIndexOf("*") + 1);
  return { head: pattern.slice(0, first), tail, isLiteral: false };
}

/**
 * Returns true if two patterns with stars match a common text. The parts between the stars of both can
 * follow each other in one text, so only the ends have to agree.
 */
export function endsAgree(one: Ends, other: Ends): boolean {
  return (
    (one.head.startsWith(other.head) || other.head.startsWith(one.head)) &&
    (one.tail.endsWith(other.tail) || other.tail.endsWith(one.tail))
  );
}

/**
 * Makes a pattern whose texts match both normalized patterns; undefined if no text matches both. Texts
 * in which the parts of both patterns overlap may be missing.
 */
export function commonPattern(one: string, other: string): string | undefined {
  if (patternCovers(one, other)) return other;
  if (patternCovers(other, one)) return one;
  const [ends, otherEnds] = [endsOf(one), endsOf(other)];
  if (ends.isLiteral || otherEnds.isLiteral || !endsAgree(ends, otherEnds)) return undefined;
  const longer = (first: string, second: string) => (first.length < second.length ? second : first);
  const middles = [one, other].flatMap((pattern) => pattern.split("*").slice(1, -1));
  return [longer(ends.head, otherEnds.head), ...middles, longer(ends.tail, otherEnds.tail)].join(
    "*",
  );
}

/** Represents any text. No pattern is expected to have this letter; one with it covers only itself. */
export const ANY_TEXT = "\u{10ffff}";

/** Returns true if each text that matches `narrow` matches `wide`, both normalized. */
export function patternCovers(wide: string, narrow: string): boolean {
  if (wide === "*" || wide === narrow) return true;
  return !wide.includes(ANY_TEXT) && matchesText(wide, narrow.replaceAll("*", ANY_TEXT));
}

/**
 * Returns true only if `wide` matches each value, or set of labels, that `narrow` matches. False is
 * not certain: several patterns together may cover one, and exemptions are compared pattern by pattern.
 */
export function listCovers(wide: PatternList, narrow: PatternList, labels: boolean): boolean {
  const covered = (pattern: string, by: readonly string[]) =>
    by.some((one) => patternCovers(one, pattern));
  return (
    narrow.included.every((pattern) => covered(pattern, wide.included)) &&
    wide.exempted.every(
      (pattern) =>
        covered(pattern, narrow.exempted) ||
        // Another label of the workload may match what is exempted.
        (!labels && !narrow.included.some((included) => patternsMeet(included, pattern))),
    )
  );
}

function patternsMeet(one: string, other: string): boolean {
  const [ends, otherEnds] = [endsOf(one), endsOf(other)];
  if (ends.isLiteral) return matchesText(other, one);
  return otherEnds.isLiteral ? matchesText(one, other) : endsAgree(ends, otherEnds);
}
