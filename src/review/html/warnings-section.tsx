import { groupAlike, inStacks } from "../alike";
import { renderDiagnostic } from "../text/diagnostic-text";
import { weakeningWords } from "../entries/entry-words";
import type { StackReview } from "../overview";
import { printable } from "../text/quote";
import { createStyle } from "../text/style";
import { groupWeakenings, type Weakening } from "../weakenings";
import type { PageIds } from "./page-ids";

const PLAIN = createStyle(false);

interface WarningsSectionProps {
  readonly reviews: readonly StackReview[];
  readonly ids: PageIds;
}

/** Of more, the changes tell. */
const MOST_WEAKENINGS = 25;

/** What has to be known before anything else. */
export function WarningsSection({ reviews, ids }: WarningsSectionProps) {
  const count = reviews.reduce((sum, { weakening }) => sum + weakening, 0);
  const weakenings = groupWeakenings(reviews);
  const told = groupAlike(reviews);
  const parts = reviews.filter(({ complete }) => !complete);
  if (count + told.length + parts.length === 0) return null;
  return (
    <section class="warnings" aria-labelledby="warnings">
      <h2 id="warnings">Warnings</h2>
      <ul>
        {count > 0 && (
          <li>
            <strong class="weakens">{weakeningWords(count)}</strong>
            <ul>
              {weakenings.slice(0, MOST_WEAKENINGS).map((weakening) => (
                <WeakeningItem weakening={weakening} ids={ids} several={reviews.length > 1} />
              ))}
              {weakenings.length > MOST_WEAKENINGS && (
                <li>… and {weakenings.length - MOST_WEAKENINGS} more, below.</li>
              )}
            </ul>
          </li>
        )}
        {parts.map(({ stack }) => (
          <li>
            <strong>The plan is about a part of the stack only.</strong> Stack {printable(stack)}
          </li>
        ))}
        {told.map(({ diagnostic, stacks }) => (
          <li>
            <pre>{renderDiagnostic(diagnostic, { style: PLAIN, width: 100 }).trim()}</pre>
            <p class="note">{inStacks(stacks)}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface WeakeningItemProps {
  readonly weakening: Weakening;
  readonly ids: PageIds;
  readonly several: boolean;
}

const MOST_PLACES = 5;

/** The links say which stack, or of one stack which resource. */
function WeakeningItem({ weakening, ids, several }: WeakeningItemProps) {
  const { text, places } = weakening;
  const address = printable(weakening.address);
  return (
    <li>
      {text} {several && <span class="note">{address}, stack </span>}
      {places.slice(0, MOST_PLACES).map(({ review, index }, place) => (
        <>
          {place > 0 && ", "}
          <a href={`#${ids.change(review, index)}`}>
            {several ? printable(review.stack) : address}
          </a>
        </>
      ))}
      {places.length > MOST_PLACES && ` and ${places.length - MOST_PLACES} more`}
    </li>
  );
}
