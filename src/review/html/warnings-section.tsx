import {
  groupDiagnostics,
  groupWeakenings,
  sumProtection,
  type StackReview,
  type WeakeningSummary,
} from "../overview/overview";
import { inStacks } from "../exclusions/exclusions-text";
import { renderDiagnostic } from "../../formats/text/diagnostic-text";
import { formatProtection } from "../protection/protection-text";
import { describeHiddenStacks } from "../protection/severity";
import { printable } from "../../core/printed";
import { FILE_TEXT } from "../../formats/text/style";
import type { PageIds } from "./stack-section";
import { Whole } from "./whole";

interface WarningsSectionProps {
  readonly reviews: readonly StackReview[];
  readonly ids: PageIds;
}

/** Groups of weakenings that are not folded. */
const OPEN_WEAKENINGS = 3;

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
  readonly weakenings: readonly WeakeningSummary[];
  readonly several: boolean;
  /** Returns the target of a link. */
  readonly children: (place: WeakeningSummary["places"][number]) => string;
}

/** Stacks that a line links. */
const LINKED_PLACES = 3;

/** The worst groups, each with its worst effect; the others are folded. */
function Weakenings({ weakenings, ...given }: WeakeningsProps) {
  const hasAddress = weakenings.some(({ address }) => address !== weakenings[0]?.address);
  const line = { ...given, hasAddress };
  const folded = weakenings.length > OPEN_WEAKENINGS + 1 ? weakenings.slice(OPEN_WEAKENINGS) : [];
  const list = (some: readonly WeakeningSummary[]) => (
    <ul>
      {some.map((one) => (
        <WeakeningItem weakening={one} {...line} />
      ))}
    </ul>
  );
  return (
    <>
      {list(weakenings.slice(0, weakenings.length - folded.length))}
      {folded.length > 0 && (
        <details>
          <summary>{describeHiddenStacks(folded.map(hiddenOf))}</summary>
          {list(folded)}
        </details>
      )}
    </>
  );
}

function hiddenOf({ effects, places }: WeakeningSummary) {
  return {
    loses: effects.some(({ loses }) => loses),
    names: places.flatMap(({ review }) => review.stacks),
  };
}

interface WeakeningItemProps extends Omit<WeakeningsProps, "weakenings"> {
  readonly weakening: WeakeningSummary;
  /** False where all weakenings are of one address. */
  readonly hasAddress: boolean;
}

/** The links name the stacks, or the resource of the only stack. */
function WeakeningItem({ weakening, several, hasAddress, children: target }: WeakeningItemProps) {
  const { effects, places, address, stacks } = weakening;
  const [worst, ...others] = effects;
  return (
    <li>
      {several && <strong>{stacks === 1 ? "1 stack" : `${stacks} stacks`}: </strong>}
      <Whole text={worst?.text ?? ""} />{" "}
      {several && hasAddress && <span class="note">{printable(address)}, </span>}
      {places.slice(0, LINKED_PLACES).map((place, index) => (
        <>
          {index > 0 && ", "}
          <a href={target(place)}>{printable(several ? place.review.stack : address)}</a>
        </>
      ))}
      {places.length > LINKED_PLACES && ` and ${places.length - LINKED_PLACES} more`}
      {others.length > 0 && (
        <details>
          <summary>
            {others.length} more {others.length === 1 ? "effect" : "effects"}
          </summary>
          <ul>
            {others.map(({ text }) => (
              <li>
                <Whole text={text} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </li>
  );
}
