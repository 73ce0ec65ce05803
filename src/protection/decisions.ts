import type { IndexSet } from "./index-set";
import { isPlaceholder, scopesOf, type Policy } from "./policy";
import { RegionSearch } from "./region-search";
import { ScopeCompiler, type SearchScope } from "./search-scope";

/** A policy that can decide. With null, the end of the collection, where nothing is checked. */
interface Ranked {
  readonly policy: Policy | null;
  readonly scope: SearchScope;
  /** The index in the whole collection, from 0. A policy with several scopes has a decision for each. */
  readonly index: number;
  /** The position from 1; null behind a placeholder for any number of policies. */
  readonly position: number | null;
  /** Identifies the checks: equal checks have equal numbers. NaN, for unknown checks, equals nothing. */
  readonly effect: number;
  /** Set if the scope is unknown. Policies with equal conditions match the same workloads. */
  readonly condition: string | undefined;
}

export interface PolicyDecision extends Ranked {
  /** The scopes of the policies in front. */
  readonly ahead: IndexSet;
  /** The scopes of the policies in front whose scope is known. */
  readonly certainAhead: IndexSet;
}

/** The policies of one collection that can decide, in order. */
export interface Side {
  /** All policies of the collection, also those that cannot decide. */
  readonly policies: readonly Policy[];
  /** By index of the policy: its scope, or the first one. */
  readonly scopes: readonly SearchScope[];
  readonly decisions: readonly PolicyDecision[];
  /** The decisions with an unknown scope. */
  readonly conditional: readonly PolicyDecision[];
  /** The decisions of each scope. */
  readonly deciding: ReadonlyMap<SearchScope, readonly PolicyDecision[]>;
}

/** The decisions of two collections, which share their scopes and the numbers of their checks. */
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
  const [old, now] = [mergeEnd(ranked[0], ranked[1]), mergeEnd(ranked[1], ranked[0])];
  const { scopes } = compiler;
  return {
    old: sideOf(before, old, compiler),
    now: sideOf(after, now, compiler),
    search: new RegionSearch(scopes),
  };
}

/** Returns the scopes that contain no workload that goes from one decision to the other. */
export function excludedBy({ old, now }: Sides, was: PolicyDecision, is: PolicyDecision): IndexSet {
  const ahead = was.certainAhead | is.certainAhead;
  if (old.conditional.length + now.conditional.length === 0) return ahead;
  // Both conditions hold for such a workload, so a policy in front with one of them would decide.
  const wouldDecide = (side: Side, { index }: PolicyDecision) =>
    side.conditional
      .filter((one) => one.index < index && [was.condition, is.condition].includes(one.condition))
      .reduce((scopes, { scope }) => scopes | scope.bit, 0n);
  return ahead | wouldDecide(old, was) | wouldDecide(now, is);
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
    if (!isPartUnknown(policy, "checks")) return numberOf(keyOfChecks(policy.checks));
    return policy.missing === undefined ? NaN : numberOf(policy.missing);
  };
  const placeholder = policies.findIndex((policy) => !policy.disabled && isPlaceholder(policy));
  const ranked = policies.flatMap((policy, index): readonly Ranked[] => {
    const scopes = scopesOf(policy)
      .map((scope) => compiler.compile(scope))
      .filter(({ isNothing }) => !isNothing);
    if (policy.disabled || scopes.length === 0) return [];
    const condition = isPartUnknown(policy, "scope")
      ? (policy.missing ?? `${side} ${index}`)
      : undefined;
    const position = placeholder >= 0 && index >= placeholder ? null : index + 1;
    const shared = { policy, index, position, effect: effectOf(policy), condition };
    // The first match decides, so the parts of a union are policies one behind the other.
    return scopes.map((scope) => ({ ...shared, scope }));
  });
  const end = { policy: null, position: null, condition: undefined };
  const [scope, effect, index] = [compiler.compile({}), numberOf(keyOfChecks({})), policies.length];
  return [...ranked, { ...end, scope, effect, index }];
}

/**
 * Merges a placeholder in the last place with the end of the collection: checking nothing is one of its
 * possible effects. Keeps it if the other side has policies behind it, which decide where it does not.
 */
function mergeEnd(side: readonly Ranked[], other: readonly Ranked[]): readonly Ranked[] {
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
  const decisions: PolicyDecision[] = [];
  const deciding = new Map<SearchScope, PolicyDecision[]>();
  let [ahead, certainAhead] = [0n, 0n];
  for (const one of ranked) {
    const { scope, condition } = one;
    // An earlier policy with the same scope decides for all of these workloads.
    if ((certainAhead & scope.bit) !== 0n) continue;
    const decision = { ...one, ahead, certainAhead };
    decisions.push(decision);
    const same = deciding.get(scope);
    if (same) same.push(decision);
    else deciding.set(scope, [decision]);
    ahead |= scope.bit;
    if (condition === undefined) certainAhead |= scope.bit;
  }
  const conditional = decisions.filter(({ condition }) => condition !== undefined);
  const scopes = policies.map(({ scope }) => compiler.compile(scope));
  return { policies, scopes, decisions, conditional, deciding };
}

function keyOfChecks(checks: Policy["checks"]): string {
  return JSON.stringify(Object.entries(checks).sort());
}

export function isPartUnknown({ unknown }: Policy, part: "scope" | "checks"): boolean {
  return unknown === part || unknown === "both" || (unknown === "presence" && part === "scope");
}
