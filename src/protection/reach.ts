import type { Side, Sides } from "./decisions";
import { isPlaceholder } from "./policy";
import type { RegionSearch } from "./region-search";

/** The policies that decide for some workload, by their indexes from 0. */
interface Reach {
  /** The policies that may decide for a workload. */
  readonly possible: ReadonlySet<number>;
  /** The policies that certainly decide for a workload. */
  readonly certain: ReadonlySet<number>;
}

/** Returns the indexes, from 0, of the policies before the change that may decide for a workload. */
export function decidingPolicies({ old, search }: Sides): ReadonlySet<number> {
  return reachOf(old, search).possible;
}

/** Returns the names of enabled policies that decided for a workload and no longer decide for any. */
export function noLongerDeciding({ old, now, search }: Sides): readonly string[] {
  const { possible } = reachOf(now, search);
  const idle = now.policies.filter(
    (policy, index) => !policy.disabled && !isPlaceholder(policy) && !possible.has(index),
  );
  if (idle.length === 0) return [];
  const { certain } = reachOf(old, search);
  const decided = new Set(
    old.policies.filter((_, index) => certain.has(index)).map(({ name }) => name),
  );
  return idle.map(({ name }) => name).filter((name) => decided.has(name));
}

function reachOf({ decisions }: Side, search: RegionSearch): Reach {
  const [possible, certain] = [new Set<number>(), new Set<number>()];
  for (const { policy, index, scope, ahead, certainAhead, condition } of decisions) {
    const found = policy && search.find([scope], certainAhead);
    if (found === null) continue;
    possible.add(index);
    if (condition !== undefined) continue;
    if (ahead === certainAhead ? found : search.find([scope], ahead)) certain.add(index);
  }
  return { possible, certain };
}
