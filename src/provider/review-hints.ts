import { key, noteOf, withNote, type Noted } from "../core/notes";
import { isListValue, isObjectValue, type ObjectValue, type Value } from "../core/values";

/**
 * The meaning of a value for reviewers of a plan. Renderers describe its changes in these terms.
 * Without it they show the plain change.
 */
export type ReviewHint =
  | EntriesReview
  /** A digest or a position: it only follows from other attributes. */
  | { readonly kind: "follows" }
  /** In an entry: `true` disables it. */
  | { readonly kind: "off-switch" }
  /** In an entry: `false` disables it. */
  | { readonly kind: "on-switch" }
  /** In an entry: the patterns of its objects. */
  | { readonly kind: "scope" }
  /** In an entry: the names of collections in place of the patterns. */
  | { readonly kind: "collections" }
  /** The name by which policies have the patterns of the object as their scope. */
  | { readonly kind: "named-scope" }
  /** In an entry: a maximum; 0 is no limit. */
  | { readonly kind: "limit" }
  /** In an entry: a map of rules that block (`true`) or alert. `noun`: `check`. */
  | { readonly kind: "rules"; readonly noun: string };

const REVIEW = key<ReviewHint>("review");

/** The facet of an attribute whose changes have this meaning. */
export const reviewed = (review: ReviewHint): Noted => withNote({}, REVIEW, review);

/** The meaning of an attribute's changes; undefined where a review shows the plain change. */
export const reviewOf = (attribute: Noted): ReviewHint | undefined => noteOf(attribute, REVIEW);

/** A list of named objects, which are compared by name instead of position. */
export interface EntriesReview {
  readonly kind: "entries";
  /** The names of one entry and of several: `policy`, `policies`. */
  readonly noun: string;
  readonly nouns: string;
  /** The attributes that together name an entry: strings and sets of strings. */
  readonly key: readonly string[];
  /** The collection of the console: `policies/compliance/container`. */
  readonly collection: string;
  /** The order has a meaning: an entry takes precedence over later ones for the same objects. */
  readonly ordered: boolean;
  /** In a list without order: the attributes that define what an entry covers, as patterns. */
  readonly covers?: readonly string[];
  /** The position of unmanaged entries. */
  readonly others?: (object: ObjectValue) => OthersPlace | undefined;
  /** Returns the part that an object decides; undefined while it is unknown. */
  readonly of?: (object: ObjectValue) => Pick<EntriesReview, "key" | "ordered"> | undefined;
  /** The effect of a destroy. */
  readonly onDestroy: (object: ObjectValue) => "restore" | "clear" | "keep";
  /** Returns true if the entries have the wanted position. Default: true. */
  readonly inPosition?: (object: ObjectValue) => boolean;
  /**
   * Returns the names of the collections that limit the entry, or null if none does; undefined if the
   * entry does not state them, and the console's does.
   */
  readonly collections?: (entry: ObjectValue) => Value | undefined;
  /** Returns the scopes of the collections that the entries of an object name. */
  readonly scopes?: (object: ObjectValue) => Value;
  /** The entries of a fresh console. */
  readonly initial?: readonly ObjectValue[];
}

/**
 * The whole collection that an object is a part of, as last read from the console. The engine keeps it
 * with the change as a value.
 */
export interface FoundCollection extends ObjectValue {
  /** In the console's order. */
  readonly entries: readonly FoundEntry[];
  /** The entries that a destroy of the object leaves; absent if that is not known. */
  readonly left?: readonly FoundEntry[];
  /** The entries that a rollback of this and of other objects puts back. */
  readonly restored?: readonly FoundEntry[];
  /** The scopes of the collections that they name. */
  readonly scopes?: Value;
}

export interface FoundEntry extends ObjectValue {
  readonly value: ObjectValue;
  /** The console limits it further than the value describes. */
  readonly isPartial: boolean;
}

/** The parts of a found collection; undefined where they are not known. */
interface FoundParts {
  readonly entries: readonly FoundEntry[];
  readonly left: readonly FoundEntry[] | undefined;
  readonly restored: readonly FoundEntry[] | undefined;
  readonly scopes: Value | undefined;
}

/** Returns the collection that was found for a change. */
export function foundCollection({
  found,
}: {
  readonly found?: ObjectValue;
}): FoundParts | undefined {
  const entries = found && foundEntries(found.entries);
  return (
    entries && {
      entries,
      left: foundEntries(found.left),
      restored: foundEntries(found.restored),
      scopes: found.scopes,
    }
  );
}

function foundEntries(entries: Value | undefined): readonly FoundEntry[] | undefined {
  return isListValue(entries) ? entries.filter(isFoundEntry) : undefined;
}

function isFoundEntry(entry: Value): entry is FoundEntry {
  return isObjectValue(entry) && isObjectValue(entry.value) && typeof entry.isPartial === "boolean";
}

export type OthersPlace = "before" | "behind" | "among";
