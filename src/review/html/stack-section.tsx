import { countWords, isEmptyReview, type StackReview } from "../overview";
import { printable } from "../text/quote";
import { ChangeDetails, DriftDetails } from "./change-details";
import { DiffText } from "./diff-text";
import type { DrawGraph } from "./graph-layout";
import type { PageIds } from "./page-ids";
import { GraphSection } from "./graph-section";

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
      <p>{isEmptyReview(review) ? "No changes." : `Plan: ${countWords(counts)}.`}</p>
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
