import { formatPath } from "../../core/diagnostics";
import type { OthersPlace } from "../../provider/review-hints";
import type { Value } from "../../core/values";
import { compareUntyped } from "../../formats/difference/compare";
import { groupBy } from "../../core/group-by";
import { inlineDifference } from "../../formats/text/difference-text";
import { printable, printed, quote, type Printed } from "../../core/printed";
import type { Style } from "../../formats/text/style";
import {
  kindOfChange,
  type EntriesDiff,
  type EntryChange,
  type MemberChange,
  type RuleChange,
} from "./entries-diff";

/** The name in quotes, or the reason why it is not shown. */
export function describeName({ name, nameHidden }: EntryChange): string {
  if (nameHidden === "sensitive") return "(sensitive value)";
  return name === undefined ? "(name known after apply)" : quote(name);
}

/** `policy 3 ("root")`, by its position after the change, or before if it is removed; from 1. */
export function describeLabel(
  entry: EntryChange,
  { noun, ordered, isWhole }: Pick<EntriesDiff, "noun" | "ordered" | "isWhole">,
): string {
  const name = describeName(entry);
  const position = entry.to ?? entry.from;
  if (!ordered || isWhole || position === undefined) return name;
  return `${noun} ${position + 1} (${name.replace(/^\((.*)\)$/, "$1")})`;
}

/** The text after the label: ` added: 599 blocking`. */
export function describePlace(
  entry: EntryChange,
  { isWhole }: Pick<EntriesDiff, "isWhole">,
): string {
  const { summary } = entry;
  const content = summary === "" ? "" : `: ${summary}`;
  const { from = 0, to, moved } = entry;
  switch (kindOfChange(entry)) {
    case "added":
      return `${isWhole ? "" : " added"}${content}`;
    case "removed":
      return `${isWhole ? "" : " removed"}${content}`;
    case "changed":
    case "unchanged":
      if (!moved) return "";
      return `${from === to ? " moved among the others" : ` moved from position ${from + 1}`}${content}`;
  }
}

/** Describes every change inside an entry; rules that change alike share a sentence. */
export function describeMembers(
  members: readonly MemberChange[],
  style: Style,
): readonly (string | Printed)[] {
  const rules = members.filter((member) => member.kind === "rule");
  const others = members.filter((member) => member.kind !== "rule");
  return [
    ...others.map((member) => describeMember(member, style)),
    ...groupBy(rules, describeRule).map((group) => {
      const [{ noun }] = group;
      const names = group.map(({ rule }) => printable(rule)).join(", ");
      const subject = `${noun}${group.length === 1 ? "" : "s"} ${names}`;
      return `${subject}: ${describeRule(group[0])}`;
    }),
  ];
}

const PLACES: Readonly<Record<OthersPlace, string>> = {
  before: "in front of these",
  behind: "behind these",
  among: "among these",
};

/** Notes about unchanged, misplaced, default and unmanaged entries. */
export function describeContext(diff: EntriesDiff): readonly string[] {
  const { entries, noun, nouns, others, displaced } = diff;
  const unchanged = entries.filter((entry) => kindOfChange(entry) === "unchanged").length;
  const names = (list: readonly string[]) => (list.length === 0 ? "" : `: ${several(list)}`);
  return [
    ...(unchanged > 0 && !diff.unknown
      ? [
          `${unchanged} ${unchanged === 1 ? noun : nouns} unchanged${describeOrder(diff, unchanged)}`,
        ]
      : []),
    ...(diff.outOfPosition
      ? [`unmanaged ${nouns} are among these, which are moved back together`]
      : []),
    ...(displaced.length > 0 ? [`default ${nouns} are removed${names(displaced)}`] : []),
    ...(others
      ? [
          `unmanaged ${nouns} are ${diff.othersPassed ? "now " : ""}${PLACES[others]} and stay ` +
            `unchanged${names(diff.othersNames)}`,
        ]
      : []),
  ];
}

function describeOrder({ entries, ordered }: EntriesDiff, unchanged: number): string {
  const shuffled = unchanged === entries.length && entries.some(({ from, to }) => from !== to);
  if (shuffled) return "; only their order in the list changes, which has no effect";
  return ordered && unchanged > 1 ? ", and in the same order" : "";
}

function describeRule({ before, after }: RuleChange): string {
  if (after === "unknown") return "(known after apply)";
  if (after === "absent") return "removed";
  if (before === "absent") return after === "blocks" ? "added, blocking" : "added, alerting";
  return after === "blocks" ? "now blocking" : "no longer blocking";
}

function describeMember(
  member: Exclude<MemberChange, { kind: "rule" }>,
  style: Style,
): string | Printed {
  const path = printable(formatPath(member.path));
  switch (member.kind) {
    case "switched":
      return member.on ? "enabled" : "disabled";
    case "scope":
      return `${path}: ${describeScope(member)}`;
    case "value":
      return printed`${path}: ${describeValues(member.before, member.after, style)}`;
    case "unknown":
      return `${path}: (known after apply)`;
    case "sensitive":
      return `${path}: (sensitive value)`;
  }
}

/** `"a", "b", "c" and 2 more` */
export function several(names: readonly string[]): string {
  const first = names.slice(0, 3).map(quote).join(", ");
  return names.length <= 3 ? first : `${first} and ${names.length - 3} more`;
}

function describeScope({ added, removed }: Extract<MemberChange, { kind: "scope" }>): string {
  const list = (elements: readonly string[]) => elements.map(quote).join(", ");
  return [
    ...(removed.length > 0 ? [`removed ${list(removed)}`] : []),
    ...(added.length > 0 ? [`added ${list(added)}`] : []),
  ].join("; ");
}

/** Small values on one line, larger ones in the layout of the plain diff. */
function describeValues(before: Value, after: Value, style: Style): Printed {
  const compared = compareUntyped(before, after);
  const options = { style, symbols: true, unchanged: false, nullSuffix: false };
  return inlineDifference(compared, options);
}
