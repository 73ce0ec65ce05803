import { formatPath } from "../../provider/diagnostics";
import type { OthersPlace } from "../../provider/schema/review";
import type { Value } from "../../provider/values";
import { compareUntyped } from "../difference/compare-untyped";
import { printable, quote } from "../text/quote";
import { renderDifference } from "../text/difference-text";
import { createStyle, type Style } from "../text/style";
import { kindOf, type EntriesDiff, type EntryChange, type MemberChange } from "./model";

/** One change inside an entry, in words. */
export interface MemberWords {
  readonly text: string;
  readonly weakens: boolean;
}

/** The name in quotes, or why it is not told. */
export function describeName({ name, nameHidden }: EntryChange): string {
  if (nameHidden === "sensitive") return "(sensitive value)";
  return name === undefined ? "(name known after apply)" : quote(name);
}

/** What follows the name: ` added as no. 3`; numbers count from 1. */
export function describePlace(
  entry: EntryChange,
  { ordered }: Pick<EntriesDiff, "ordered">,
): string {
  const number = (position = 0) => `no. ${position + 1}`;
  const { from, to, moved } = entry;
  switch (kindOf(entry)) {
    case "added":
      return ordered ? ` added as ${number(to)}` : " added";
    case "removed":
      return ordered ? ` removed, was ${number(from)}` : " removed";
    case "changed":
    case "unchanged":
      if (moved && from === to) return ` moved among the others, still ${number(to)}`;
      if (moved) return ` moved from ${number(from)} to ${number(to)}`;
      return ordered ? `, ${number(to)}` : "";
  }
}

/** Every change inside an entry; rules that change alike share a sentence. */
export function describeMembers(
  members: readonly MemberChange[],
  style: Style,
): readonly MemberWords[] {
  const alike = new Map<string, { rules: string[]; weakens: boolean; noun: string }>();
  const words: MemberWords[] = [];
  for (const member of members) {
    if (member.kind !== "rule") {
      words.push({ text: describeMember(member, style), weakens: member.weakens });
      continue;
    }
    const phrase = describeRule(member);
    const group = alike.get(phrase) ?? { rules: [], weakens: member.weakens, noun: member.noun };
    group.rules.push(member.rule);
    alike.set(phrase, group);
  }
  for (const [phrase, { rules, weakens, noun }] of alike) {
    const subject = `${noun}${rules.length === 1 ? "" : "s"} ${rules.map(printable).join(", ")}`;
    words.push({ text: `${subject}: ${phrase}`, weakens });
  }
  return words;
}

/** `2 changes weaken protection.` */
export function weakeningWords(count: number): string {
  return count === 1 ? "1 change weakens protection." : `${count} changes weaken protection.`;
}

const PLAIN = createStyle(false);

/** Each thing that weakens protection, in a line: `policy "No root": check 41: removed`. */
export function weakeningsOf(diff: EntriesDiff): readonly string[] {
  const { entries, noun, nouns } = diff;
  const allGo = entries.length > 1 && entries.every(({ to }) => to === undefined);
  if (allGo)
    return entries.some(({ weakens }) => weakens) ? [`all ${entries.length} ${nouns} removed`] : [];
  return entries.flatMap((entry) => {
    const name = describeName(entry);
    const inside = describeMembers(entry.members, PLAIN).filter(({ weakens }) => weakens);
    return [
      ...(entry.weakens ? [`${noun} ${name} removed`] : []),
      ...inside.map(({ text }) => `${noun} ${name}: ${text}`),
    ];
  });
}

const PLACES: Readonly<Record<OthersPlace, string>> = {
  before: "in front of these",
  behind: "behind these",
  among: "among these",
};

/** What stays as it is, and where the entries stand. */
export function describeContext({
  entries,
  nouns,
  noun,
  ordered,
  others,
  othersPassed,
  othersNames,
  displaced,
  outOfPosition,
  unknown,
}: EntriesDiff) {
  const unchanged = entries.filter((entry) => kindOf(entry) === "unchanged");
  const shuffled =
    unchanged.length === entries.length && unchanged.some(({ from, to }) => from !== to);
  const order = shuffled
    ? "; only their order in the list changes, which means nothing"
    : ordered
      ? ", and in the same order"
      : "";
  return [
    ...(unchanged.length > 0 && !unknown
      ? [`${unchanged.length} ${unchanged.length === 1 ? noun : nouns} unchanged${order}`]
      : []),
    ...(outOfPosition ? [`not all ${nouns} stand where they should; they are put there`] : []),
    ...(displaced.length > 0
      ? [`${nouns} that the console came with go: ${several(displaced)}`]
      : []),
    ...(others
      ? [describeOthers(nouns, PLACES[others] + (othersPassed ? " from now on" : ""), othersNames)]
      : []),
  ];
}

function describeOthers(nouns: string, place: string, names: readonly string[]): string {
  const sentence = `${nouns} of others stand ${place}, and stay as they are`;
  return names.length === 0 ? sentence : `${sentence}: ${several(names)}`;
}

function describeRule({ before, after }: Extract<MemberChange, { kind: "rule" }>): string {
  if (after === "unknown") return "(known after apply)";
  if (after === "absent") return "removed";
  if (before === "absent") return after === "blocks" ? "added, blocking" : "added, alerting";
  return after === "blocks" ? "now blocking" : "no longer blocking";
}

function describeMember(member: Exclude<MemberChange, { kind: "rule" }>, style: Style): string {
  const path = printable(formatPath(member.path));
  switch (member.kind) {
    case "switched":
      return member.on ? "enabled" : "disabled";
    case "scope":
      return `${path} ${describeScope(member)}`;
    case "ahead":
      return `now ahead of ${several(member.of)}, which it covers, and is weaker`;
    case "behind":
      return `now behind ${several(member.of)}, which covers it, and is weaker`;
    case "value":
      return `${path}: ${describeValues(member.before, member.after, style)}`;
    case "unknown":
      return `${path}: (known after apply)`;
    case "sensitive":
      return `${path}: (sensitive value)`;
  }
}

/** `"a", "b", "c" and 2 more` */
function several(names: readonly string[]): string {
  const told = names.slice(0, 3).map(quote).join(", ");
  return names.length <= 3 ? told : `${told} and ${names.length - 3} more`;
}

function describeScope({ before, after, gained, lost }: Extract<MemberChange, { kind: "scope" }>) {
  const list = (elements: readonly string[]) =>
    elements.length === 0 ? "nothing" : elements.map(quote).join(", ");
  if (lost.includes("*")) return `narrowed from all to ${list(after)}`;
  if (gained.includes("*")) return `widened from ${list(before)} to all`;
  const added = after.filter((element) => !before.includes(element));
  if (lost.length === 0) return `widened, now also ${list(gained)}`;
  if (gained.length === 0) {
    return added.length === 0
      ? `narrowed, no longer ${list(lost)}`
      : `narrowed from ${list(before)} to ${list(after)}`;
  }
  return `changed, no longer ${list(lost)}, but ${list(gained)}`;
}

/** Small values on one line, larger ones as the plain diff lays them out. */
function describeValues(before: Value, after: Value, style: Style): string {
  const compared = compareUntyped(before, after);
  const options = { style, symbols: true, unchanged: false, nullSuffix: false };
  // Its last line stands below its first.
  return renderDifference(compared, 0, options).replaceAll("\n    ", "\n");
}
