import { listOf, matchesLabels, matchesValue, type PatternList } from "./pattern";
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
 * Labels of one workload, or undefined where no labels fit. Labels are in a list if one of them is
 * included and none is exempted. They leave it without a label that it includes, or with one that it
 * exempts. One label that a list exempts never puts the workload into the lists that are left in the
 * same way, so these labels are found one by one; only lists that have none forbid their own.
 */
export function findLabels(wanted: Wanted, budget: Budget): readonly string[] | undefined {
  if (isUnconstrained(wanted)) return [];
  const { inside, outside } = wanted;
  const needed = inside.map(({ included }) => included);
  const exempted = inside.flatMap((list) => list.exempted);
  const fewest = findEach(needed, [...exempted, ...includedIn(outside)], budget);
  return (
    fewest ??
    findLeaving(needed, exempted, outside, budget) ??
    (absenceFits(wanted) ? [] : undefined)
  );
}

/** A label for each of `needed`, one at least, and those that leave the lists of `outside`. */
function findLeaving(
  needed: readonly (readonly string[])[],
  exempted: readonly string[],
  outside: readonly PatternList[],
  budget: Budget,
): readonly string[] | undefined {
  let forbidden = exempted;
  let leaving: readonly { readonly list: PatternList; readonly label: string }[] = [];
  let avoided: readonly PatternList[] = outside.filter((list) => list.exempted.length === 0);
  let open = outside.filter((list) => list.exempted.length > 0);
  while (avoided.length > 0 || leaving.length < open.length) {
    forbidden = [...forbidden, ...includedIn(avoided)];
    budget.check(open.length * (1 + forbidden.length));
    const found = open.map((list) => ({
      list,
      label: findText([listOf(list.exempted, forbidden)], [], budget),
    }));
    avoided = found.filter(({ label }) => label === undefined).map(({ list }) => list);
    leaving = found.flatMap(({ list, label }) => (label === undefined ? [] : [{ list, label }]));
    open = leaving.map(({ list }) => list);
  }
  const labels = findEach(needed, forbidden, budget);
  return labels && withLeaving(labels, leaving);
}

/** Adds the labels that are needed to leave lists; a label can be included in a list that was left. */
function withLeaving(
  labels: readonly string[],
  leaving: readonly { readonly list: PatternList; readonly label: string }[],
): readonly string[] {
  const added = leaving.filter(({ list }) => matchesLabels(list, labels));
  if (added.length === 0) return labels;
  const others = leaving.filter((one) => !added.includes(one));
  return withLeaving([...new Set([...labels, ...added.map(({ label }) => label)])], others);
}

function includedIn(lists: readonly PatternList[]): readonly string[] {
  return lists.flatMap(({ included }) => included);
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
