import {
  effectOf,
  isPlaceholder,
  rankOf,
  type CheckEffect,
  type Policy,
  type Where,
  type Workload,
} from "./policy";
import {
  decisionsOf,
  excludedBy,
  isPartUnknown,
  type PolicyDecision,
  type Sides,
} from "./decisions";
import type { IndexSet } from "./index-set";
import { positiveForm } from "./positive-form";
import type { RegionSearch } from "./region-search";
import type { SearchScope } from "./search-scope";

export interface CheckChange {
  readonly id: string;
  readonly before: CheckEffect;
  readonly after: CheckEffect;
}

/** The policy that decides, and its position from 1. Both are null if no policy matches. */
export interface Decider {
  readonly policy: string | null;
  /** Also null if any number of unknown policies may be in front. */
  readonly position: number | null;
  /** Names policies that are not known, such as `unmanaged policies`: one of them decides, or none. */
  readonly unknown?: string;
}

/**
 * The workloads for which one policy decided before and one decides after, with the checks that
 * change in one direction. Fields that match everything are left out.
 */
export interface Region {
  readonly change: "weaker" | "stronger";
  /**
   * `certain`: each workload of the region changes. `possible`: that depends on policies or
   * conditions that are not known, or takes too long to find out. `unknown`: it depends on values
   * that are known after apply.
   */
  readonly certainty: "certain" | "possible" | "unknown";
  /** Empty if the checks that change are not known. */
  readonly checks: readonly CheckChange[];
  readonly where: Where;
  readonly before: Decider;
  readonly after: Decider;
  /** A workload of the region; null if the search took too long. */
  readonly example: Workload | null;
  /** Set if the policies before the change were not read but are assumed. */
  readonly assumed?: true;
}

const CHANGES = ["weaker", "stronger"] as const;

/**
 * Compares two ordered collections of policies. Returns the regions of workloads that are protected
 * less or more, in the order of the policies that decided before. Regions are exact.
 *
 * @param wanted - the directions to search for
 */
export function compareProtection(
  before: readonly Policy[],
  after: readonly Policy[],
  wanted: readonly Region["change"][] = CHANGES,
): readonly Region[] {
  return regionsBetween(decisionsOf(before, after), wanted);
}

/** Compares as `compareProtection` does, with decisions that were computed already. */
export function regionsBetween(
  sides: Sides,
  wanted: readonly Region["change"][] = CHANGES,
): readonly Region[] {
  const regions: Region[] = [];
  for (const [was, is] of candidates(sides)) regions.push(...regionsOf(was, is, sides, wanted));
  return regions;
}

/**
 * Yields each pair of decisions such that the first may have decided before, and the second may decide
 * after, for one workload. No workload of a decision is in a scope in front of it, which rules out
 * most pairs of similar collections.
 */
export function* candidates({
  old,
  now,
  search,
}: Sides): Generator<readonly [PolicyDecision, PolicyDecision]> {
  for (const was of old.decisions) {
    const last = now.deciding.get(was.scope)?.find(({ condition }) => condition === undefined);
    const ahead = last ? last.ahead | last.scope.bit : -1n;
    const reached = search
      .scopesIn(search.meeting(was.scope) & ahead & ~was.certainAhead)
      .flatMap((scope) => now.deciding.get(scope) ?? [])
      .sort((one, other) => one.index - other.index);
    for (const is of reached)
      if (is.index <= (last?.index ?? Infinity) && is.effect !== was.effect) yield [was, is];
  }
}

function regionsOf(
  was: PolicyDecision,
  is: PolicyDecision,
  sides: Sides,
  wanted: readonly Region["change"][],
): readonly Region[] {
  const changes = checkChangesOf(was.policy, is.policy);
  const directions = wanted.flatMap((change) => {
    const checks = changes.filter((one) => directionOf(one) === change);
    const { policy } = change === "weaker" ? was : is;
    const mayHaveMore = policy?.missing !== undefined && isPartUnknown(policy, "checks");
    return checks.length > 0 || mayHaveMore ? [{ change, checks }] : [];
  });
  if (directions.length === 0) return [];
  const deciders = { before: deciderOf(was), after: deciderOf(is) };
  return placesOf(was, is, sides).flatMap((place) =>
    directions.map(({ change, checks }) => ({ change, ...place, ...deciders, checks })),
  );
}

