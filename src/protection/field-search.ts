import { listOf, matchesValue, type PatternList } from "./pattern";
import { findText, type Budget } from "./text-search";

/** The lists that a field's value has to be in, and those that it must not be in. */
export interface Wanted {
  readonly inside: readonly PatternList[];
  readonly outside: readonly PatternList[];
}

/** A value of a field with one value, null for a workload without one; undefined: there is none. */
export function findValue(wanted: Wanted, budget: Budget): string | null | undefined {
  const { inside, outside } = wanted;
  if (isUnconstrained(wanted)) return null;
  const text = findText(inside, outside, budget);
  if (text !== undefined) return text;
  return absenceFits(wanted) ? null : undefined;
}

/**
 * Labels of one workload, or undefined where no labels fit. A list takes labels in when one of them
 * is included and none is exempted, so a list is escaped in one of two ways: no label is included,
 * or one more label is exempted.
 */
export function findLabels(wanted: Wanted, budget: Budget): readonly string[] | undefined {
  if (isUnconstrained(wanted)) return [];
  const { inside, outside } = wanted;
  const forbidden = inside.flatMap(({ exempted }) => exempted);
  const found = findEscapes(
    inside.map(({ included }) => included),
    forbidden,
    outside,
    budget,
  );
  return found ?? (absenceFits(wanted) ? [] : undefined);
}

/** A label for each of `needed`, and one at least, with no label in `forbidden`. */
function findEscapes(
  needed: readonly (readonly string[])[],
  forbidden: readonly string[],
  outside: readonly PatternList[],
  budget: Budget,
): readonly string[] | undefined {
  const [list, ...rest] = outside;
  if (!list) return findEach(needed, forbidden, budget);
  const avoided = findEscapes(needed, [...forbidden, ...list.included], rest, budget);
  if (avoided || list.exempted.length === 0) return avoided;
  return findEscapes([...needed, list.exempted], forbidden, rest, budget);
}

function findEach(
  needed: readonly (readonly string[])[],
  forbidden: readonly string[],
  budget: Budget,
): readonly string[] | undefined {
  const labels = new Set<string>();
  for (const included of needed.length === 0 ? [["*"]] : needed) {
    const list = listOf(included, forbidden);
    if ([...labels].some((label) => matchesValue(list, label))) continue;
    const label = findText([list], [], budget);
    if (label === undefined) return undefined;
    labels.add(label);
  }
  return [...labels];
}

function isUnconstrained({ inside, outside }: Wanted): boolean {
  return outside.length === 0 && inside.every(({ isEverything }) => isEverything);
}

function absenceFits({ inside, outside }: Wanted): boolean {
  return (
    inside.every((list) => matchesValue(list, null)) &&
    !outside.some((list) => matchesValue(list, null))
  );
}
