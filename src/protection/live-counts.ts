import type { CheckChange, Region } from "./compare";
import type { Query } from "./explain";
import { FIELDS, type Field } from "./policy";

/** The effect of one change of policies on the containers that run on one or more consoles. */
export interface LiveCounts {
  readonly consoles: number;
  readonly running: number;
  /** Those of which it is not known whether they change. */
  readonly uncertain: number;
  /** The fields that decide for uncertain containers and that their records do not have. */
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
  /** Those that fail the check now. */
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
  /** The consoles that run a container in the region. */
  readonly consoles: number;
  readonly running: number;
  /** Containers that may be in the region. */
  readonly uncertain: number;
  /** The first container that is certainly in the region. */
  readonly example: Query | null;
}

/** Names that are kept of each namespace. */
export const MOST_NAMES = 3;

/** Sums what runs on several consoles whose policies change alike. */
export function sumLive(all: readonly [LiveCounts, ...LiveCounts[]]): LiveCounts {
  const changes = new Map<string, LiveChange>();
  for (const one of all) for (const change of one.changes) addChange(changes, change);
  return {
    ...summed(all),
    missing: FIELDS.filter((field) => all.some(({ missing }) => missing.includes(field))),
    changes: [...changes.values()],
    regions: all[0].regions.map((_, index) => {
      const parts = all.flatMap(({ regions }) => regions[index] ?? []);
      return { ...summed(parts), example: parts.find(({ example }) => example)?.example ?? null };
    }),
  };
}

type Numbers = Pick<LiveRegion, "consoles" | "running" | "uncertain">;

function summed(parts: readonly Numbers[]): Numbers {
  const sum = (name: keyof Numbers) => parts.reduce((total, part) => total + part[name], 0);
  return { consoles: sum("consoles"), running: sum("running"), uncertain: sum("uncertain") };
}

/** Adds to the containers with the same change. */
export function addChange(changes: Map<string, LiveChange>, added: LiveChange): void {
  const key = `${added.id} ${String(added.before)} ${String(added.after)}`;
  const known = changes.get(key);
  changes.set(key, known ? joined(known, added) : added);
}

function joined(known: LiveChange, added: LiveChange): LiveChange {
  return {
    ...known,
    title: known.title ?? added.title,
    running: known.running + added.running,
    failing: known.failing + added.failing,
    namespaces: added.namespaces.reduce(withNamespace, known.namespaces),
  };
}

function withNamespace(
  known: readonly LiveNamespace[],
  added: LiveNamespace,
): readonly LiveNamespace[] {
  const same = known.find(({ namespace }) => namespace === added.namespace);
  if (!same) return [...known, added];
  const names = [...new Set([...same.names, ...added.names])].slice(0, MOST_NAMES);
  const sum = { ...same, running: same.running + added.running, names };
  return known.map((one) => (one === same ? sum : one));
}
