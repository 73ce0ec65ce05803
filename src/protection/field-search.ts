import { listOf, matchesLabels, matchesValue, type PatternList } from "./pattern";
import type { TextSearch } from "./text-search";

/** The lists that a field's value has to be in, and those that it must not be in. */
export interface Wanted {
  readonly inside: readonly PatternList[];
  readonly outside: readonly PatternList[];
}

/** A value of a field with one value, null for a workload without one; undefined: there is none. */
export function findValue(wanted: Wanted, texts: TextSearch): string | null | undefined {
  const { inside, outside } = wanted;
  if (isUnconstrained(wanted)) return null;
  const text = texts.find(inside, outside);
  if (text !== undefined) return text;
  return absenceFits(wanted) ? null : undefined;
}

/**
 * Labels of one workload, or undefined where no labels fit. Labels are in a list if one of them is
 * included and none is exempted. They leave it without a label that it includes, or with one that it
 * exempts. One label that a list exempts never puts the workload into the lists that are left in the
 * same way, so these labels are found one by one; only lists that have none forbid their own.
 */
export function findLabels(wanted: Wanted, texts: TextSearch): readonly string[] | undefined {
  if (isUnconstrained(wanted)) return [];
  const { inside, outside } = wanted;
  const needed = inside.map(({ included }) => included);
  const exempted = inside.flatMap((list) => list.exempted);
  const forbidden = [...exempted, ...outside.flatMap(({ included }) => included)];
  return (
    findEach(needed, forbidden, texts) ??
    findLeaving(needed, exempted, outside, texts) ??
    (absenceFits(wanted) ? [] : undefined)
  );
}

interface Leaving {
  readonly list: PatternList;
  /** Takes the workload out of the list. */
  readonly label: string;
}

/** A label for each of `needed`, one at least, and those that leave the lists of `outside`. */
function findLeaving(
  needed: readonly (readonly string[])[],
  exempted: readonly string[],
  outside: readonly PatternList[],
  texts: TextSearch,
): readonly string[] | undefined {
  let forbidden = exempted;
  let open = outside;
  for (;;) {
    texts.budget.check(open.length * (1 + forbidden.length));
    const leaving: Leaving[] = [];
    const avoided: string[] = [];
    for (const list of open) {
      const label = texts.findExempted(list, forbidden);
      if (label === undefined) avoided.push(...list.included);
      else leaving.push({ list, label });
    }
    if (avoided.length === 0) {
      const labels = findEach(needed, forbidden, texts);
      return labels && withLeaving(labels, leaving);
    }
    forbidden = [...forbidden, ...avoided];
    open = leaving.map(({ list }) => list);
  }
}

/** Adds the labels that are needed to leave lists; a label can be included in a list that was left. */
function withLeaving(labels: readonly string[], leaving: readonly Leaving[]): readonly string[] {
  const [added, others]: [string[], Leaving[]] = [[], []];
  for (const one of leaving)
    if (one.list.included[0] === "*" || matchesLabels(one.list, labels)) added.push(one.label);
    else others.push(one);
  return added.length === 0 ? labels : withLeaving([...new Set([...labels, ...added])], others);
}

function findEach(
  needed: readonly (readonly string[])[],
  forbidden: readonly string[],
  texts: TextSearch,
): readonly string[] | undefined {
  if (forbidden.includes("*")) return undefined;
  const labels = new Set<string>();
  for (const included of needed.length === 0 ? [["*"]] : needed) {
    const list = listOf(included, forbidden);
    if ([...labels].some((label) => matchesValue(list, label))) continue;
    const label = texts.find([list]);
    if (label === undefined) return undefined;
    labels.add(label);
  }
  return [...labels];
}

export function isUnconstrained({ inside, outside }: Wanted): boolean {
  return outside.length === 0 && inside.every(({ isEverything }) => isEverything);
}

function absenceFits({ inside, outside }: Wanted): boolean {
  return (
    inside.every((list) => matchesValue(list, null)) &&
    !outside.some((list) => matchesValue(list, null))
  );
}
