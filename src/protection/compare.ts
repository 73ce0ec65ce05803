import { effectOf, type CheckEffect, type Policy, type Scope, type Workload } from "./policy";
import { decisionsOf, type PolicyDecision, type Side, type Sides } from "./decisions";
import type { RegionSearch } from "./region-search";
import type { SearchScope } from "./search-scope";

export interface CheckChange {
  readonly id: string;
  readonly before: CheckEffect;
  readonly after: CheckEffect;
}

/** The policy that decides, and its position from 1; both null where no policy matches. */
export interface Decider {
  readonly policy: string | null;
  readonly position: number | null;
}

/**
 * The workloads for which one policy decided before and another one decides after, as far as checks
 * change in one direction. A workload is in the region when it is in each of `all` and in none of
 * `none`; fields that are everything are left out.
 */
export interface Region {
  readonly change: "weaker" | "stronger";
  /**
   * `possible`: whether any workload is concerned takes too long to find out. `unknown`: it depends
   * on values that are not known before the apply.
   */
  readonly certainty: "certain" | "possible" | "unknown";
  readonly checks: readonly CheckChange[];
  readonly where: { readonly all: readonly Scope[]; readonly none: readonly Scope[] };
  readonly before: Decider;
  readonly after: Decider;
  /** A workload of the region; null where none was looked for to the end. */
  readonly example: Workload | null;
}

const RANK = { blocks: 2, alerts: 1, none: 0 } as const;

/**
 * Compares what two ordered collections of policies do: the regions of workloads that are protected
 * less or more. Regions are exact, and come in the order of the policies that decided before.
 */
export function compareProtection(
  before: readonly Policy[],
  after: readonly Policy[],
): readonly Region[] {
  return regionsBetween(decisionsOf(before, after));
}

/** Compares decisions that were found already. */
export function regionsBetween({ old, now, search }: Sides): readonly Region[] {
  const regions: Region[] = [];
  for (const [was, is] of candidates(old, now))
    if (search.meet(was.scope, is.scope)) regions.push(...regionsOf(was, is, search));
  return regions;
}

/**
 * The pairs of decisions that some workload may go from one to the other of. A workload that a
 * decision is reached for is not one of an equal scope in front of it, so of two sets that are alike
 * few pairs are left.
 */
function* candidates(old: Side, now: Side): Generator<readonly [PolicyDecision, PolicyDecision]> {
  let reachable = now.decisions;
  for (const was of old.decisions) {
    const last = now.first[was.scope.index] ?? Infinity;
    reachable = reachable.filter(({ scope }) => (old.first[scope.index] ?? Infinity) >= was.index);
    for (const is of reachable) {
      if (is.index > last) break;
      if (was.effect !== is.effect) yield [was, is];
    }
  }
}

function regionsOf(
  was: PolicyDecision,
  is: PolicyDecision,
  search: RegionSearch,
): readonly Region[] {
  const changes = changesOf(was.policy, is.policy);
  if (changes.length === 0) return [];
  const all = narrowest(was.scope, is.scope, search);
  const ahead = was.certainAhead.or(is.certainAhead);
  const found = search.find(all, ahead);
  if (found === null) return [];
  const needed = search.withoutIdle(all, search.near(all, ahead), found);
  const shared = {
    certainty: certaintyOf(found, was, is, all, search),
    where: { all: writtenScopes(all), none: writtenScopes(search.scopesIn(needed)) },
    before: deciderOf(was),
    after: deciderOf(is),
    example: found ?? null,
  };
  return (["weaker", "stronger"] as const).flatMap((change) => {
    const checks = changes.filter((one) => directionOf(one) === change);
    return checks.length > 0 ? [{ change, ...shared, checks }] : [];
  });
}

function changesOf(was: Policy | null, is: Policy | null): readonly CheckChange[] {
  const ids = [...new Set([was, is].flatMap((policy) => Object.keys(policy?.checks ?? {})))];
  return ids
    .sort((one, other) => Number(one) - Number(other) || (one < other ? -1 : 1))
    .map((id) => ({ id, before: effectOf(was, id), after: effectOf(is, id) }))
    .filter((change) => change.before !== change.after);
}

function directionOf({ before, after }: CheckChange): Region["change"] {
  return RANK[after ?? "none"] < RANK[before ?? "none"] ? "weaker" : "stronger";
}

/** The scopes of both deciders; one that contains the other one adds nothing. */
function narrowest(
  one: SearchScope,
  other: SearchScope,
  search: RegionSearch,
): readonly SearchScope[] {
  if (search.covers(other, one)) return [one];
  return search.covers(one, other) ? [other] : [one, other];
}

function certaintyOf(
  found: Workload | undefined,
  was: PolicyDecision,
  is: PolicyDecision,
  all: readonly SearchScope[],
  search: RegionSearch,
): Region["certainty"] {
  const hasUnknown = [was, is].some(({ policy }) => policy?.unknown !== undefined);
  if (hasUnknown) return "unknown";
  if (!found) return "possible";
  return search.find(all, was.ahead.or(is.ahead)) ? "certain" : "unknown";
}

function deciderOf({ policy, index }: PolicyDecision): Decider {
  return policy ? { policy: policy.name, position: index + 1 } : { policy: null, position: null };
}

/** Scopes as policies write them; one that is everything is left out. */
function writtenScopes(scopes: readonly SearchScope[]): readonly Scope[] {
  return scopes.map(writtenScope).filter((scope) => Object.keys(scope).length > 0);
}

/** Regions of one comparison share what they say of a scope. */
const written = new WeakMap<SearchScope, Scope>();

function writtenScope(scope: SearchScope): Scope {
  const known = written.get(scope);
  if (known) return known;
  const { lists, narrow } = scope;
  const made = Object.fromEntries(
    narrow.map((field) => [
      field,
      [...lists[field].included, ...lists[field].exempted.map((pattern) => `-${pattern}`)],
    ]),
  );
  written.set(scope, made);
  return made;
}
