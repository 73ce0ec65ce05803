import { decisionsOf, excludedBy, type PolicyDecision, type Side, type Sides } from "./decisions";
import { limitedTo, type WorkloadQuery } from "./explain";
import { foldCase, matchesLabels, matchesValue } from "./pattern";
import { FIELDS, MEMBER_OF, withScopes, type CompiledScope, type Field } from "./policy";

/** `maybe`: the result depends on a member that is not known. */
export type Fit = "yes" | "no" | "maybe";

/** Compares a container with the values of a query, and with patterns. Letter case is ignored, as in patterns. */
export function fitOfQuery(
  query: WorkloadQuery,
  workload: WorkloadQuery,
  within: readonly CompiledScope[] = [],
): Fit {
  const fits = FIELDS.map((field): Fit => {
    const [given, value] = [query[MEMBER_OF[field]], workload[MEMBER_OF[field]]];
    if (given === undefined) return "yes";
    if (value === undefined) return "maybe";
    const [wanted, present] = [textsOf(given), textsOf(value)];
    const isSame = wanted.length > 0 || present.length === 0;
    return isSame && wanted.every((text) => present.includes(text)) ? "yes" : "no";
  });
  const all = [...fits, ...within.map((scope) => fitOf(scope, FIELDS, workload))];
  return all.includes("no") ? "no" : all.includes("maybe") ? "maybe" : "yes";
}

function textsOf(value: string | null | readonly string[]): readonly string[] {
  return (isList(value) ? value : value === null ? [] : [value]).map(foldCase);
}

type Pair = readonly [was: PolicyDecision, is: PolicyDecision];

/**
 * Finds the pairs of decisions that a container can have: those that some values of its missing members
 * have. Containers for which the same policies are open share the search.
 */
export class PossibleDecisions {
  private readonly found = new Map<string, readonly Pair[]>();

  constructor(private readonly sides: Sides) {}

  of(workload: WorkloadQuery, missing = new Set<Field>()): readonly Pair[] {
    const fits: Fit[] = [];
    const before = decidersOf(this.sides.old, workload, fits, missing);
    const after = decidersOf(this.sides.now, workload, fits, missing);
    const open = FIELDS.filter((field) => workload[MEMBER_OF[field]] === undefined);
    const [was, ...more] = before;
    const [is, ...others] = after;
    if (was && is && more.length + others.length === 0) return [[was, is]];
    const key = [
      open,
      ...[before, after].map((all) => all.map(({ index, scope }) => [index, scope.index])),
    ].join(" ");
    const known = this.found.get(key);
    if (known) return known;
    const pairs = pairsOf(before, after, open);
    this.found.set(key, pairs);
    return pairs;
  }
}

/** The pairs that some workload has, by the fields that are open; the others match. */
function pairsOf(
  before: readonly PolicyDecision[],
  after: readonly PolicyDecision[],
  open: readonly Field[],
): readonly Pair[] {
  const limited = (decisions: readonly PolicyDecision[]) =>
    decisions.flatMap(({ policy, scope }) =>
      policy ? [withScopes(policy, [limitedTo(scope.written, open)])] : [],
    );
  const sides = decisionsOf(limited(before), limited(after));
  return sides.old.decisions.flatMap((was) =>
    sides.now.decisions.flatMap((is): readonly Pair[] => {
      const pair = [before[was.index], after[is.index]] as const;
      const excluded = excludedBy(sides, was, is);
      if (!pair[0] || !pair[1] || sides.search.find([was.scope, is.scope], excluded) === null)
        return [];
      return [[pair[0], pair[1]]];
    }),
  );
}

/** Returns the policies that may decide, up to the first one that certainly matches. */
function decidersOf(
  { decisions }: Side,
  workload: WorkloadQuery,
  fits: Fit[],
  missing: Set<Field>,
): readonly PolicyDecision[] {
  const found: PolicyDecision[] = [];
  for (const decision of decisions) {
    const { scope, condition } = decision;
    const fit = (fits[scope.index] ??= fitOf(scope.lists, scope.narrow, workload, missing));
    if (fit === "no") continue;
    found.push(decision);
    if (fit === "yes" && condition === undefined) break;
  }
  return found;
}

/** Compares a container with patterns of fields, and notes the fields that it would need. */
export function fitOf(
  lists: CompiledScope,
  fields: readonly Field[],
  workload: WorkloadQuery,
  missing?: Set<Field>,
): Fit {
  const open: Field[] = [];
  for (const field of fields) {
    const value = workload[MEMBER_OF[field]];
    if (value === undefined) {
      if (lists[field].isNothing) return "no";
      if (!lists[field].isEverything) open.push(field);
    } else if (
      !(isList(value) ? matchesLabels(lists[field], value) : matchesValue(lists[field], value))
    ) {
      return "no";
    }
  }
  for (const field of open) missing?.add(field);
  return open.length > 0 ? "maybe" : "yes";
}

function isList(value: string | null | readonly string[]): value is readonly string[] {
  return Array.isArray(value);
}