type Place = Pick<Region, "certainty" | "where" | "example">;

/** Finds the workloads that go from one decision to another, first those that certainly do. */
export function placesOf(was: PolicyDecision, is: PolicyDecision, sides: Sides): readonly Place[] {
  const { search } = sides;
  const all = narrowest(was.scope, is.scope, search);
  const excluded = excludedBy(sides, was, is);
  const found = search.find(all, excluded);
  if (found === null) return [];
  const place = (
    certainty: Region["certainty"],
    inside: readonly SearchScope[],
    none: IndexSet,
    example: Workload | undefined,
  ): Place => {
    // If the search took too long, no scope is excluded, and the region is larger than needed.
    const near = example || !search.isExceeded ? search.near(inside, none) : 0n;
    return {
      certainty,
      where: positiveForm(inside, search.withoutIdle(inside, near, example)),
      example: example ?? null,
    };
  };
  const ahead = was.ahead | is.ahead;
  const doubtful = search.near(all, ahead & ~excluded);
  const isKnown = [was, is].every(
    ({ policy, condition }) => condition === undefined && !policy?.unknown,
  );
  if (isKnown && doubtful === 0n)
    return [place(found ? "certain" : "possible", all, excluded, found)];
  const doubt = doubtOf(was, is, doubtful, sides);
  const sound = isKnown ? search.find(all, ahead) : undefined;
  if (!sound) return [place(doubt, all, excluded, found)];
  const inside = search
    .scopesIn(doubtful)
    .map((scope) => [...all, scope])
    .map((within) => ({ within, example: search.find(within, excluded) }))
    .filter(({ example }) => example !== null);
  const [first, ...others] = inside;
  return [
    place("certain", all, ahead, sound),
    ...(first
      ? [place(doubt, others.length > 0 ? all : first.within, excluded, first.example ?? undefined)]
      : []),
  ];
}

/** Returns `unknown` if only values that are known after apply decide, otherwise `possible`. */
function doubtOf(
  was: PolicyDecision,
  is: PolicyDecision,
  doubtful: IndexSet,
  { old, now }: Sides,
): "possible" | "unknown" {
  const own = [was, is].filter(({ policy }) => policy?.unknown !== undefined);
  const ahead = [
    ...old.conditional.filter(({ index }) => index < was.index),
    ...now.conditional.filter(({ index }) => index < is.index),
  ].filter(({ scope }) => (scope.bit & doubtful) !== 0n);
  const causes = own.length > 0 ? own : ahead;
  return causes.length > 0 && causes.every(({ policy }) => policy?.missing === undefined)
    ? "unknown"
    : "possible";
}

/** Lists the checks whose effects differ, in the order of their IDs. */
export function checkChangesOf(was: Policy | null, is: Policy | null): readonly CheckChange[] {
  const ids = [...new Set([was, is].flatMap((policy) => Object.keys(policy?.checks ?? {})))];
  return ids
    .sort((one, other) => Number(one) - Number(other) || (one < other ? -1 : 1))
    .map((id) => ({ id, before: effectOf(was, id), after: effectOf(is, id) }))
    .filter((change) => change.before !== change.after);
}

export function directionOf({ before, after }: CheckChange): Region["change"] {
  return rankOf(after) < rankOf(before) ? "weaker" : "stronger";
}

/** Returns both scopes, without one that contains the other. */
function narrowest(
  one: SearchScope,
  other: SearchScope,
  search: RegionSearch,
): readonly SearchScope[] {
  if (search.covers(other, one)) return [one];
  return search.covers(one, other) ? [other] : [one, other];
}

export function deciderOf({ policy, position }: PolicyDecision): Decider {
  if (!policy) return { policy: null, position: null };
  return isPlaceholder(policy) || policy.unknown === "presence"
    ? { policy: null, position: null, unknown: policy.name }
    : { policy: policy.name, position };
}
