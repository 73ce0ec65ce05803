import type { ObjectValue } from "../values";

/**
 * What a value means to whoever reviews a plan. Renderers tell its changes in these terms, and mark
 * those that weaken protection; without one a change is told as it is.
 */
export type Review =
  | EntriesReview
  /** In an entry: `true` keeps it, but it does nothing. */
  | { readonly kind: "off-switch" }
  /** In an entry: `false` keeps it, but it does nothing. */
  | { readonly kind: "on-switch" }
  /** In an entry: a set of what it is for; `*` is all, and `a*` what begins with `a`. Less weakens. */
  | { readonly kind: "scope" }
  /** In an entry: how much is looked at; 0 is no limit. Less weakens. */
  | { readonly kind: "limit" }
  /** In an entry: a map from rules to whether each blocks (`true`) or alerts. `noun`: `check`. */
  | { readonly kind: "rules"; readonly noun: string };

/** A list of objects that have names: compared by them, not by position. */
export interface EntriesReview {
  readonly kind: "entries";
  /** What one entry is called, and several: `policy`, `policies`. */
  readonly noun: string;
  readonly nouns: string;
  /** The attributes that together name an entry: strings and sets of strings. */
  readonly key: readonly string[];
  /** Whether the order means something: an entry comes before those behind it that are for the same. */
  readonly ordered: boolean;
  /** Where entries stand that are not in the list, and stay as they are. */
  readonly others?: (object: ObjectValue) => OthersPlace | undefined;
  /** Whether the entries stay when the object is destroyed; absent: never. */
  readonly staysAfterDestroy?: (object: ObjectValue) => boolean;
  /** Whether the entries stand where the object wants them; absent: always. */
  readonly inPosition?: (object: ObjectValue) => boolean;
}

export type OthersPlace = "before" | "behind" | "among";
