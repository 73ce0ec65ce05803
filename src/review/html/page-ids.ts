import type { StackReview } from "../overview";

/** Where things stand in the page, for links to them. */
export interface PageIds {
  /** Undefined for a stack that has no section. */
  stack(review: StackReview): string | undefined;
  /** Inside what is folded, so that a link unfolds it. */
  change(review: StackReview, index: number): string;
}

export function pageIds(reviews: readonly StackReview[]): PageIds {
  const ids = new Map(reviews.map((review, index) => [review, `stack-${index + 1}`]));
  return {
    stack: (review) => ids.get(review),
    change: (review, index) => `${ids.get(review) ?? "stack"}-change-${index + 1}`,
  };
}
