import type { OthersPlace } from "../../provider/review-hints";
import type { AttributePath, Value } from "../../core/values";

/** The changes of a list of named entries, which text, Markdown and HTML render. Positions count from 0. */
export interface EntriesDiff {
  /** The attribute that holds the list: `policies`. */
  readonly attribute: string;
  /** One entry, and several: `policy`, `policies`. */
  readonly noun: string;
  readonly nouns: string;
  readonly ordered: boolean;
  /** True where the object is created or destroyed, with all its entries. */
  readonly isWhole: boolean;
  /** In the order of the list after; then those that are removed, in the order of the list before. */
  readonly entries: readonly EntryChange[];
  /** True where the whole list is known only after apply; `entries` are then those before. */
  readonly unknown: boolean;
  /** The place of unmanaged entries, which stay unchanged; absent where there are none. */
  readonly others?: OthersPlace;
  /** True where their place is new, because the managed entries move to the other end. */
  readonly othersPassed: boolean;
  /** The known names of unmanaged entries. */
  readonly othersNames: readonly string[];
  /** The names of default entries that are removed. */
  readonly displaced: readonly string[];
  /** True where existing entries are not in position, and are moved back. */
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
  /** True where its order among the others changes: as few entries as possible move. */
  readonly moved: boolean;
  /** The changes inside; empty for an entry that is added or removed. */
  readonly members: readonly MemberChange[];
  /** The content of an entry that is added, removed or moved: `599 blocking; namespaces prod-*`. */
  readonly summary: string;
}

export type MemberChange = {
  /** Within the entry: `["resources", "images"]`. */
  readonly path: AttributePath;
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
      readonly added: readonly string[];
      readonly removed: readonly string[];
    }
  | { readonly kind: "value"; readonly before: Value; readonly after: Value }
  /** Known only after apply. */
  | { readonly kind: "unknown" }
  | { readonly kind: "sensitive" }
);

export type RuleChange = Extract<MemberChange, { kind: "rule" }>;
export type RuleState = "absent" | "alerts" | "blocks";

export type EntryKind = "added" | "removed" | "changed" | "unchanged";

/** `changed`: it moves, or something inside it changes. */
export function kindOfChange({ from, to, moved, members }: EntryChange): EntryKind {
  if (from === undefined) return "added";
  if (to === undefined) return "removed";
  return moved || members.length > 0 ? "changed" : "unchanged";
}

/** False where there is nothing to report. */
export function isChanged(diff: EntriesDiff): boolean {
  return (
    diff.unknown ||
    diff.outOfPosition ||
    diff.othersPassed ||
    diff.displaced.length > 0 ||
    diff.entries.some((entry) => kindOfChange(entry) !== "unchanged" || entry.from !== entry.to)
  );
}
