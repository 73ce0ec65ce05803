import type { ResourceChange } from "../../runtime/documents/plan";
import { printable } from "../text/quote";
import type { Style } from "../text/style";
import { wordWrap } from "../text/word-wrap";
import { diffEntries } from "./compare-entries";
import {
  describeContext,
  describeMembers,
  describeName,
  describePlace,
  weakeningWords,
  type MemberWords,
} from "./entry-words";
import { countWeakening, isChanged, kindOf, type EntriesDiff, type EntryChange } from "./model";

export interface EntriesTextOptions {
  readonly style: Style;
  /** Columns of the terminal. */
  readonly width: number;
}

/**
 * What the plain diff of a resource does not show: which of its named entries come, go, move and
 * change, and what of it weakens protection. Of a resource that is created only what it displaces:
 * there is nothing to compare with.
 */
export function renderEntries(change: ResourceChange, options: EntriesTextOptions): string[] {
  return diffEntries(change)
    .filter(isChanged)
    .map((diff) => renderDiff(diff, change, options));
}

function renderDiff(
  diff: EntriesDiff,
  { address, after }: ResourceChange,
  options: EntriesTextOptions,
): string {
  const { style } = options;
  const what = diff.ordered ? `${diff.nouns} by name and order` : `${diff.nouns} by name`;
  return [
    `  ${style.bold(`# ${printable(address)}`)}, ${what}:`,
    ...(after === null ? allGo(diff, style) : changes(diff, options)),
    ...(after === null ? [] : describeContext(diff).flatMap((note) => noteLines(note, options))),
    ...summary(diff, style),
  ].join("\n");
}

function allGo({ entries, noun, nouns }: EntriesDiff, style: Style): string[] {
  const count = entries.length;
  const weakens = entries.some((entry) => entry.weakens);
  const what = count === 1 ? `the one ${noun}` : `all ${count} ${nouns}`;
  return [`  ${style.red("-")} ${what}${mark(weakens, style)}`];
}

function changes(diff: EntriesDiff, options: EntriesTextOptions): string[] {
  const { entries, nouns, unknown } = diff;
  if (unknown) return [`  ${options.style.yellow("~")} ${nouns} (known after apply)`];
  return entries.flatMap((entry) => renderEntry(entry, diff, options));
}

const SYMBOLS = { added: "+", removed: "-", changed: "~" } as const;

function renderEntry(entry: EntryChange, diff: EntriesDiff, options: EntriesTextOptions) {
  const { style } = options;
  const kind = kindOf(entry);
  if (kind === "unchanged") return [];
  const colour = { added: style.green, removed: style.red, changed: style.yellow }[kind];
  const headline = `${describeName(entry)}${describePlace(entry, diff)}`;
  return [
    `  ${colour(SYMBOLS[kind])} ${headline}${mark(entry.weakens, style)}`,
    ...describeMembers(entry.members, style).flatMap((member) => memberLines(member, options)),
  ];
}

/** Wrapped where the line, with what it is marked with, would be too long for the terminal. */
function memberLines({ text, weakens }: MemberWords, { style, width }: EntriesTextOptions) {
  const room = width - 9 - (weakens ? MARK.length : 0);
  const lines = wordWrap(text, room).split("\n");
  return lines.map((line, index) => {
    const margin = index === 0 ? "      " : "        ";
    return margin + line + mark(weakens && index === lines.length - 1, style);
  });
}

function noteLines(note: string, { style, width }: EntriesTextOptions): string[] {
  const lines = wordWrap(`(${note})`, width - 7).split("\n");
  return lines.map((line, index) => `    ${style.dim(`# ${index === 0 ? "" : " "}${line}`)}`);
}

function summary(diff: EntriesDiff, style: Style): string[] {
  const count = countWeakening(diff);
  return count === 0 ? [] : [`    ${style.bold(style.red(weakeningWords(count)))}`];
}

const MARK = " # weakens protection";

function mark(weakens: boolean, style: Style): string {
  return weakens ? ` ${style.red(MARK.trim())}` : "";
}
