/**
 * Patterns of a policy's resource fields, as the vendor's rules have them: `*` matches any text,
 * several in a row for one, letter case means nothing, and `-` in front exempts.
 */

/** A field's patterns, normalized; equal lists have equal keys. */
export interface PatternList {
  readonly key: string;
  readonly included: readonly string[];
  readonly exempted: readonly string[];
  /** Each value matches, and a workload without one too. */
  readonly isEverything: boolean;
  /** No value matches, and no workload without one. */
  readonly isNothing: boolean;
}

/** An empty pattern and a lone `-` match nothing, so they are left out. */
export function patternList(patterns: readonly string[]): PatternList {
  const normalized = patterns.map(normalize);
  const exempted = distinct(
    normalized.filter((pattern) => pattern.startsWith("-")).map((pattern) => pattern.slice(1)),
  );
  const included = distinct(normalized.filter((pattern) => !pattern.startsWith("-")));
  return listOf(included, exempted);
}

/** The list of patterns that are normalized already, without their `-`. */
export function listOf(included: readonly string[], exempted: readonly string[]): PatternList {
  if (included.length === 0 || exempted.includes("*")) return NOTHING;
  return {
    key: JSON.stringify([included, exempted]),
    included,
    exempted,
    isEverything: included.includes("*") && exempted.length === 0,
    isNothing: false,
  };
}

const NOTHING: PatternList = {
  key: "",
  included: [],
  exempted: [],
  isEverything: false,
  isNothing: true,
};

/** With `*` among the patterns, the others say nothing more. */
function distinct(patterns: readonly string[]): readonly string[] {
  const some = [...new Set(patterns)].filter((pattern) => pattern !== "").sort();
  return some.includes("*") ? ["*"] : some;
}

function normalize(pattern: string): string {
  return foldCase(pattern).replace(/\*+/g, "*");
}

export function foldCase(text: string): string {
  return text.toLowerCase();
}

/** True if a field with these patterns takes a workload's value in; null: the workload has none. */
export function matchesValue(list: PatternList, value: string | null): boolean {
  if (value === null) return list.included.includes("*");
  const text = foldCase(value);
  return (
    list.included.some((pattern) => matchesText(pattern, text)) &&
    !list.exempted.some((pattern) => matchesText(pattern, text))
  );
}

/** One label that matches is enough, and one that is exempted takes the workload out. */
export function matchesLabels(list: PatternList, labels: readonly string[]): boolean {
  if (labels.length === 0) return matchesValue(list, null);
  const texts = labels.map(foldCase);
  const matches = (patterns: readonly string[]) =>
    patterns.some((pattern) => texts.some((text) => matchesText(pattern, text)));
  return matches(list.included) && !matches(list.exempted);
}

/** Both normalized. A value is never empty: an empty one means that the workload has none. */
export function matchesText(pattern: string, text: string): boolean {
  const parts = pattern.split("*");
  const [first = "", ...rest] = parts;
  if (rest.length === 0) return pattern === text;
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

/** True where the ends of all patterns show that no value is in both lists; false says nothing. */
export function areApart(one: PatternList, other: PatternList): boolean {
  return one.included.every((pattern) =>
    other.included.every((another) => endsDiffer(pattern, another)),
  );
}

function endsDiffer(one: string, other: string): boolean {
  const [head, tail] = [one.split("*", 1)[0] ?? "", one.slice(one.lastIndexOf("*") + 1)];
  const [otherHead, otherTail] = [
    other.split("*", 1)[0] ?? "",
    other.slice(other.lastIndexOf("*") + 1),
  ];
  const heads = head.startsWith(otherHead) || otherHead.startsWith(head);
  const tails = tail.endsWith(otherTail) || otherTail.endsWith(tail);
  return !heads || !tails;
}
