import type { ResourceChange, StackPlan } from "../../core/documents/stack-plan";
import { joined, printed, type Printable, type Printed } from "../../core/printed";
import { renderPlan } from "../../formats/text/plan-text";
import type { TextOptions } from "../../formats/text/style";
import { describeCounts } from "../protection/protection-text";
import { protectionHeadline, protectionLines } from "../protection/render-protection";
import { shownEffects } from "../protection/first-setup";
import { countWeaker, type ProtectionReview } from "../protection/review-protection";
import { worstFirst } from "../protection/severity";
import { renderDriftOf } from "./drift-text";
import { reviewSections } from "./review-sections";

/**
 * Renders a plan. Its effects on protection come first, and changes that weaken it before others. With
 * `attributes`, tools cut out what is between Terraform's lines, so the effects are with the changes,
 * in their order, and the first line has their numbers.
 */
export function renderReviewedPlan(plan: StackPlan, options: TextOptions): Printable {
  const effects = shownEffects(plan);
  const reviews = worstFirst([...effects.values()]);
  const isWeaker = (change: ResourceChange) =>
    !options.attributes && countWeaker(effects.get(change)) > 0;
  const others = plan.changes.filter((change) => !isWeaker(change));
  return renderPlan({ ...plan, changes: [...plan.changes.filter(isWeaker), ...others] }, options, {
    ...reviewSections(options, (change) => (options.attributes ? effects.get(change) : undefined)),
    opening: reviews.length === 0 ? [] : renderOpening(reviews, options),
    closing: reviews.length === 0 ? undefined : describeCounts(...reviews),
    drift: renderDriftOf(plan, options),
  });
}

/** Renders the effects of a plan on protection alone, as `renderReviewedPlan` begins. */
export function renderEffects(plan: StackPlan, options: TextOptions): readonly Printed[] {
  return renderOpening(worstFirst([...shownEffects(plan).values()]), options);
}

/** Renders a plan without its effects on protection. */
export function renderChanges(plan: StackPlan, options: TextOptions): Printable {
  return renderPlan(plan, options, {
    ...reviewSections(options, () => undefined),
    drift: renderDriftOf(plan, options),
  });
}

/** The effects, by the resources that have them if there are several. */
function renderOpening(
  reviews: readonly ProtectionReview[],
  options: TextOptions,
): readonly Printed[] {
  if (options.attributes) {
    const isWeaker = reviews.some((review) => countWeaker(review) > 0);
    return [protectionHeadline(describeCounts(...reviews), isWeaker, options)];
  }
  return reviews.map((review) => {
    const [headline = "", ...lines] = protectionLines(review, options);
    const [address = ""] = review.addresses;
    const whose = reviews.length === 1 ? printed`` : printed` in ${address}`;
    return joined([printed`${headline}${whose}`, ...lines], "\n");
  });
}
