import type { ResourceChange, StackPlan } from "../../core/documents/stack-plan";
import { countWeaker, reviewDrift } from "../protection/review-protection";
import { compareChange } from "../../formats/text/resource-text";

/** The objects of a plan that were changed outside. Objects that are only moved are not. */
export function driftOf({ drift }: Pick<StackPlan, "drift">): readonly ResourceChange[] {
  return drift.filter((change) => compareChange(change).effect !== "none");
}

/** The numbers of stacks that drifted, and of those where this weakens protection. */
export function countDrift(plans: readonly Pick<StackPlan, "drift">[]) {
  const drifted = plans.map(driftOf).filter(({ length }) => length > 0);
  const weaker = drifted.filter((changes) =>
    changes.some((change) => countWeaker(reviewDrift(change)) > 0),
  );
  return { stacks: drifted.length, weaker: weaker.length };
}

/** `3 of 200 stacks drifted; 2 weaken protection`; undefined where nothing was changed outside. */
export function describeDrift(plans: readonly Pick<StackPlan, "drift">[]): string | undefined {
  const { stacks, weaker } = countDrift(plans);
  const total = plans.length;
  if (stacks === 0) return undefined;
  return `${stacks} of ${total} ${total === 1 ? "stack" : "stacks"} drifted${weakening(weaker)}`;
}

/** `2 objects drifted; 1 weakens protection` */
export function describeDriftedObjects(drift: readonly ResourceChange[]): string {
  const weaker = drift.filter((change) => countWeaker(reviewDrift(change)) > 0).length;
  return `${drift.length} ${drift.length === 1 ? "object" : "objects"} drifted${weakening(weaker)}`;
}

function weakening(count: number): string {
  return count === 0 ? "" : `; ${count} ${count === 1 ? "weakens" : "weaken"} protection`;
}
