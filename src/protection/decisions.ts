import { IndexSet } from "./index-set";
import type { Policy } from "./policy";
import { RegionSearch } from "./region-search";
import { ScopeCompiler, type SearchScope } from "./search-scope";

/** A policy that can decide, or the end of the collection, where nothing is checked. */
interface Ranked {
  readonly policy: Policy | null;
  readonly scope: SearchScope;
  /** From 0, in the whole collection. */
  readonly index: number;
  /** Equal checks have equal numbers; what is not known yet equals nothing. */
  readonly effect: number;
  readonly hasUnknownScope: boolean;
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
  readonly decisions: readonly PolicyDecision[];
  /** By scope: the first policy that certainly matches all of it, or Infinity. */
  readonly first: readonly number[];
}

/** The decisions of two collections; equal scopes and checks have equal numbers. */
export interface Sides {
  readonly old: Side;
  readonly now: Side;
  /** Of the scopes of both. */
  readonly search: RegionSearch;
}

export function decisionsOf(before: readonly Policy[], after: readonly Policy[]): Sides {
  const compiler = new ScopeCompiler();
  const effects = new Map<string, number>();
  const [old, now] = [rank(before, compiler, effects), rank(after, compiler, effects)];
  const { scopes } = compiler;
  return {
    old: sideOf(before, old, scopes.length),
    now: sideOf(after, now, scopes.length),
    search: new RegionSearch(scopes),
  };
}

function rank(
  policies: readonly Policy[],
  compiler: ScopeCompiler,
  effects: Map<string, number>,
): readonly Ranked[] {
  const effectOfChecks = (checks: Policy["checks"]) => {
    const key = JSON.stringify(Object.entries(checks).sort());
    const effect = effects.get(key) ?? effects.size;
    effects.set(key, effect);
    return effect;
  };
  const ranked = policies.flatMap((policy, index): readonly Ranked[] => {
    if (policy.disabled) return [];
    const scope = compiler.compile(policy.scope);
    if (scope.isNothing) return [];
    const effect = isUnknown(policy, "checks") ? NaN : effectOfChecks(policy.checks);
    return [{ policy, scope, index, effect, hasUnknownScope: isUnknown(policy, "scope") }];
  });
  const end = { policy: null, effect: effectOfChecks({}), hasUnknownScope: false };
  return [...ranked, { ...end, scope: compiler.compile({}), index: policies.length }];
}

function sideOf(policies: readonly Policy[], ranked: readonly Ranked[], scopes: number): Side {
  const first = Array.from({ length: scopes }, () => Infinity);
  const decisions: PolicyDecision[] = [];
  const [ahead, certainAhead] = [IndexSet.empty(scopes), IndexSet.empty(scopes)];
  for (const one of ranked) {
    const { scope, index, hasUnknownScope } = one;
    // A policy behind one with the same scope never decides.
    if ((first[scope.index] ?? 0) < index) continue;
    decisions.push({ ...one, ahead: ahead.copy(), certainAhead: certainAhead.copy() });
    ahead.add(scope.index);
    if (hasUnknownScope) continue;
    first[scope.index] = index;
    certainAhead.add(scope.index);
  }
  return { policies, decisions, first };
}

function isUnknown({ unknown }: Policy, what: "scope" | "checks"): boolean {
  return unknown === what || unknown === "both";
}
