import type { ResourceChange, StackPlan } from "../../core/documents/stack-plan";
import type { Printable } from "../../core/printed";
import { renderPlan } from "../../formats/text/plan-text";
import type { TextOptions } from "../../formats/text/style";
import { countWeaker, reviewProtection } from "../protection/review-protection";
import { renderDriftOf } from "./drift-text";
import { reviewSections } from "./review-sections";

/**
 * Renders a plan with its effects on protection. Without `attributes`, changes that weaken protection
 * come first.
 */
export function renderReviewedPlan(plan: StackPlan, options: TextOptions): Printable {
  const effects = reviewProtection(plan);
  const isWeaker = (change: ResourceChange) =>
    !options.attributes && countWeaker(effects.get(change)) > 0;
  const others = plan.changes.filter((change) => !isWeaker(change));
  return renderPlan({ ...plan, changes: [...plan.changes.filter(isWeaker), ...others] }, options, {
    ...reviewSections(options, (change) => effects.get(change)),
    drift: renderDriftOf(plan, options),
  });
}
