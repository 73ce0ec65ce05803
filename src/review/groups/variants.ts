import { countChanges, type StackPlan } from "../../core/documents/stack-plan";
import { noteOf, withNote } from "../../core/notes";
import { groupBy } from "../../core/group-by";
import { LIVE, sumReadings } from "../protection/live-reading";
import { reviewProtection } from "../protection/review-protection";
import { effectKey } from "./alike";
import type { PlanGroup } from "./plan-group";

/**
 * Joins groups of changes that have the same effect on protection, so that reviewers see it once.
 *
 * @param titles The titles of all stacks, in their order.
 */
export function mergeVariants(
  groups: readonly PlanGroup[],
  titles: readonly string[],
): readonly PlanGroup[] {
  const keyed = groups.map((group, index) => ({ group, key: keyOf(group) ?? String(index) }));
  return groupBy(keyed, ({ key }) => key).map((members): PlanGroup => {
    const [{ group }] = members;
    if (members.length === 1) return group;
    const variants = members.map((member) => member.group);
    const stacks = new Set(variants.flatMap((variant) => variant.stacks));
    return {
      ...group,
      plan: withLiveOf(variants, group.plan),
      stacks: titles.filter((title) => stacks.has(title)),
      variants,
    };
  });
}

/** Undefined for a group with more than changes, or without an effect. */
function keyOf({ plan, ownOutputs }: PlanGroup): string | undefined {
  const { changes, drift, outputs, diagnostics } = plan;
  if (drift.length + outputs.length + diagnostics.length + ownOutputs.length > 0) return undefined;
  const reviews = reviewProtection(plan);
  const effects = changes.flatMap((change) => {
    const review = reviews.get(change);
    return (review && effectKey(change, review)) ?? [];
  });
  return effects.length === 0 ? undefined : JSON.stringify([countChanges(plan), effects]);
}

/** Sums the running containers on the consoles of all variants. */
function withLiveOf(variants: readonly PlanGroup[], plan: StackPlan): StackPlan {
  const all = variants.flatMap((variant) => variant.plan.changes);
  const read = all.flatMap((change) => {
    const live = noteOf(change, LIVE);
    return live ? [{ address: change.address, live }] : [];
  });
  if (read.length === 0) return plan;
  const changes = plan.changes.map((change) => {
    const same = read.filter(({ address }) => address === change.address);
    const live = same.map((one) => one.live);
    return live.length === 0 ? change : withNote(change, LIVE, sumReadings(live));
  });
  return { ...plan, changes };
}
