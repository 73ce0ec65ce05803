import { describeProtection, type EffectText, type PlaceText } from "../protection/protection-text";
import { Whole } from "./whole";
import { countWeaker, type ProtectionReview } from "../protection/review-protection";

/** The effect of a change on what its console protects. */
export function ProtectionSection({ review }: { readonly review: ProtectionReview }) {
  const { headline, live, effects, notes } = describeProtection(review, { isWhole: true });
  return (
    <section class="protection">
      <h5 class={countWeaker(review) > 0 ? "weakens" : undefined}>{headline}</h5>
      {live.map((sentence) => (
        <p>{sentence}</p>
      ))}
      {effects.length > 0 && (
        <ul>
          {effects.map((effect) => (
            <Effect effect={effect} />
          ))}
        </ul>
      )}
      {notes.map((note) => (
        <p class="note">{note}</p>
      ))}
    </section>
  );
}

function Effect({ effect: { change, text, places } }: { readonly effect: EffectText }) {
  return (
    <li class={change}>
      <span class="symbol" aria-hidden="true">
        {{ weaker: "−", stronger: "+", same: "=" }[change]}
      </span>{" "}
      <span class="word">{change}:</span> {text}
      {places.length > 0 && (
        <ul>
          {places.map((place) => (
            <Place place={place} />
          ))}
        </ul>
      )}
    </li>
  );
}

function Place({ place: { where, deciders, live, example } }: { readonly place: PlaceText }) {
  return (
    <li>
      <span class="scope">
        <Whole text={where} />
      </span>
      : {deciders}
      {live !== undefined && <>; {live}</>}
      {example !== undefined && <span class="note"> for example {example}</span>}
    </li>
  );
}
