import { formatPath } from "../../../provider/diagnostics";
import type { OthersPlace } from "../../../provider/schema/review";
import type { Value } from "../../../provider/values";
import type { ResourceChange } from "../../plan/model";
import { compareUntyped } from "../compare-untyped";
import { printable, quote } from "../quote";
import { renderDifference } from "../render";
import type { Style } from "../style";
import { wordWrap } from "../word-wrap";
import { diffEntries } from "./compare-entries";
import {
  countWeakening,
  isChanged,
  kindOf,
  type EntriesDiff,
  type EntryChange,
  type MemberChange,
} from "./model";

export interface EntriesTextOptions {
  readonly style: Style;
  /** Columns of the terminal. */
  readonly width: number;
}

/**
 * What the plain diff of a resource does not show: which of its named entries come, go, move and
 * change, and what of it weakens protection. Nothing for a resource that is created: there is
 * nothing to compare with.
 */
export function renderEntries(change: ResourceChange, options: EntriesTextOptions): string[] {
  if (change.before === null || change.action === "no-op") return [];
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
    ...(after === null ? [] : notes(diff).map((note) => `    ${style.dim(`# (${note})`)}`)),
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

function renderEntry(entry: EntryChange, { ordered }: EntriesDiff, options: EntriesTextOptions) {
  const { style } = options;
  const name = describeName(entry);
  const number = (position = 0) => `no. ${position + 1}`;
  const { from, to } = entry;
  switch (kindOf(entry)) {
    case "unchanged":
      return [];
    case "added":
      return [`  ${style.green("+")} ${name} added${ordered ? ` as ${number(to)}` : ""}`];
    case "removed": {
      const was = ordered ? `, was ${number(from)}` : "";
      return [`  ${style.red("-")} ${name} removed${was}${mark(entry.weakens, style)}`];
    }
    case "changed": {
      const moved = ` moved from ${number(from)} to ${number(to)}`;
      const place = ordered ? `, ${number(to)}` : "";
      return [
        `  ${style.yellow("~")} ${name}${entry.moved ? moved : place}`,
        ...renderMembers(entry.members, options),
      ];
    }
  }
}

function describeName({ name, nameHidden }: EntryChange): string {
  if (nameHidden === "sensitive") return "(sensitive value)";
  return name === undefined ? "(name known after apply)" : quote(name);
}

/** A line for each change; rules that change alike share one. */
function renderMembers(members: readonly MemberChange[], options: EntriesTextOptions): string[] {
  const alike = new Map<string, { rules: string[]; weakens: boolean; noun: string }>();
  const lines: string[] = [];
  for (const member of members) {
    if (member.kind !== "rule") {
      lines.push(...memberLines(describeMember(member, options), member.weakens, options));
      continue;
    }
    const phrase = describeRule(member);
    const group = alike.get(phrase) ?? { rules: [], weakens: member.weakens, noun: member.noun };
    group.rules.push(member.rule);
    alike.set(phrase, group);
  }
  for (const [phrase, { rules, weakens, noun }] of alike) {
    const subject = `${noun}${rules.length === 1 ? "" : "s"} ${rules.map(printable).join(", ")}`;
    lines.push(...memberLines(`${subject}: ${phrase}`, weakens, options));
  }
  return lines;
}

function memberLines(text: string, weakens: boolean, { style, width }: EntriesTextOptions) {
  const [first = "", ...rest] = wordWrap(text, width - 9).split("\n");
  const lines = [`      ${first}`, ...rest.map((line) => `        ${line}`)];
  return lines.map((line, index) =>
    index === lines.length - 1 ? line + mark(weakens, style) : line,
  );
}

function describeRule({ before, after }: Extract<MemberChange, { kind: "rule" }>): string {
  if (after === "unknown") return "(known after apply)";
  if (after === "absent") return "removed";
  if (before === "absent") return after === "blocks" ? "added, blocking" : "added, alerting";
  return after === "blocks" ? "now blocking" : "no longer blocking";
}

function describeMember(
  member: Exclude<MemberChange, { kind: "rule" }>,
  { style }: EntriesTextOptions,
): string {
  const path = printable(formatPath(member.path));
  switch (member.kind) {
    case "switched":
      return member.on ? "enabled" : "disabled";
    case "scope":
      return `${path} ${describeScope(member)}`;
    case "value":
      return `${path}: ${describeValues(member.before, member.after, style)}`;
    case "unknown":
      return `${path}: (known after apply)`;
    case "sensitive":
      return `${path}: (sensitive value)`;
  }
}

function describeScope({ before, after, gained, lost }: Extract<MemberChange, { kind: "scope" }>) {
  const list = (elements: readonly string[]) =>
    elements.length === 0 ? "nothing" : elements.map(quote).join(", ");
  if (lost.includes("*")) return `narrowed from all to ${list(after)}`;
  if (gained.includes("*")) return `widened from ${list(before)} to all`;
  if (lost.length === 0) return `widened, now also ${list(gained)}`;
  if (gained.length === 0) return `narrowed, no longer ${list(lost)}`;
  return `changed, no longer ${list(lost)}, but ${list(gained)}`;
}

/** Small values on one line, larger ones as the plain diff lays them out. */
function describeValues(before: Value, after: Value, style: Style): string {
  const compared = compareUntyped(before, after);
  return renderDifference(compared, 1, {
    style,
    symbols: true,
    unchanged: false,
    nullSuffix: false,
  });
}

const PLACES: Readonly<Record<OthersPlace, string>> = {
  before: "in front of these",
  behind: "behind these",
  among: "among these",
};

function notes({ entries, nouns, noun, ordered, others, outOfPosition, unknown }: EntriesDiff) {
  const unchanged = entries.filter((entry) => kindOf(entry) === "unchanged").length;
  const kept = ordered ? "unchanged, and in the same order" : "unchanged";
  return [
    ...(unchanged > 0 && !unknown
      ? [`${unchanged} ${unchanged === 1 ? noun : nouns} ${kept}`]
      : []),
    ...(outOfPosition ? [`the ${nouns} were moved away from their place, and are put back`] : []),
    ...(others
      ? [`${nouns} that are not managed here stand ${PLACES[others]}, and stay as they are`]
      : []),
  ];
}

function summary(diff: EntriesDiff, style: Style): string[] {
  const count = countWeakening(diff);
  if (count === 0) return [];
  const text = count === 1 ? "1 change weakens protection." : `${count} changes weaken protection.`;
  return [`    ${style.bold(style.red(text))}`];
}

function mark(weakens: boolean, style: Style): string {
  return weakens ? ` ${style.red("# weakens protection")}` : "";
}
