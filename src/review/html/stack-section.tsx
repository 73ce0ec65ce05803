import { isEmptyReview, type ReviewedChange, type StackReview } from "../overview/overview";
import { formatCounts } from "../../formats/text/counts";
import { printable } from "../../core/printed";
import { ChangeDetails } from "./change-details";
import { DiffText } from "./diff-text";

/** The targets of links in the page. */
export interface PageIds {
  stack(review: StackReview): string;
  /** Inside the folded details of a change, so that a link unfolds them. */
  change(review: StackReview, index: number): string;
}

export function pageIds(reviews: readonly StackReview[]): PageIds {
  const ids = new Map(reviews.map((review, index) => [review, `stack-${index + 1}`]));
  const stack = (review: StackReview) => ids.get(review) ?? "";
  return { stack, change: (review, index) => `${stack(review)}-change-${index + 1}` };
}

interface StackSectionProps {
  readonly review: StackReview;
  readonly ids: PageIds;
  /** Its first change starts open. */
  readonly isFirst: boolean;
}

export function StackSection({ review, ids, isFirst }: StackSectionProps) {
  const id = ids.stack(review);
  const { stack, stacks, counts, changes, drift, outputs } = review;
  return (
    <section class="stack" id={id} aria-labelledby={`${id}-heading`}>
      <h3 id={`${id}-heading`}>{printable(stack)}</h3>
      <p>
        {isEmptyReview(review) ? "No changes." : `Plan: ${formatCounts(counts)}.`}
        {stacks.length > 1 && ` Each of ${stacks.length} stacks:`}
      </p>
      {stacks.length > 1 && (
        <details class="members">
          <summary>{stacks.length} stacks</summary>
          <p class="scroll">{stacks.map(printable).join(", ")}</p>
        </details>
      )}
      {changes.map((reviewed, index) => (
        <ChangeDetails
          reviewed={reviewed}
          id={ids.change(review, index)}
          objects={(reviewed.stacks ?? stacks).length}
          isOpen={isFirst && index === 0 && isShort(reviewed)}
        />
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
        <ChangeDetails reviewed={reviewed} objects={stacks.length} />
      ))}
      <Dependencies {...review} />
    </section>
  );
}

/** A longer list stays folded, so that the page opens at once, and can be searched. */
const MOST_OPEN = 200;

export function isShort({ entries }: ReviewedChange): boolean {
  return entries.every((diff) => diff.entries.length <= MOST_OPEN);
}

function Dependencies({ dependencies }: Pick<StackReview, "dependencies">) {
  if (dependencies.length < 2) return null;
  return (
    <details class="graph">
      <summary>
        <h4>Dependencies of {dependencies.length} resources</h4>
      </summary>
      <ul class="dependencies">
        {dependencies.map(({ resource, needs }) => (
          <li>
            <code>{printable(resource)}</code>
            {needs.length > 0 && " depends on "}
            {needs.map((need, index) => (
              <>
                {index > 0 && ", "}
                <code>{printable(need)}</code>
              </>
            ))}
          </li>
        ))}
      </ul>
    </details>
  );
}
