import { countChanges, type ChangeCounts, type StackPlan } from "../../core/documents/stack-plan";
import { blindCauseOf } from "../exclusions/blind-stacks";
import { shortStackList } from "../exclusions/exclusions-text";
import { reviewStack, type ReviewedChange, type StackReview } from "../overview/overview";
import { attributeName } from "../../core/printed";
import { stackTitle } from "../../formats/text/stack-title";
import { groupPlans } from "./group-plans";
import type { PlanGroup } from "./plan-group";

/** The review of several plans: what is alike is reviewed once. */
export interface PlansReview {
  /** A review of each group of stacks; of the only stack. Counts are those of one stack. */
  readonly reviews: readonly StackReview[];
  /** All stacks, in their order. */
  readonly rows: readonly StackRow[];
}

/** The sums of one stack. */
export interface StackRow {
  readonly stack: string;
  readonly endpoints: readonly string[];
  readonly counts: ChangeCounts;
  readonly weaker: number;
  readonly warnings: number;
  /** True if the console was not read. */
  readonly isBlind: boolean;
  /** The reviews that the stack is in. */
  readonly reviews: readonly StackReview[];
}

export function reviewPlans(plans: readonly StackPlan[]): PlansReview {
  const [only] = plans;
  const reviews =
    only && plans.length === 1
      ? [reviewStack(only)]
      : groupPlans(plans).groups.map((group) => reviewGroup(group));
  const reviewsOf = new Map<string, StackReview[]>();
  for (const review of reviews) {
    for (const stack of review.stacks) {
      const known = reviewsOf.get(stack);
      if (known) known.push(review);
      else reviewsOf.set(stack, [review]);
    }
  }
  return { reviews, rows: plans.map((plan) => rowOf(plan, reviewsOf.get(stackTitle(plan)) ?? [])) };
}

function rowOf(plan: StackPlan, reviews: readonly StackReview[]): StackRow {
  return {
    stack: stackTitle(plan),
    endpoints: plan.endpoints,
    counts: countChanges(plan),
    weaker: reviews.reduce((sum, review) => sum + review.protected.weaker, 0),
    warnings: reviews.reduce((sum, { diagnostics }) => sum + diagnostics.length, 0),
    isBlind: blindCauseOf(plan) !== undefined,
    reviews,
  };
}

/** Names in the title of a group. */
const NAMED_STACKS = 3;

function reviewGroup({ plan, stacks, ownOutputs, variants }: PlanGroup): StackReview {
  const review = reviewStack(plan);
  const own = ownOutputs.map((name) => `${attributeName(name)} = (differs from stack to stack)`);
  const outputs = [...review.outputs, ...own];
  if (stacks.length === 1) return { ...review, outputs };
  return {
    ...review,
    outputs,
    stack: shortStackList(stacks, NAMED_STACKS),
    stacks,
    endpoints: [],
    changes:
      variants.length > 0 ? changesOf(variants, review) : review.changes.map(withoutEndpoint),
    drift: review.drift.map(withoutEndpoint),
  };
}

/** The changes of all variants with their stacks. Only the first has the effect on protection. */
function changesOf(variants: readonly PlanGroup[], whole: StackReview): readonly ReviewedChange[] {
  return variants.flatMap(({ plan, stacks }, index) => {
    const { changes } = index === 0 ? whole : reviewStack(plan);
    return changes.map((reviewed) => ({
      ...withoutEndpoint(reviewed),
      ...(index > 0 && { protection: undefined }),
      stacks,
    }));
  });
}

/** The console of the first stack is not that of the others. */
function withoutEndpoint(reviewed: ReviewedChange): ReviewedChange {
  const change = { ...reviewed.change };
  delete change.endpoint;
  return { ...reviewed, change };
}
