import type { CheckChange, Region } from "./compare";
import { patternList, writtenList } from "./pattern";
import { FIELDS, rankOf, type CheckEffect, type Field, type Scope } from "./policy";
import { commonList } from "./positive-form";
import { RegionSearch, type Example } from "./region-search";
import { ScopeCompiler } from "./search-scope";

/** Allows checks to do less for the workloads of a scope. */
export interface Waiver {
  readonly where: Scope;
  /** By check ID. */
  readonly checks: ReadonlyMap<string, { readonly from: CheckEffect; readonly to: CheckEffect }>;
}

/** The result of judging one weakening by the waivers. */
export interface Waived<W extends Waiver> {
  /** The waivers that the weakening needs. Empty unless all of it is waived. */
  readonly by: readonly W[];
  /**
   * A workload that the waivers do not contain. Undefined if they contain all; null if no waiver
   * allows one of the checks, or if the search takes too long.
   */
  readonly outside: Example;
}

/**
 * Finds waivers that together contain a weakening: for each of its checks, each of its workloads is
 * in the scope of a waiver that allows the change. No waiver contains a check that is not known.
 */
export function waive<W extends Waiver>(
  { where, checks }: Pick<Region, "where" | "checks">,
  waivers: readonly W[],
): Waived<W> {
  const by = new Set<W>();
  const judged = new Set<string>();
  if (checks.length === 0) return { by: [], outside: null };
  for (const change of checks) {
    const allowing = waivers.filter((waiver) => allows(waiver, change));
    if (allowing.length === 0) return { by: [], outside: null };
    const key = allowing.map((waiver) => waivers.indexOf(waiver)).join();
    if (judged.has(key)) continue;
    judged.add(key);
    const outside = findOutside(where, allowing);
    if (outside !== null) return { by: [], outside: outside ?? null };
    for (const waiver of needed(where, allowing)) by.add(waiver);
  }
  return { by: [...by], outside: undefined };
}

/**
 * Makes a waiver that contains a weakening. Its scope equals the region if one scope can describe
 * that, and is larger otherwise: for scopes that do not combine into one, and for an excluded scope
 * with several fields.
 */
export function waiverFor({
  where: { all, none },
  checks,
}: Pick<Region, "where" | "checks">): Waiver {
  const patterns = new Map<Field, readonly string[]>();
  for (const scope of all) {
    for (const field of FIELDS) {
      const given = scope[field];
      const before = patterns.get(field) ?? ["*"];
      const both = given && commonList(patternList(before), patternList(given), field);
      if (both) patterns.set(field, writtenList(both));
    }
  }
  for (const scope of none) {
    const [field, ...others] = FIELDS.filter((one) => scope[one] !== undefined);
    const left = field && scope[field];
    if (!field || !left || others.length > 0 || left.some((one) => one.startsWith("-"))) continue;
    patterns.set(field, [...(patterns.get(field) ?? ["*"]), ...left.map((one) => `-${one}`)]);
  }
  return {
    where: Object.fromEntries(patterns),
    checks: new Map(checks.map(({ id, before, after }) => [id, { from: before, to: after }])),
  };
}

/** Returns true if the change is within the waiver: `blocks` to none includes `blocks` to `alerts`. */
function allows({ checks }: Waiver, { id, before, after }: CheckChange): boolean {
  const allowed = checks.get(id);
  if (!allowed) return false;
  return rankOf(before) <= rankOf(allowed.from) && rankOf(after) >= rankOf(allowed.to);
}

/** Finds a workload of the region that no waiver contains; null if there is none. */
function findOutside({ all, none }: Region["where"], waivers: readonly Waiver[]): Example {
  const compiler = new ScopeCompiler();
  const inside = (all.length === 0 ? [{}] : all).map((scope) => compiler.compile(scope));
  const outside = [...none, ...waivers.map(({ where }) => where)]
    .map((scope) => compiler.compile(scope))
    .filter(({ isNothing }) => !isNothing)
    .reduce((scopes, { bit }) => scopes | bit, 0n);
  return new RegionSearch(compiler.scopes).find(inside, outside);
}

/** Removes waivers that the others make superfluous, beginning with the last one. */
function needed<W extends Waiver>(where: Region["where"], waivers: readonly W[]): readonly W[] {
  return waivers.reduceRight<readonly W[]>((kept, waiver) => {
    const others = kept.filter((one) => one !== waiver);
    const isIdle = others.length > 0 && findOutside(where, others) === null;
    return isIdle ? others : kept;
  }, waivers);
}
