import { printed } from "../../core/printed";
import { error, type Diagnostic } from "../../core/diagnostics";
import { describeCounts } from "../../review/protection/protection-text";
import { countWeaker, reviewProtection } from "../../review/protection/review-protection";
import type { StackPlan } from "../../runtime";

export interface GateOptions {
  readonly failOn?: "weaker";
  /** Stacks and addresses that may weaken protection. */
  readonly allowWeaker?: readonly string[];
}

/** Returns an error for each collection that the plans weaken and the options do not allow. */
export function refusals(
  plans: readonly StackPlan[],
  { failOn, allowWeaker = [] }: GateOptions,
): readonly Diagnostic[] {
  if (failOn === undefined) return [];
  return plans.flatMap((plan) => {
    if (allowWeaker.includes(plan.stack)) return [];
    return [...reviewProtection(plan).values()].flatMap((review) => {
      const { addresses } = review;
      const isAllowed = addresses.every((address) => allowWeaker.includes(address));
      if (countWeaker(review) === 0 || isAllowed) return [];
      const [address = ""] = addresses;
      return [
        error(
          "Protection gets weaker",
          printed`Stack "${plan.stack}": ${addresses.join(", ")}. ${describeCounts(review)}.\n\nThe plan shows which workloads are protected less. If that is intended, allow it with --allow-weaker ${JSON.stringify(plan.stack)} or --allow-weaker ${JSON.stringify(address)}.`,
        ),
      ];
    });
  });
}
