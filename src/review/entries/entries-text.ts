import type { ResourceChange } from "../../core/documents/stack-plan";
import { printable } from "../../core/printed";
import type { TextOptions } from "../../formats/text/style";
import { wordWrap } from "../../formats/text/word-wrap";
import { diffEntries } from "./compare-entries";
import { describeContext, describeMembers, describeName, describePlace } from "./entry-text";
import { isChanged, kindOf, type EntriesDiff, type EntryChange } from "./entries-diff";

/**
 * Renders the changes of named entries below a plain diff, which shows them by position: entries
 * that are added, removed, moved and changed.
 */
export function renderEntries(change: ResourceChange, options: TextOptions): string[] {
  return diffEntries(change)
    .filter(isChanged)
    .map((diff) => {
      const subject = diff.ordered ? `${diff.nouns} by name and order` : `${diff.nouns} by name`;
      const heading = `  ${options.style.bold(`# ${printable(change.address)}`)}, ${subject}:`;
      return [heading, ...entryLines(diff, options)].join("\n");
    });
}

/** The lines of entries that change, with notes about the others. */
export function entryLines(diff: EntriesDiff, options: TextOptions): readonly string[] {
  return [...changes(diff, options), ...notes(diff, options)];
}

function changes(diff: EntriesDiff, options: TextOptions): string[] {
  const { entries, nouns, unknown } = diff;
  if (unknown) return [`  ${options.style.yellow("~")} ${nouns} (known after apply)`];
  return entries.flatMap((entry) => renderEntry(entry, diff, options));
}

const SYMBOLS = { added: "+", removed: "-", changed: "~" } as const;

function renderEntry(entry: EntryChange, diff: EntriesDiff, options: TextOptions): string[] {
  const { style } = options;
  const kind = kindOf(entry);
  if (kind === "unchanged") return [];
  const colour = { added: style.green, removed: style.red, changed: style.yellow }[kind];
  // A name is not wrapped.
  const name = describeName(entry);
  const [first = "", ...more] = wordWrap(
    `${"-".repeat(name.length)}${describePlace(entry, diff)}`,
    options.width - 5,
  ).split("\n");
  return [
    `  ${colour(SYMBOLS[kind])} ${name}${first.slice(name.length)}`,
    ...more.map((line) => `        ${line}`),
    ...describeMembers(entry.members, style).flatMap((member) => memberLines(member, options)),
  ];
}

/** Wraps a line that is too long for the terminal. */
function memberLines(text: string, { width }: TextOptions): string[] {
  const lines = wordWrap(text, width - 9).split("\n");
  return lines.map((line, index) => (index === 0 ? "      " : "        ") + line);
}

function notes(diff: EntriesDiff, options: TextOptions): string[] {
  return describeContext(diff).flatMap((note) => noteLines(note, options));
}

function noteLines(note: string, { style, width }: TextOptions): string[] {
  const lines = wordWrap(`(${note})`, width - 7).split("\n");
  return lines.map((line, index) => `    ${style.dim(`# ${index === 0 ? "" : " "}${line}`)}`);
}
