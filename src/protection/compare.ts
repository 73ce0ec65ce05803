import {
  effectOf,
  isPlaceholder,
  rankOf,
  type CheckEffect,
  type Policy,
  type Scope,
  type Workload,
} from "./policy";
import { decisionsOf, excludedBy, isUnknown, type PolicyDecision, type Sides } from "./decisions";
import type { IndexSet } from "./index-set";
import { positiveForm } from "./positive-form";
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
  /** Null as well behind policies that are not known. */
  readonly position: number | null;
  /** Set, with null for the policy, if one of these decides or none: `unmanaged policies`. */
  readonly unknown?: string;
}

/**
 * The workloads for which one policy decided before and another one decides after, as far as checks
 * change in one direction. A workload is in the region when it is in each of `all` and in none of
 * `none`; fields that are everything are left out.
 */
export interface Region {
  readonly change: "weaker" | "stronger";
  /**
   * `certain`: each workload of the region changes so. `possible`: that depends on policies and
   * conditions that are not known, or takes too long to find out. `unknown`: it depends on values
   * that are known after apply.
   */
  readonly certainty: "certain" | "possible" | "unknown";
  /** Empty if the checks that change are not known. */
  readonly checks: readonly CheckChange[];
  readonly where: { readonly all: readonly Scope[]; readonly none: readonly Scope[] };
  readonly before: Decider;
  readonly after: Decider;
  /** A workload of the region; null where none was looked for to the end. */
  readonly example: Workload | null;
  /** Set if the policies before are not read but assumed. */
  readonly assumed?: true;
}

const CHANGES = ["weaker", "stronger"] as const;

/**
 * Compares what two ordered collections of policies do: the regions of workloads that are protected
 * less or more. Regions are exact, and come in the order of the policies that decided before.
 *
 * @param wanted - the others are not searched for
 */
export function compareProtection(
  before: readonly Policy[],
  after: readonly Policy[],
  wanted: readonly Region["change"][] = CHANGES,
): readonly Region[] {
  return regionsBetween(decisionsOf(before, after), wanted);
}

/** Compares decisions that were found already. */
export function regionsBetween(
  sides: Sides,
  wanted: readonly Region["change"][] = CHANGES,
): readonly Region[] {
  const regions: Region[] = [];
  for (const [was, is] of candidates(sides)) regions.push(...regionsOf(was, is, sides, wanted));
  return regions;
}

/**
 * Iterates over the pairs of decisions that some workload may go from one to the other of. A workload
 * that reaches a decision is in no scope in front of it, so few pairs of similar sets are left.
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
  const changes = changesOf(was.policy, is.policy);
  const directions = wanted.flatMap((change) => {
    const checks = changes.filter((one) => directionOf(one) === change);
    const { policy } = change === "weaker" ? was : is;
    const mayHaveMore = policy?.missing !== undefined && isUnknown(policy, "checks");
    return checks.length > 0 || mayHaveMore ? [{ change, checks }] : [];
  });
  if (directions.length === 0) return [];
  const deciders = { before: deciderOf(was), after: deciderOf(is) };
  return placesOf(was, is, sides).flatMap((place) =>
    directions.map(({ change, checks }) => ({ change, ...place, ...deciders, checks })),
  );
}

type Place = Pick<Region, "certainty" | "where" | "example">;

/** The workloads that go from one decision to another: those that certainly do, then the others. */
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
    // A region that was not searched to the end is at most this.
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

/** `unknown` if values that are known after apply decide alone. */
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

/** The checks that do not do the same, by ID. */
export function changesOf(was: Policy | null, is: Policy | null): readonly CheckChange[] {
  const ids = [...new Set([was, is].flatMap((policy) => Object.keys(policy?.checks ?? {})))];
  return ids
    .sort((one, other) => Number(one) - Number(other) || (one < other ? -1 : 1))
    .map((id) => ({ id, before: effectOf(was, id), after: effectOf(is, id) }))
    .filter((change) => change.before !== change.after);
}

export function directionOf({ before, after }: CheckChange): Region["change"] {
  return rankOf(after) < rankOf(before) ? "weaker" : "stronger";
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

export function deciderOf({ policy, position }: PolicyDecision): Decider {
  if (!policy) return { policy: null, position: null };
  return isPlaceholder(policy)
    ? { policy: null, position: null, unknown: policy.name }
    : { policy: policy.name, position };
}
