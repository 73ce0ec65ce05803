import {
  groupDiagnostics,
  groupWeakenings,
  sumProtection,
  type StackReview,
  type Weakening,
} from "../overview/overview";
import { inStacks } from "../exclusions/exclusions-text";
import { renderDiagnostic } from "../../formats/text/diagnostic-text";
import { formatProtection } from "../protection/protection-text";
import { printable } from "../../core/printed";
import { FILE_TEXT } from "../../formats/text/style";
import type { PageIds } from "./stack-section";

interface WarningsSectionProps {
  readonly reviews: readonly StackReview[];
  readonly ids: PageIds;
}

/** More weakenings are listed with the changes only. */
const MOST_WEAKENINGS = 25;

/** Weakened protection and warnings, which reviewers should read first. */
export function WarningsSection({ reviews, ids }: WarningsSectionProps) {
  const { weaker, stronger } = sumProtection(reviews);
  const weakenings = groupWeakenings(reviews);
  const diagnostics = groupDiagnostics(reviews);
  const parts = reviews.filter(({ complete }) => !complete);
  if (weaker + diagnostics.length + parts.length === 0) return null;
  return (
    <section class="warnings" aria-labelledby="warnings">
      <h2 id="warnings">Warnings</h2>
      <ul>
        {weaker > 0 && (
          <li>
            <strong class="weakens">Protection: {formatProtection(weaker, stronger)}</strong>
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
            <strong>The plan covers only a part of the stack.</strong> Stack {printable(stack)}
          </li>
        ))}
        {diagnostics.map(({ diagnostic, stacks }) => (
          <li>
            <pre>{renderDiagnostic(diagnostic, FILE_TEXT).trim()}</pre>
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

/** The links name the stacks, or the resource of the only stack. */
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
