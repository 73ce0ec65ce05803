import { memberOf } from "../../core/member-of";
import type { Attributes } from "../../core/schema/attribute";
import {
  isListValue,
  isObjectValue,
  isUnknownValue,
  UNKNOWN,
  type ObjectValue,
  type Value,
} from "../../core/values";
import { ownershipOf } from "../../provider/collections/contents";
import {
  limitOf,
  readCollectionScopes,
  type ReadLimit,
} from "../../provider/collections/read-policy";
import { split } from "../../provider/collections/ownership";
import { identityOfEntry, nameOf } from "../entries/entry-name";
import type { EntriesReview, FoundEntry } from "../../provider/review-hints";

/** The attribute of a resource that holds a list of named entries. */
export interface EntriesAttribute {
  readonly name: string;
  readonly review: EntriesReview;
  /** The attributes of one entry. */
  readonly attributes: Attributes;
}

/**
 * An entry of a collection; the whole list is one unknown entry while it is not known. So are the
 * entries that the plan does not have, in their place.
 */
export interface Member {
  readonly value: Value;
  /** The workloads that the collections of the console limit it to. */
  readonly limit?: ReadLimit;
  /** The console limits it further. */
  readonly isPartial?: true;
  /** Set for any number of entries that the plan does not have: `unmanaged policies`. */
  readonly missing?: string;
  /** The entry that limits the scope of the missing ones. */
  readonly within?: ObjectValue;
}

/** Puts the entries of an object in their place among those that it does not manage. */
export function arrange(
  object: ObjectValue,
  others: readonly Member[],
  entries: readonly Member[],
): readonly Member[] {
  switch (ownershipOf(object)) {
    case "exclusive":
      return entries;
    case "prefix":
      return [...entries, ...others];
    case "suffix":
    case "shared":
      return [...others, ...entries];
  }
}

/** The entries that an object lists. */
export function entriesIn(
  object: ObjectValue | null,
  attribute: EntriesAttribute,
): readonly Member[] {
  const list = memberOf(object, attribute.name) ?? null;
  if (isUnknownValue(list)) return [{ value: UNKNOWN }];
  if (object === null || !isListValue(list)) return [];
  const scopes = readCollectionScopes(attribute.review.scopes?.(object));
  return list.map((value, index): Member => {
    const limit = limitOf(collectionsIn(attribute, value), scopes, `planned ${index}`);
    return { value, ...(limit && { limit }) };
  });
}

export function collectionsIn(
  { review: { collections } }: EntriesAttribute,
  value: Value,
): Value | undefined {
  return isObjectValue(value) ? collections?.(value) : undefined;
}

/** The members of a console, some of which it may limit in ways that are not known. */
export function foundMembers(
  attribute: EntriesAttribute,
  entries: readonly FoundEntry[],
  named: Value | undefined,
): readonly Member[] {
  const scopes = readCollectionScopes(named);
  return entries.map(({ value, isPartial }, index): Member => {
    if (isPartial) return { value, limit: { condition: `found ${index}` }, isPartial };
    const limit = limitOf(collectionsIn(attribute, value), scopes, `found ${index}`);
    return { value, ...(limit && { limit }) };
  });
}

/** The members that an object which manages these identities leaves to others. */
export function othersThan(
  attribute: EntriesAttribute,
  object: ObjectValue,
  members: readonly Member[],
  identities: readonly string[],
): readonly Member[] {
  const codec = { keyOfItem: (member: Member) => memberIdentity(attribute, member) ?? "" };
  const named = members.filter((member) => member.missing === undefined);
  const others = new Set(split(codec, ownershipOf(object), named, identities).others);
  return members.filter((member) => member.missing !== undefined || others.has(member));
}

/** Equal for the members of one name; undefined where it is not known. */
export function memberIdentity(
  { review }: EntriesAttribute,
  { value }: Member,
): string | undefined {
  return identityOfEntry(value, review.key);
}

/** The identities of the members whose names are known. */
export function identitiesOf(
  attribute: EntriesAttribute,
  members: readonly Member[],
): readonly string[] {
  return members.flatMap((member) => memberIdentity(attribute, member) ?? []);
}

/** Empty where it is not known. */
export function memberName({ review: { key } }: EntriesAttribute, { value }: Member): string {
  return nameOf(value, key) ?? "";
}
