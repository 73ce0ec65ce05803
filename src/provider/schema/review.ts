import type { ObjectValue } from "../values";

/**
 * The meaning of a value for reviewers of a plan. Renderers describe its changes in these terms and
 * mark those that weaken protection. Without it they show the plain change.
 */
export type Review =
  | EntriesReview
  /** In an entry: `true` disables it. */
  | { readonly kind: "off-switch" }
  /** In an entry: `false` disables it. */
  | { readonly kind: "on-switch" }
  /** In an entry: the set of its objects; `*` is all, `a*` a prefix. Removing some weakens. */
  | { readonly kind: "scope" }
  /** In an entry: a maximum; 0 is no limit. A lower one weakens. */
  | { readonly kind: "limit" }
  /** In an entry: a map of rules that block (`true`) or alert. `noun`: `check`. */
  | { readonly kind: "rules"; readonly noun: string };

/** A list of named objects, which are compared by name instead of position. */
export interface EntriesReview {
  readonly kind: "entries";
  /** The names of one entry and of several: `policy`, `policies`. */
  readonly noun: string;
  readonly nouns: string;
  /** The attributes that together name an entry: strings and sets of strings. */
  readonly key: readonly string[];
  /** The order has a meaning: an entry takes precedence over later ones for the same objects. */
  readonly ordered: boolean;
  /** The position of unmanaged entries. */
  readonly others?: (object: ObjectValue) => OthersPlace | undefined;
  /** Returns true if a destroy keeps the entries. Default: false. */
  readonly staysAfterDestroy?: (object: ObjectValue) => boolean;
  /** Returns true if the entries have the wanted position. Default: true. */
  readonly inPosition?: (object: ObjectValue) => boolean;
}

export type OthersPlace = "before" | "behind" | "among";
