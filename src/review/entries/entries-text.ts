import type { ResourceChange } from "../../runtime/documents/stack-plan";
import { printable } from "../text/quote";
import type { Style, TextOptions } from "../text/style";
import { wordWrap } from "../text/word-wrap";
import { diffEntries } from "./compare-entries";
import { describeContext, describeMembers, describeName, describePlace } from "./entry-text";
import { isChanged, kindOf, type EntriesDiff, type EntryChange } from "./entries-diff";

/**
 * Renders the changes of named entries, which the plain diff of a resource does not show: entries
 * that are added, removed, moved and changed. For a resource
 * that is created, only the entries that it displaces: there is nothing to compare with.
 */
export function renderEntries(change: ResourceChange, options: TextOptions): string[] {
  return diffEntries(change)
    .filter(isChanged)
    .map((diff) => renderDiff(diff, change, options));
}

function renderDiff(
  diff: EntriesDiff,
  { address, after }: ResourceChange,
  options: TextOptions,
): string {
  const { style } = options;
  const subject = diff.ordered ? `${diff.nouns} by name and order` : `${diff.nouns} by name`;
  return [
    `  ${style.bold(`# ${printable(address)}`)}, ${subject}:`,
    ...(after === null ? removal(diff, style) : changes(diff, options)),
    ...(after === null ? [] : describeContext(diff).flatMap((note) => noteLines(note, options))),
  ].join("\n");
}

/** One line for the removal of all entries. */
function removal({ entries, noun, nouns }: EntriesDiff, style: Style): string[] {
  const count = entries.length;
  const subject = count === 1 ? `the only ${noun}` : `all ${count} ${nouns}`;
  return [`  ${style.red("-")} ${subject}`];
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
  const headline = `${describeName(entry)}${describePlace(entry, diff)}`;
  return [
    `  ${colour(SYMBOLS[kind])} ${headline}`,
    ...describeMembers(entry.members, style).flatMap((member) => memberLines(member, options)),
  ];
}

/** Wraps a line that is too long for the terminal. */
function memberLines(text: string, { width }: TextOptions): string[] {
  const lines = wordWrap(text, width - 9).split("\n");
  return lines.map((line, index) => (index === 0 ? "      " : "        ") + line);
}

function noteLines(note: string, { style, width }: TextOptions): string[] {
  const lines = wordWrap(`(${note})`, width - 7).split("\n");
  return lines.map((line, index) => `    ${style.dim(`# ${index === 0 ? "" : " "}${line}`)}`);
}
