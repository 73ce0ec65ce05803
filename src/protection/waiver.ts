import type { CheckChange, Region } from "./compare";
import { rankOf, type CheckEffect, type Where } from "./policy";
import { findOutside } from "./remainder";
import type { Example } from "./region-search";

/** Allows checks to do less for some workloads. */
export interface Waiver {
  readonly where: Where;
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

/** A weakening to be waived. */
export type WaivedChange = Pick<Region, "where" | "checks" | "example">;

/**
 * Finds waivers that together contain a weakening: for each of its checks, each of its workloads is
 * in a waiver that allows the change. No waiver contains a check that is not known.
 */
export function waive<W extends Waiver>(
  { where, checks }: Pick<WaivedChange, "where" | "checks">,
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
    const exact = allowing.find((waiver) => isSame(waiver.where, where));
    const found = exact ? null : outsideOf(where, allowing);
    if (found !== null) return { by: [], outside: found ?? null };
    for (const waiver of exact ? [exact] : needed(where, allowing)) by.add(waiver);
  }
  return { by: [...by], outside: undefined };
}

/**
 * Makes the waiver that allows a weakening, and nothing else. Undefined if the checks are not known,
 * or if the search took too long to find the exact region.
 */
export function waiverFor({ where, checks, example }: WaivedChange): Waiver | undefined {
  if (checks.length === 0 || !example) return undefined;
  return {
    where,
    checks: new Map(checks.map(({ id, before, after }) => [id, { from: before, to: after }])),
  };
}

/** A weakening that needs a waiver. Those of one source are the result of one comparison. */
export interface Needing {
  readonly region: WaivedChange & Pick<Region, "certainty">;
  readonly source: number;
  readonly waiver: Waiver;
}

/**
 * Removes weakenings that the waivers of the others contain, beginning with the last one. The waivers
 * of the rest are what all of them need.
 */
export function withoutIdle<N extends Needing>(all: readonly N[]): readonly N[] {
  return all.reduceRight<readonly N[]>((kept, one) => {
    const isCertain = one.region.certainty === "certain";
    // Certain regions of one comparison have no workload in common for which one check changes.
    const others = kept.filter(
      ({ source, region }) =>
        source !== one.source || !(isCertain && region.certainty === "certain"),
    );
    const waivers = others.filter((other) => other !== one).map(({ waiver }) => waiver);
    const isIdle = waivers.length > 0 && waive(one.region, waivers).outside === undefined;
    return isIdle ? kept.filter((other) => other !== one) : kept;
  }, all);
}

/** Returns true if the change is within the waiver: `blocks` to none includes `blocks` to `alerts`. */
function allows({ checks }: Waiver, { id, before, after }: CheckChange): boolean {
  const allowed = checks.get(id);
  if (!allowed) return false;
  return rankOf(before) <= rankOf(allowed.from) && rankOf(after) >= rankOf(allowed.to);
}

function isSame(one: Where, other: Where): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Finds a workload of a region that no waiver contains; null if there is none. */
function outsideOf(where: Where, waivers: readonly Waiver[]): Example {
  const others = waivers.map((waiver) => waiver.where);
  return findOutside(where, others);
}

/** Removes waivers that the others make superfluous, beginning with the last one. */
function needed<W extends Waiver>(where: Where, waivers: readonly W[]): readonly W[] {
  return waivers.reduceRight<readonly W[]>((kept, waiver) => {
    const others = kept.filter((one) => one !== waiver);
    const isIdle = others.length > 0 && outsideOf(where, others) === null;
    return isIdle ? others : kept;
  }, waivers);
}
