import { actionSymbol, renderDrift, renderResourceChange } from "../../formats/text/resource-text";
import type { ResourceChange } from "../../core/documents/stack-plan";
import { changeWord, type ReviewedChange } from "../overview/overview";
import { printable } from "../../core/printed";
import { MARKED_TEXT, PLAIN, type TextOptions } from "../../formats/text/style";
import { shortStackList } from "../exclusions/exclusions-text";
import { DiffText } from "./diff-text";
import {
  describeContext,
  describeLabel,
  describeMembers,
  describePlace,
} from "../entries/entry-text";
import { kindOfChange, type EntriesDiff, type EntryChange } from "../entries/entries-diff";
import { OrderPicture } from "./order-picture";
import { ProtectionSection } from "./protection-section";
import { noteOf } from "../../core/notes";
import { SHORTENED } from "../groups/plan-group";

/** Stacks in a headline. */
const NAMED_STACKS = 3;

/** The folded text has whole attributes. */
const WHOLE: TextOptions = { ...MARKED_TEXT, attributes: true };

/** The changes of a list of named entries, with a picture of its order. */
function EntriesSection({
  diff,
  hasOrder,
}: {
  readonly diff: EntriesDiff;
  readonly hasOrder: boolean;
}) {
  const { entries, nouns, ordered, unknown } = diff;
  const changed = entries.filter((entry) => kindOfChange(entry) !== "unchanged");
  const reorders = hasOrder && ordered && entries.some(({ moved }) => moved);
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
  const members = describeMembers(entry.members, PLAIN).map(String);
  const kind = kindOfChange(entry);
  return (
    <li class={`entry ${kind}`}>
      <span class="symbol" aria-hidden="true">
        {{ added: "+", removed: "−", changed: "~", unchanged: "" }[kind]}
      </span>{" "}
      <b class="name">{describeLabel(entry, diff)}</b>
      {describePlace(entry, diff)}
      {members.length > 0 && (
        <ul>
          {members.map((text) => (
            <li>
              <span class="words">{text}</span>
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}

interface ChangeDetailsProps {
  readonly reviewed: ReviewedChange;
  /** The number of stacks of the group that have it. */
  readonly objects: number;
  /** The target of a link to it. Absent: the change was made outside. */
  readonly id?: string;
  readonly isOpen?: boolean;
}

/** One change. Its data attributes are for the filters. */
export function ChangeDetails({ reviewed, objects, id, isOpen }: ChangeDetailsProps) {
  const { change, isWeaker, stacks } = reviewed;
  const isDrift = id === undefined;
  const word = isDrift ? "drift" : changeWord(change);
  return (
    <details
      open={isOpen}
      class={`change ${word}`}
      data-action={word}
      data-objects={objects}
      data-console={change.endpoint ?? ""}
      data-weakens={isWeaker ? "yes" : "no"}
    >
      <summary>
        <h4>
          {!isDrift && (
            <span class="symbol" aria-hidden="true">
              {actionSymbol(change.action, PLAIN).trim()}
            </span>
          )}{" "}
          <Name change={change} /> <span class="word">{isDrift ? "changed outside" : word}</span>{" "}
          {isWeaker && <strong class="weakens">weakens protection</strong>}
          {stacks && <span class="note"> in {shortStackList(stacks, NAMED_STACKS)}</span>}
        </h4>
      </summary>
      <div class="body" id={id}>
        {!isDrift && <Facts change={change} />}
        <Differences reviewed={reviewed} isDrift={isDrift} />
      </div>
    </details>
  );
}

/** The path of the construct within its stack, with the address behind it; the address of another one. */
function Name({ change: { address, constructPath } }: { readonly change: ResourceChange }) {
  const [, ...path] = (constructPath ?? "").split("/");
  if (path.length === 0) return <span class="address">{printable(address)}</span>;
  return (
    <>
      <span class="path">{printable(path.join("/"))}</span>{" "}
      <code class="address note">{printable(address)}</code>
    </>
  );
}

function Facts({ change: { endpoint, constructPath } }: { readonly change: ResourceChange }) {
  if (endpoint === undefined && constructPath === undefined) return null;
  return (
    <p class="note">
      {endpoint !== undefined && <>Console {printable(endpoint)}. </>}
      {constructPath !== undefined && <>Construct {printable(constructPath)}.</>}
    </p>
  );
}

interface DifferencesProps {
  readonly reviewed: ReviewedChange;
  readonly isDrift: boolean;
}

/** The effect and the differences by entries, with folded attributes below, or attributes alone. */
function Differences({ reviewed, isDrift }: DifferencesProps) {
  const { change, entries, protection } = reviewed;
  // Stacks that differ in what does not change have no common text of attributes.
  const isShortened = !isDrift && noteOf(change, SHORTENED) === true;
  const text = () =>
    isDrift ? renderDrift(change, WHOLE).toString() : renderResourceChange(change, WHOLE);
  return (
    <>
      {protection && <ProtectionSection review={protection} />}
      {entries.map((diff) => (
        <EntriesSection diff={diff} hasOrder={!isShortened} />
      ))}
      {isShortened ? (
        <p class="note">The stacks differ in what does not change.</p>
      ) : entries.length === 0 ? (
        <DiffText text={text()} />
      ) : (
        <details class="attributes">
          <summary>
            <h5>Attribute by attribute</h5>
          </summary>
          <DiffText text={text()} />
        </details>
      )}
    </>
  );
}
