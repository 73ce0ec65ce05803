import { IndexSet } from "./index-set";
import { isPlaceholder, type Policy } from "./policy";
import { RegionSearch } from "./region-search";
import { ScopeCompiler, type SearchScope } from "./search-scope";

/** A policy that can decide, or the end of the collection, where nothing is checked. */
interface Ranked {
  readonly policy: Policy | null;
  readonly scope: SearchScope;
  /** From 0, in the whole collection. */
  readonly index: number;
  /** From 1; null behind any number of unknown policies. */
  readonly position: number | null;
  /** Equal checks have equal numbers; NaN equals nothing. */
  readonly effect: number;
  /** If the scope is unknown: policies with one condition hold for the same workloads. */
  readonly condition: string | undefined;
}

export interface PolicyDecision extends Ranked {
  /** The scopes in front of it. */
  readonly ahead: IndexSet;
  /** Those of them that are known. */
  readonly certainAhead: IndexSet;
}

/** The policies of one collection that can decide, in order. */
export interface Side {
  /** All policies of the collection, also those that cannot decide. */
  readonly policies: readonly Policy[];
  /** By policy. */
  readonly scopes: readonly SearchScope[];
  readonly decisions: readonly PolicyDecision[];
  /** Those with an unknown scope. */
  readonly conditional: readonly PolicyDecision[];
  /** By scope: the first policy that certainly matches all of it, or Infinity. */
  readonly first: readonly number[];
}

/** The decisions of two collections; equal scopes and checks have equal numbers. */
export interface Sides {
  readonly old: Side;
  readonly now: Side;
  /** Searches the scopes of both sides. */
  readonly search: RegionSearch;
}

export function decisionsOf(before: readonly Policy[], after: readonly Policy[]): Sides {
  const compiler = new ScopeCompiler();
  const effects = new Map<string, number>();
  const ranked = [
    rank(before, "before", compiler, effects),
    rank(after, "after", compiler, effects),
  ] as const;
  const [old, now] = [closed(ranked[0], ranked[1]), closed(ranked[1], ranked[0])];
  const { scopes } = compiler;
  return {
    old: sideOf(before, old, compiler),
    now: sideOf(after, now, compiler),
    search: new RegionSearch(scopes),
  };
}

/** The scopes in front of two decisions which no workload that goes from one to the other is in. */
export function excludedBy({ old, now }: Sides, was: PolicyDecision, is: PolicyDecision): IndexSet {
  const excluded = was.certainAhead.or(is.certainAhead);
  const conditions = [was.condition, is.condition];
  for (const [side, decision] of [
    [old, was],
    [now, is],
  ] as const)
    for (const { condition, scope, index } of side.conditional)
      // The condition holds for the workload, so the policy in front would decide.
      if (index < decision.index && conditions.includes(condition)) excluded.add(scope.index);
  return excluded;
}

function rank(
  policies: readonly Policy[],
  side: string,
  compiler: ScopeCompiler,
  effects: Map<string, number>,
): readonly Ranked[] {
  const numberOf = (key: string) => {
    const effect = effects.get(key) ?? effects.size;
    effects.set(key, effect);
    return effect;
  };
  const effectOf = (policy: Policy) => {
    if (!isUnknown(policy, "checks")) return numberOf(textOf(policy.checks));
    return policy.missing === undefined ? NaN : numberOf(policy.missing);
  };
  const first = policies.findIndex((policy) => !policy.disabled && isPlaceholder(policy));
  const ranked = policies.flatMap((policy, index): readonly Ranked[] => {
    const scope = compiler.compile(policy.scope);
    if (policy.disabled || scope.isNothing) return [];
    const condition = isUnknown(policy, "scope")
      ? (policy.missing ?? `${side} ${index}`)
      : undefined;
    const position = first >= 0 && index >= first ? null : index + 1;
    return [{ policy, scope, index, position, effect: effectOf(policy), condition }];
  });
  const end = { policy: null, position: null, condition: undefined };
  const [scope, effect, index] = [compiler.compile({}), numberOf(textOf({})), policies.length];
  return [...ranked, { ...end, scope, effect, index }];
}

/**
 * Lets unknown policies in the last place decide whatever is left: that nothing is checked is one of
 * their effects. If the other side has policies behind them, it counts that they do not decide.
 */
function closed(side: readonly Ranked[], other: readonly Ranked[]): readonly Ranked[] {
  const last = (ranked: readonly Ranked[]) => {
    const [one] = ranked.slice(-2);
    return one?.policy && isPlaceholder(one.policy) && one.scope.narrow.length === 0
      ? one
      : undefined;
  };
  const own = last(side);
  const isBehind = other.some(
    (one) => one.condition === own?.condition && one.index !== last(other)?.index,
  );
  if (!own || isBehind) return side;
  return [...side.slice(0, -2), { ...own, condition: undefined }];
}

function sideOf(
  policies: readonly Policy[],
  ranked: readonly Ranked[],
  compiler: ScopeCompiler,
): Side {
  const size = compiler.scopes.length;
  const first = Array.from({ length: size }, () => Infinity);
  const decisions: PolicyDecision[] = [];
  const [ahead, certainAhead] = [IndexSet.empty(size), IndexSet.empty(size)];
  for (const one of ranked) {
    const { scope, index, condition } = one;
    // A policy behind one with the same scope never decides.
    if ((first[scope.index] ?? 0) < index) continue;
    const certain = certainAhead.copy();
    // Most collections are known, and their sets are made once.
    const allAhead = certain.includes(ahead) ? certain : ahead.copy();
    decisions.push({ ...one, ahead: allAhead, certainAhead: certain });
    ahead.add(scope.index);
    if (condition !== undefined) continue;
    first[scope.index] = index;
    certainAhead.add(scope.index);
  }
  const conditional = decisions.filter(({ condition }) => condition !== undefined);
  const scopes = policies.map(({ scope }) => compiler.compile(scope));
  return { policies, scopes, decisions, conditional, first };
}

function textOf(checks: Policy["checks"]): string {
  return JSON.stringify(Object.entries(checks).sort());
}

export function isUnknown({ unknown }: Policy, part: "scope" | "checks"): boolean {
  return unknown === part || unknown === "both";
}
