import type { CheckChange, Region } from "./compare";
import type { WorkloadQuery } from "./explain";
import { FIELDS, type Field } from "./policy";

/** The effect of one change of policies on the containers that run on one or more consoles. */
export interface LiveCounts {
  readonly consoles: number;
  readonly running: number;
  /** The number of containers that may or may not change. */
  readonly uncertain: number;
  /** The fields on which uncertain containers depend and that their records do not have. */
  readonly missing: readonly Field[];
  readonly changes: readonly LiveChange[];
  /** By region of the comparison, in its order. */
  readonly regions: readonly LiveRegion[];
}

/** The containers for which one check changes. */
export interface LiveChange extends CheckChange {
  readonly change: Region["change"];
  /** The title of the check in the results of containers that fail it. */
  readonly title: string | undefined;
  readonly running: number;
  /** The number of these containers that fail the check now. */
  readonly failing: number;
  readonly namespaces: readonly LiveNamespace[];
}

export interface LiveNamespace {
  /** Null if the containers have none, or their records do not have it. */
  readonly namespace: string | null;
  readonly running: number;
  /** The names of the first containers, at most `MOST_NAMES`. */
  readonly names: readonly string[];
}

export interface LiveRegion {
  /** The number of consoles that run a container in the region. */
  readonly consoles: number;
  readonly running: number;
  /** Containers that may be in the region. */
  readonly uncertain: number;
  /** The first container that is certainly in the region. */
  readonly example: WorkloadQuery | null;
}

/** The number of names that are kept of each namespace. */
export const MOST_NAMES = 3;

/** Adds the counts of several consoles whose policies change alike. */
export function sumLive(all: readonly [LiveCounts, ...LiveCounts[]]): LiveCounts {
  return {
    ...summed(all),
    missing: FIELDS.filter((field) => all.some(({ missing }) => missing.includes(field))),
    changes: sumChanges(all.flatMap(({ changes }) => changes)),
    regions: all[0].regions.map((_, index) =>
      sumRegions(all.flatMap(({ regions }) => regions[index] ?? [])),
    ),
  };
}

/** Adds the counts of one region on several consoles. */
export function sumRegions(parts: readonly LiveRegion[]): LiveRegion {
  return { ...summed(parts), example: parts.find(({ example }) => example)?.example ?? null };
}

type Numbers = Pick<LiveRegion, "consoles" | "running" | "uncertain">;

function summed(parts: readonly Numbers[]): Numbers {
  return {
    consoles: total(parts, ({ consoles }) => consoles),
    running: total(parts, ({ running }) => running),
    uncertain: total(parts, ({ uncertain }) => uncertain),
  };
}

/** Joins equal changes of different containers. */
export function sumChanges(all: readonly LiveChange[]): readonly LiveChange[] {
  return grouped(all, ({ id, before, after }) => `${id} ${String(before)} ${String(after)}`).map(
    (group) => ({
      ...group[0],
      title: group.find(({ title }) => title !== undefined)?.title,
      running: total(group, ({ running }) => running),
      failing: total(group, ({ failing }) => failing),
      namespaces: grouped(
        group.flatMap(({ namespaces }) => namespaces),
        ({ namespace }) => namespace,
      ).map((same) => ({
        ...same[0],
        running: total(same, ({ running }) => running),
        names: [...new Set(same.flatMap(({ names }) => names))].slice(0, MOST_NAMES),
      })),
    }),
  );
}

function total<T>(parts: readonly T[], of: (part: T) => number): number {
  return parts.reduce((sum, part) => sum + of(part), 0);
}

function grouped<T>(
  items: readonly T[],
  keyOf: (item: T) => string | null,
): readonly (readonly [T, ...T[]])[] {
  const groups = new Map<string | null, [T, ...T[]]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return [...groups.values()];
}
