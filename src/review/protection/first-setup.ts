import type { ResourceChange, StackPlan } from "../../core/documents/stack-plan";
import { countWeaker, reviewProtection, type ProtectionReview } from "./review-protection";

/**
 * The effects of a plan as its text shows them. A new console cannot be read before its first user
 * signs up, so its default policies are assumed, and replacing them is what a first apply is for. The
 * text has one sentence about them in place of alarms; contracts and documents judge all effects.
 */
export function shownEffects(plan: StackPlan): ReadonlyMap<ResourceChange, ProtectionReview> {
  const effects = reviewProtection(plan);
  if (!isFirstSetup(plan)) return effects;
  return new Map([...effects].map(([change, review]) => [change, withoutDefaults(review)]));
}

/** Reports whether a plan creates the first user and the license of a console that was not read. */
export function isFirstSetup(plan: Pick<StackPlan, "changes">): boolean {
  const creates = (type: string) =>
    plan.changes.some((change) => change.type === type && change.action === "create");
  return (
    creates("cwp_bootstrap") &&
    creates("cwp_license") &&
    [...reviewProtection(plan).values()].some(isAssumed)
  );
}

function withoutDefaults(review: ProtectionReview): ProtectionReview {
  if (!isAssumed(review)) return review;
  const regions = review.regions.filter(({ change }) => change !== "weaker");
  return { ...review, regions, reasons: [], isSetup: true };
}

const isAssumed = (review: ProtectionReview) =>
  countWeaker(review) > 0 && review.regions.every(({ assumed }) => assumed);
