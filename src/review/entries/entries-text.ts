import type { ResourceChange } from "../../core/documents/stack-plan";
import { joined, printed, type Printed } from "../../core/printed";
import type { TextOptions } from "../../formats/text/style";
import { wrappedLines } from "../../formats/text/word-wrap";
import { diffEntries } from "./compare-entries";
import { describeContext, describeLabel, describeMembers, describePlace } from "./entry-text";
import { isChanged, kindOfChange, type EntriesDiff, type EntryChange } from "./entries-diff";

/**
 * Renders the changes of named entries below a plain diff, which shows them by position: entries
 * that are added, removed, moved and changed.
 */
export function renderEntries(change: ResourceChange, options: TextOptions): Printed[] {
  return diffEntries(change)
    .filter(isChanged)
    .map((diff) => {
      const subject = diff.ordered ? `${diff.nouns} by name and order` : `${diff.nouns} by name`;
      const title = options.style.bold(printed`# ${change.address}`);
      return joined([printed`  ${title}, ${subject}:`, ...entryLines(diff, options)], "\n");
    });
}

/** Columns in front of the entries of a created object. */
const MARGIN_COLUMNS = 4;

/** The entries of an object that is created, in place of its attributes. Undefined for other changes. */
export function createdLines(
  change: ResourceChange,
  options: TextOptions,
): readonly Printed[] | undefined {
  const { action, importing, afterSensitive } = change;
  if (action !== "create" || importing) return undefined;
  const diffs = diffEntries(change).filter(isChanged);
  const hidden = new Set(afterSensitive.map(([name]) => name));
  if (diffs.some(({ attribute }) => hidden.has(attribute))) return undefined;
  const narrow = { ...options, width: options.width - MARGIN_COLUMNS };
  const lines = diffs.flatMap((diff) => entryLines(diff, narrow));
  return lines.map((line) => printed`${" ".repeat(MARGIN_COLUMNS)}${line}`);
}

/** The lines of entries that change, with notes about the others. */
export function entryLines(diff: EntriesDiff, options: TextOptions): readonly Printed[] {
  return [...changes(diff, options), ...notes(diff, options)];
}

function changes(diff: EntriesDiff, options: TextOptions): Printed[] {
  const { entries, nouns, unknown } = diff;
  if (unknown) return [printed`  ${options.style.yellow(printed`~`)} ${nouns} (known after apply)`];
  return entries.flatMap((entry) => renderEntry(entry, diff, options));
}

const SYMBOLS = { added: "+", removed: "-", changed: "~" } as const;

function renderEntry(entry: EntryChange, diff: EntriesDiff, options: TextOptions): Printed[] {
  const { style } = options;
  const kind = kindOfChange(entry);
  if (kind === "unchanged") return [];
  const colour = { added: style.green, removed: style.red, changed: style.yellow }[kind];
  // A label is not wrapped.
  const label = describeLabel(entry, diff);
  const [first = "", ...more] = wrappedLines(
    `${"-".repeat(label.length)}${describePlace(entry, diff)}`,
    options.width - 5,
  );
  return [
    printed`  ${colour(printed`${SYMBOLS[kind]}`)} ${label}${first.toString().slice(label.length)}`,
    ...more.map((line) => printed`        ${line}`),
    ...describeMembers(entry.members, style).flatMap((member) => memberLines(member, options)),
  ];
}

/** Wraps a line that is too long for the terminal. */
function memberLines(text: string | Printed, { width }: TextOptions): Printed[] {
  return wrappedLines(text, width - 9).map(
    (line, index) => printed`${index === 0 ? "      " : "        "}${line}`,
  );
}

function notes(diff: EntriesDiff, options: TextOptions): Printed[] {
  return describeContext(diff).flatMap((note) => noteLines(note, MARGIN_COLUMNS, options));
}

/** A note as a comment, each line of which is marked as one. */
export function noteLines(note: string, margin: number, { style, width }: TextOptions): Printed[] {
  return wrappedLines(`(${note})`, width - margin - 3).map(
    (line, index) =>
      printed`${" ".repeat(margin)}${style.dim(printed`# ${index === 0 ? "" : " "}${line}`)}`,
  );
}
