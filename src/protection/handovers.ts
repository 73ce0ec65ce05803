import { compareProtection, type Region } from "./compare";
import type { Policy } from "./policy";

/** Workloads for which a policy with another name decides than before. */
export type Handover = Pick<Region, "where" | "before" | "after" | "example">;

/** Finds the workloads whose deciding policy has another name than before, whatever its checks. */
export function handovers(
  before: readonly Policy[],
  after: readonly Policy[],
): readonly Handover[] {
  // With its name as its only check, the effect of each policy differs from that of all others.
  const named = (policy: Policy): Policy => ({ ...policy, checks: { [policy.name]: true } });
  const regions = compareProtection(before.map(named), after.map(named));
  return regions.filter((region) => region.change === "weaker" || region.before.policy === null);
}
