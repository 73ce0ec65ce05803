import type { Review, Weakenings } from "../groups/review";
import { inStacks } from "../exclusions/exclusions-text";
import { formatProtection } from "../protection/protection-text";
import { describeHiddenStacks } from "../protection/severity";
import { printable } from "../../core/printed";
import { DiagnosticText } from "./diagnostics";
import type { PageIds } from "./stack-section";
import { Whole } from "./whole";

interface WarningsSectionProps {
  readonly review: Review;
  readonly ids: PageIds;
}

/** Groups of weakenings that are not folded. */
const OPEN_WEAKENINGS = 3;

/** Weakened protection and warnings, which reviewers should read first. */
export function WarningsSection({ review, ids }: WarningsSectionProps) {
  const { weaker, stronger, driftedWeakenings: drifted, partial, warnings } = review;
  const several = review.rows.length > 1;
  if (weaker + drifted.length + warnings.length + partial.length === 0) return null;
  return (
    <section class="warnings" aria-labelledby="warnings">
      <h2 id="warnings">Warnings</h2>
      <ul>
        {weaker > 0 && (
          <li>
            <strong class="weakens">Protection: {formatProtection(weaker, stronger)}</strong>
            <WeakeningList weakenings={review.weakenings} several={several}>
              {(place) => ids.change(place.review, place.index)}
            </WeakeningList>
          </li>
        )}
        {drifted.length > 0 && (
          <li>
            <strong class="weakens">Changes made outside weaken protection</strong>
            <WeakeningList weakenings={drifted} several={several}>
              {(place) => ids.stack(place.review)}
            </WeakeningList>
          </li>
        )}
        {partial.length > 0 && (
          <li>
            <strong>The plan covers only a part of the stack.</strong> {inStacks(partial)}
          </li>
        )}
        {warnings.map(({ diagnostic, stacks }) => (
          <li>
            <DiagnosticText diagnostic={diagnostic} />
            <p class="note">{inStacks(stacks)}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface WeakeningListProps {
  readonly weakenings: readonly Weakenings[];
  readonly several: boolean;
  /** Returns the target of a link. */
  readonly children: (place: Weakenings["places"][number]) => string;
}

/** Stacks that a line links. */
const LINKED_PLACES = 3;

/** The worst groups, each with its worst effect; the others are folded. */
function WeakeningList({ weakenings, ...given }: WeakeningListProps) {
  const hasAddress = weakenings.some(({ address }) => address !== weakenings[0]?.address);
  const folded = weakenings.length > OPEN_WEAKENINGS + 1 ? weakenings.slice(OPEN_WEAKENINGS) : [];
  const hidden = folded.map(({ effects, places }) => ({
    loses: effects.some(({ loses }) => loses),
    names: places.flatMap(({ review }) => review.stacks),
  }));
  const list = (some: readonly Weakenings[]) => (
    <ul>
      {some.map((one) => (
        <WeakeningItem weakening={one} hasAddress={hasAddress} {...given} />
      ))}
    </ul>
  );
  return (
    <>
      {list(weakenings.slice(0, weakenings.length - folded.length))}
      {folded.length > 0 && (
        <details>
          <summary>{describeHiddenStacks(hidden)}</summary>
          {list(folded)}
        </details>
      )}
    </>
  );
}

interface WeakeningItemProps extends Omit<WeakeningListProps, "weakenings"> {
  readonly weakening: Weakenings;
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
          <a href={`#${target(place)}`}>{printable(several ? place.review.stack : address)}</a>
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
