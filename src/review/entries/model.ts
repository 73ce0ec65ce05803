import type { OthersPlace } from "../../provider/schema/review";
import type { AttributePath, Value } from "../../provider/values";

/**
 * How a list of named entries changes, as data: what text, Markdown and HTML tell of it. Positions
 * count from 0.
 */
export interface EntriesDiff {
  /** The attribute that holds the list: `policies`. */
  readonly attribute: string;
  /** What one entry is called, and several. */
  readonly noun: string;
  readonly nouns: string;
  readonly ordered: boolean;
  /** In the order of the list after; then those that are removed, in the order of the list before. */
  readonly entries: readonly EntryChange[];
  /** Whether the whole list is known only after apply; `entries` are then those before. */
  readonly unknown: boolean;
  /** Where entries stand that are not managed with these, and stay as they are; absent: nowhere. */
  readonly others?: OthersPlace;
  /** Whether they have not stood there before: the managed ones go to the other end. */
  readonly othersPassed: boolean;
  /** Their names, as far as they are known. */
  readonly othersNames: readonly string[];
  /** What the console came with and goes, by name. */
  readonly displaced: readonly string[];
  /** Whether entries that are there stand elsewhere than they should, and are put there. */
  readonly outOfPosition: boolean;
}

export interface EntryChange {
  /** Undefined where the name is not known before apply, or sensitive. */
  readonly name: string | undefined;
  readonly nameHidden: "unknown" | "sensitive" | undefined;
  /** Position in the list before; undefined for one that is added. */
  readonly from: number | undefined;
  /** Position in the list after; undefined for one that is removed. */
  readonly to: number | undefined;
  /** Whether its order among the others changes: as few entries as possible move. */
  readonly moved: boolean;
  /** What changes inside; none in one that goes, and of one that comes what is not plain to see. */
  readonly members: readonly MemberChange[];
  /** Whether that it goes weakens protection; `members` tell it for themselves. */
  readonly weakens: boolean;
}

export type MemberChange = {
  /** Within the entry: `["resources", "images"]`. */
  readonly path: AttributePath;
  readonly weakens: boolean;
} & (
  | { readonly kind: "switched"; readonly on: boolean }
  | {
      readonly kind: "rule";
      readonly noun: string;
      /** The rule's key: the ID of a check. */
      readonly rule: string;
      readonly before: RuleState;
      readonly after: RuleState | "unknown";
    }
  | {
      readonly kind: "scope";
      readonly before: readonly string[];
      readonly after: readonly string[];
      /** What a pattern covers is neither gained nor lost beside it. */
      readonly gained: readonly string[];
      readonly lost: readonly string[];
    }
  /** Where order counts: now before entries that it covers and does less than, by name. */
  | { readonly kind: "ahead"; readonly of: readonly string[] }
  /** Now behind entries that cover it and do less, by name. */
  | { readonly kind: "behind"; readonly of: readonly string[] }
  | { readonly kind: "value"; readonly before: Value; readonly after: Value }
  /** Known only after apply. */
  | { readonly kind: "unknown" }
  | { readonly kind: "sensitive" }
);

export type RuleState = "absent" | "alerts" | "blocks";

export type EntryKind = "added" | "removed" | "changed" | "unchanged";

/** `changed`: it moves, or something inside it changes. */
export function kindOf({ from, to, moved, members }: EntryChange): EntryKind {
  if (from === undefined) return "added";
  if (to === undefined) return "removed";
  return moved || members.length > 0 ? "changed" : "unchanged";
}

/** How many of the changes weaken protection. */
export function countWeakening({ entries }: EntriesDiff): number {
  return entries.reduce(
    (count, { weakens, members }) =>
      count + Number(weakens) + members.filter((member) => member.weakens).length,
    0,
  );
}

/** Whether there is anything to tell. */
export function isChanged(diff: EntriesDiff): boolean {
  return (
    diff.unknown ||
    diff.outOfPosition ||
    diff.othersPassed ||
    diff.displaced.length > 0 ||
    diff.entries.some((entry) => kindOf(entry) !== "unchanged" || entry.from !== entry.to)
  );
}
