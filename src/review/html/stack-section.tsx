import { isEmptyReview, type StackReview } from "../overview";
import { formatCounts } from "../text/counts";
import { printable } from "../text/quote";
import { ChangeDetails, DriftDetails } from "./change-details";
import { DiffText } from "./diff-text";
import type { DrawGraph } from "./graph-layout";
import { GraphSection } from "./graph-section";

/** The targets of links in the page. */
export interface PageIds {
  /** Undefined for a stack without a section. */
  stack(review: StackReview): string | undefined;
  /** Inside the folded details of a change, so that a link unfolds them. */
  change(review: StackReview, index: number): string;
}

export function pageIds(reviews: readonly StackReview[]): PageIds {
  const ids = new Map(reviews.map((review, index) => [review, `stack-${index + 1}`]));
  return {
    stack: (review) => ids.get(review),
    change: (review, index) => `${ids.get(review) ?? "stack"}-change-${index + 1}`,
  };
}

export interface StackSectionProps {
  readonly review: StackReview;
  readonly ids: PageIds;
  /** Absent where there are too many stacks for pictures. */
  readonly draw?: DrawGraph | undefined;
}

export function StackSection({ review, ids, draw }: StackSectionProps) {
  const id = ids.stack(review) ?? "";
  const { stack, counts, changes, drift, outputs } = review;
  return (
    <section class="stack" id={id} aria-labelledby={`${id}-heading`}>
      <h3 id={`${id}-heading`}>{printable(stack)}</h3>
      <p>{isEmptyReview(review) ? "No changes." : `Plan: ${formatCounts(counts)}.`}</p>
      {changes.map((reviewed, index) => (
        <ChangeDetails {...reviewed} id={ids.change(review, index)} />
      ))}
      {outputs.length > 0 && (
        <details class="outputs">
          <summary>
            <h4>Changes to outputs</h4>
          </summary>
          <DiffText text={outputs.join("\n")} />
        </details>
      )}
      {drift.map((reviewed) => (
        <DriftDetails {...reviewed} />
      ))}
      {draw && <GraphSection review={review} draw={draw} />}
    </section>
  );
}
