import { effectOf, type CheckEffect, type Policy, type Scope, type Workload } from "./policy";
import { RegionSearch } from "./region-search";
import { ScopeCompiler, type SearchScope } from "./search-scope";

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

interface Ranked {
  readonly policy: Policy;
  readonly scope: SearchScope;
  /** From 0, in the whole collection. */
  readonly index: number;
  /** Equal checks have equal keys. */
  readonly effect: string;
}

/** One side of the comparison: the policies that can decide, in order. */
interface Side {
  readonly ranked: readonly Ranked[];
  /** By scope: the first policy that certainly matches all of it. */
  readonly first: ReadonlyMap<SearchScope, number>;
}

const RANK = { blocks: 2, alerts: 1, none: 0 } as const;
const NO_CHECKS = "{}";

/**
 * Compares what two ordered collections of policies do: the regions of workloads that are protected
 * less or more. Regions are exact, and come in the order of the policies that decided before.
 */
export function compareProtection(
  before: readonly Policy[],
  after: readonly Policy[],
): readonly Region[] {
  const search = new RegionSearch();
  const compiler = new ScopeCompiler();
  const [old, now] = [sideOf(before, compiler), sideOf(after, compiler)];
  const regions: Region[] = [];
  for (const was of [...old.ranked, null])
    for (const is of [...now.ranked, null])
      if (mayMeet(was, is, old, now, search)) regions.push(...regionsOf(was, is, old, now, search));
  return regions;
}

function sideOf(policies: readonly Policy[], compiler: ScopeCompiler): Side {
  const ranked = policies.flatMap((policy, index): readonly Ranked[] => {
    if (policy.disabled) return [];
    const scope = compiler.compile(policy.scope);
    if (scope.isNothing) return [];
    const effect = isUnknown(policy, "checks") ? `unknown ${index}` : effectKey(policy);
    return [{ policy, scope, index, effect }];
  });
  const first = new Map<SearchScope, number>();
  const reached = ranked.filter((one) => {
    // A policy behind one with the same scope never decides.
    if (first.has(one.scope)) return false;
    if (!isUnknown(one.policy, "scope")) first.set(one.scope, one.index);
    return true;
  });
  return { ranked: reached, first };
}

function effectKey({ checks }: Policy): string {
  return JSON.stringify(Object.fromEntries(Object.entries(checks).sort()));
}

function isUnknown({ unknown }: Policy, what: "scope" | "checks"): boolean {
  return unknown === what || unknown === "both";
}

/** The cheap reasons why no workload goes from one policy to another, or why nothing changes. */
function mayMeet(
  was: Ranked | null,
  is: Ranked | null,
  old: Side,
  now: Side,
  search: RegionSearch,
): boolean {
  if ((was?.effect ?? NO_CHECKS) === (is?.effect ?? NO_CHECKS)) return false;
  if (is && (old.first.get(is.scope) ?? Infinity) < (was?.index ?? Infinity)) return false;
  if (was && (now.first.get(was.scope) ?? Infinity) < (is?.index ?? Infinity)) return false;
  return !was || !is || search.meet(was.scope, is.scope);
}

function regionsOf(
  was: Ranked | null,
  is: Ranked | null,
  old: Side,
  now: Side,
  search: RegionSearch,
): readonly Region[] {
  const changes = changesOf(was?.policy ?? null, is?.policy ?? null);
  if (changes.length === 0) return [];
  const all = narrowest(
    [was, is].filter((one) => one !== null),
    search,
  );
  const ahead = [...aheadOf(was, old), ...aheadOf(is, now)];
  const certain = ahead.filter(({ policy }) => !isUnknown(policy, "scope"));
  const scopes = scopesOf(all);
  const none = search.near(scopes, scopesOf(certain));
  const found = search.find(scopes, none);
  if (found === null) return [];
  const needed = withoutIdle(scopes, none, search);
  const shared = {
    certainty: certaintyOf(found, [was, is], scopes, ahead, search),
    where: { all: writtenScopes(scopes), none: writtenScopes(needed) },
    before: deciderOf(was),
    after: deciderOf(is),
    example: found ?? null,
  };
  return (["weaker", "stronger"] as const).flatMap((change) => {
    const checks = changes.filter((one) => directionOf(one) === change);
    return checks.length > 0 ? [{ change, ...shared, checks }] : [];
  });
}

function aheadOf(decider: Ranked | null, { ranked }: Side): readonly Ranked[] {
  return decider ? ranked.filter(({ index }) => index < decider.index) : ranked;
}

function changesOf(was: Policy | null, is: Policy | null): readonly CheckChange[] {
  const ids = [...new Set([was, is].flatMap((policy) => Object.keys(policy?.checks ?? {})))];
  return ids
    .sort((one, other) => one.localeCompare(other, "en", { numeric: true }))
    .map((id) => ({ id, before: effectOf(was, id), after: effectOf(is, id) }))
    .filter((change) => change.before !== change.after);
}

function directionOf({ before, after }: CheckChange): Region["change"] {
  return RANK[after ?? "none"] < RANK[before ?? "none"] ? "weaker" : "stronger";
}

/** A scope that contains the other one adds nothing. */
function narrowest(ranked: readonly Ranked[], search: RegionSearch): readonly Ranked[] {
  const [one, other] = ranked;
  if (!one || !other) return ranked;
  if (search.covers(other.scope, one.scope)) return [one];
  return search.covers(one.scope, other.scope) ? [other] : ranked;
}

function scopesOf(ranked: readonly Ranked[]): readonly SearchScope[] {
  return ranked.map(({ scope }) => scope);
}

/** Leaves out the scopes that take nothing away which the others do not take away too. */
function withoutIdle(
  all: readonly SearchScope[],
  none: readonly SearchScope[],
  search: RegionSearch,
): readonly SearchScope[] {
  let kept = none;
  for (const scope of none) {
    const others = kept.filter((other) => other !== scope);
    if (search.find([...all, scope], others) === null) kept = others;
  }
  return kept;
}

function certaintyOf(
  found: Workload | undefined,
  deciders: readonly (Ranked | null)[],
  all: readonly SearchScope[],
  ahead: readonly Ranked[],
  search: RegionSearch,
): Region["certainty"] {
  if (deciders.some((decider) => decider?.policy.unknown !== undefined)) return "unknown";
  if (!found) return "possible";
  if (ahead.every(({ policy }) => !isUnknown(policy, "scope"))) return "certain";
  return search.find(all, search.near(all, scopesOf(ahead))) ? "certain" : "unknown";
}

function deciderOf(decider: Ranked | null): Decider {
  return decider
    ? { policy: decider.policy.name, position: decider.index + 1 }
    : { policy: null, position: null };
}

/** Scopes as policies write them; one that is everything is left out. */
function writtenScopes(scopes: readonly SearchScope[]): readonly Scope[] {
  return scopes.map(writtenScope).filter((scope) => Object.keys(scope).length > 0);
}

function writtenScope({ lists, narrow }: SearchScope): Scope {
  return Object.fromEntries(
    narrow.map((field) => [
      field,
      [...lists[field].included, ...lists[field].exempted.map((pattern) => `-${pattern}`)],
    ]),
  );
}
