import { normalizedList, matchesLabels, matchesValue, type PatternList } from "./pattern";
import type { TextSearch } from "./text-search";

/** The lists that a field's value has to match, and those that it must not match. */
export interface WantedFields {
  readonly inside: readonly PatternList[];
  readonly outside: readonly PatternList[];
}

/** Finds a value that fits; null for a workload without a value, undefined if nothing fits. */
export function findValue(wanted: WantedFields, texts: TextSearch): string | null | undefined {
  const { inside, outside } = wanted;
  if (isUnconstrained(wanted)) return null;
  const text = texts.find(inside, outside);
  if (text !== undefined) return text;
  return fitsWithoutValue(wanted) ? null : undefined;
}

/**
 * Finds labels of one workload that fit; undefined if no labels do. Labels match a list if it includes
 * one of them and exempts none. There are two ways not to match a list: without any label that it
 * includes, or with one label that it exempts. A label that one list exempts cannot make the labels
 * match another list that exempts one of them, so each list gets its label separately. Only
 * lists for which there is no such label forbid the labels that they include.
 */
export function findLabels(wanted: WantedFields, texts: TextSearch): readonly string[] | undefined {
  if (isUnconstrained(wanted)) return [];
  const { inside, outside } = wanted;
  const needed = inside.map(({ included }) => included);
  const exempted = inside.flatMap((list) => list.exempted);
  const forbidden = [...exempted, ...outside.flatMap(({ included }) => included)];
  return (
    findForEach(needed, forbidden, texts) ??
    findWithExempted(needed, exempted, outside, texts) ??
    (fitsWithoutValue(wanted) ? [] : undefined)
  );
}

interface Leaving {
  readonly list: PatternList;
  /** A label that the list exempts. */
  readonly label: string;
}

/** Finds a label for each list of `needed`, and labels that the lists of `outside` exempt. */
function findWithExempted(
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
      const labels = findForEach(needed, forbidden, texts);
      return labels && withExempted(labels, leaving);
    }
    forbidden = [...forbidden, ...avoided];
    open = leaving.map(({ list }) => list);
  }
}

/** Adds the exempted labels of lists that match; an added label can make another list match. */
function withExempted(labels: readonly string[], leaving: readonly Leaving[]): readonly string[] {
  const [added, others]: [string[], Leaving[]] = [[], []];
  for (const one of leaving)
    if (one.list.included[0] === "*" || matchesLabels(one.list, labels)) added.push(one.label);
    else others.push(one);
  return added.length === 0 ? labels : withExempted([...new Set([...labels, ...added])], others);
}

/** Finds a label for each list, at least one in all, none of which is forbidden. */
function findForEach(
  needed: readonly (readonly string[])[],
  forbidden: readonly string[],
  texts: TextSearch,
): readonly string[] | undefined {
  if (forbidden.includes("*")) return undefined;
  const labels = new Set<string>();
  for (const included of needed.length === 0 ? [["*"]] : needed) {
    const list = normalizedList(included, forbidden);
    if ([...labels].some((label) => matchesValue(list, label))) continue;
    const label = texts.find([list]);
    if (label === undefined) return undefined;
    labels.add(label);
  }
  return [...labels];
}

export function isUnconstrained({ inside, outside }: WantedFields): boolean {
  return outside.length === 0 && inside.every(({ isEverything }) => isEverything);
}

function fitsWithoutValue({ inside, outside }: WantedFields): boolean {
  return (
    inside.every((list) => matchesValue(list, null)) &&
    !outside.some((list) => matchesValue(list, null))
  );
}
