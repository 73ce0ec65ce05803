import {
  describeContext,
  describeMembers,
  describeName,
  describePlace,
} from "../entries/entry-text";
import { kindOf, type EntriesDiff, type EntryChange } from "../entries/entries-diff";
import { PLAIN } from "../text/style";
import { OrderPicture } from "./order-picture";

/** The changes of a list of named entries, with a picture of its order. */
export function EntriesSection({ diff }: { readonly diff: EntriesDiff }) {
  const { entries, nouns, ordered, unknown } = diff;
  const changed = entries.filter((entry) => kindOf(entry) !== "unchanged");
  const reorders = ordered && entries.some(({ moved }) => moved);
  const context = describeContext(diff);
  return (
    <section class="entries">
      <h5>{ordered ? `${nouns} by name and order` : `${nouns} by name`}</h5>
      {reorders && <OrderPicture diff={diff} />}
      {unknown ? (
        <p>The {nouns} are known only after apply.</p>
      ) : (
        <ul>
          {changed.map((entry) => (
            <EntryItem entry={entry} diff={diff} />
          ))}
        </ul>
      )}
      {context.map((note) => (
        <p class="note">{note}</p>
      ))}
    </section>
  );
}

function EntryItem({ entry, diff }: { readonly entry: EntryChange; readonly diff: EntriesDiff }) {
  const members = describeMembers(entry.members, PLAIN);
  const kind = kindOf(entry);
  return (
    <li class={`entry ${kind}`}>
      <span class="symbol" aria-hidden="true">
        {{ added: "+", removed: "−", changed: "~", unchanged: "" }[kind]}
      </span>{" "}
      <b class="name">{describeName(entry)}</b>
      {describePlace(entry, diff)} {entry.weakens && <Weakens />}
      {members.length > 0 && (
        <ul>
          {members.map(({ text, weakens }) => (
            <li>
              <span class="words">{text}</span> {weakens && <Weakens />}
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}

export function Weakens() {
  return <strong class="weakens">weakens protection</strong>;
}
