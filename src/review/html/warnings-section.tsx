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
import { Whole } from "./whole";

interface WarningsSectionProps {
  readonly reviews: readonly StackReview[];
  readonly ids: PageIds;
}

/** More weakenings are listed with the changes only, unless they lose a block. */
const MOST_WEAKENINGS = 25;

/** Weakened protection and warnings, which reviewers should read first. */
export function WarningsSection({ reviews, ids }: WarningsSectionProps) {
  const { weaker, stronger } = sumProtection(reviews);
  const weakenings = groupWeakenings(reviews);
  const drifted = groupWeakenings(reviews, "drift");
  const several = reviews.length > 1 || reviews.some(({ stacks }) => stacks.length > 1);
  const diagnostics = groupDiagnostics(reviews);
  const parts = reviews.filter(({ complete }) => !complete);
  const count = weaker + drifted.length + diagnostics.length + parts.length;
  if (count === 0) return null;
  return (
    <section class="warnings" aria-labelledby="warnings">
      <h2 id="warnings">Warnings</h2>
      <ul>
        {weaker > 0 && (
          <li>
            <strong class="weakens">Protection: {formatProtection(weaker, stronger)}</strong>
            <Weakenings weakenings={weakenings} several={several}>
              {({ review, index }) => `#${ids.change(review, index)}`}
            </Weakenings>
          </li>
        )}
        {drifted.length > 0 && (
          <li>
            <strong class="weakens">Changes made outside weaken protection</strong>
            <Weakenings weakenings={drifted} several={several}>
              {({ review }) => `#${ids.stack(review) ?? ""}`}
            </Weakenings>
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

interface WeakeningsProps {
  readonly weakenings: readonly Weakening[];
  readonly several: boolean;
  /** Returns the target of a link. */
  readonly children: (place: Weakening["places"][number]) => string;
}

const MOST_PLACES = 5;

/** The links name the stacks, or the resource of the only stack. */
function Weakenings({ weakenings, several, children: target }: WeakeningsProps) {
  const losing = weakenings.filter(({ effects }) => effects.some(({ loses }) => loses)).length;
  const shown = weakenings.slice(0, Math.max(MOST_WEAKENINGS, losing));
  return (
    <ul>
      {shown.map(({ effects, places, address }) => (
        <li>
          {effects.map(({ text }) => (
            <>
              <Whole text={text} />
              {effects.length > 1 ? <br /> : " "}
            </>
          ))}
          {several && <span class="note">{printable(address)}, stack </span>}
          {places.slice(0, MOST_PLACES).map((place, index) => (
            <>
              {index > 0 && ", "}
              <a href={target(place)}>{printable(several ? place.review.stack : address)}</a>
            </>
          ))}
          {places.length > MOST_PLACES && ` and ${places.length - MOST_PLACES} more`}
        </li>
      ))}
      {weakenings.length > shown.length && (
        <li>… and {weakenings.length - shown.length} more, none loses a block, below.</li>
      )}
    </ul>
  );
}
