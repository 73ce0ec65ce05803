import type { Side, Sides } from "./decisions";
import { isPlaceholder } from "./policy";
import type { RegionSearch } from "./region-search";

/** The policies that decide for some workload, by their positions from 0. */
interface Reach {
  /** Those that are not known to decide for none. */
  readonly possible: ReadonlySet<number>;
  readonly certain: ReadonlySet<number>;
}

/** The positions, from 0, of the policies before that decide for some workload, also if that is not certain. */
export function decidingPolicies({ old, search }: Sides): ReadonlySet<number> {
  return reachOf(old, search).possible;
}

/** The names of policies that decide for some workload before and for none after, though enabled. */
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
