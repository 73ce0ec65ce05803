import { memberOf } from "../../core/member-of";
import { ownershipOf } from "../../provider/collections/contents";
import { split } from "../../provider/collections/ownership";
import type { Attribute, Attributes } from "../../core/schema/attribute";
import type { EntriesReview } from "../../core/schema/review";
import { nestedAttributes } from "../../core/schema/terraform";
import {
  isListValue,
  isObjectValue,
  UNKNOWN,
  type ObjectValue,
  type Value,
} from "../../core/values";
import type { ResourceChange } from "../../core/documents/stack-plan";
import { groupBy } from "../../core/group-by";

/** The attribute of a resource that holds a list of named entries. */
export interface EntriesAttribute {
  readonly name: string;
  readonly review: EntriesReview;
  /** Of one entry. */
  readonly attributes: Attributes;
}

/** An entry of a collection; the whole list is one unknown entry while it is not known. */
export interface Member {
  readonly value: Value;
  readonly isPartial: boolean;
}

/** The changes of one collection of a console, and its entries before and after all of them. */
export interface CollectionChange {
  readonly attribute: EntriesAttribute;
  readonly changes: readonly [ResourceChange, ...ResourceChange[]];
  readonly before: readonly Member[];
  readonly after: readonly Member[];
  /** The reasons why entries are missing on one side. */
  readonly missing: readonly string[];
  /** Parts of the entries are sensitive. */
  readonly isHidden: boolean;
}

/**
 * Finds the collections that a plan's changes concern, each with all entries in their order.
 *
 * @param which Default: those that an apply changes.
 */
export function changedCollections(
  changes: readonly ResourceChange[],
  which: "changed" | "all" = "changed",
): readonly CollectionChange[] {
  const found = changes.flatMap((change) => {
    const attribute = entriesAttribute(change);
    const isConcerned = which === "all" ? isCurrent(change) : isApplied(change);
    return attribute && isConcerned ? [{ change, attribute }] : [];
  });
  const groups = groupBy(found, ({ change: { endpoint, address }, attribute }) =>
    JSON.stringify([endpoint ?? address, attribute.review.collection]),
  );
  return groups.map((group) => {
    const [{ attribute, change }, ...others] = group;
    return collectionChange(attribute, [change, ...others.map((other) => other.change)]);
  });
}

/** The collection around an object that was changed outside: recorded before, found after. */
export function driftedCollection(change: ResourceChange): CollectionChange | undefined {
  const attribute = entriesAttribute(change);
  const { before, after, found } = change;
  if (!attribute || before === null) return undefined;
  const [recorded, present] = [entriesIn(before, attribute), entriesIn(after, attribute)];
  const items = found?.entries ?? present;
  const names = [...recorded, ...present].map((member) => nameOf(attribute, member));
  const kept = split(codecOf(attribute), ownershipOf(before), items, names).others;
  const isMissing = found === undefined && ownershipOf(before) !== "exclusive";
  return {
    attribute,
    changes: [change],
    before: arrange(before, kept, recorded),
    after: after === null ? [] : items,
    missing: isMissing && change.others?.length !== 0 ? [unmanagedMissing(attribute)] : [],
    isHidden: isHidden(change, attribute),
  };
}

export function entriesAttribute({ attributes }: ResourceChange): EntriesAttribute | undefined {
  for (const [name, { type, review }] of Object.entries(attributes ?? {})) {
    const inner = nestedAttributes(type);
    if (review?.kind === "entries" && inner) return { name, review, attributes: inner };
  }
  return undefined;
}

function isApplied(change: ResourceChange): boolean {
  return change.action !== "no-op" && change.action !== "forget" && isCurrent(change);
}

function isCurrent({ mode, deposed }: ResourceChange): boolean {
  return mode === "managed" && deposed === undefined;
}

function collectionChange(
  attribute: EntriesAttribute,
  changes: CollectionChange["changes"],
): CollectionChange {
  const read = changes.find(({ found }) => found !== undefined)?.found?.entries;
  const before = read ?? recordedIn(attribute, changes);
  const after = changes.reduce((items, change) => applied(attribute, items, change), before);
  const lacksUnmanaged = changes.some(
    (change) =>
      !read &&
      change.before !== null &&
      ownershipOf(change.before) !== "exclusive" &&
      change.others?.length !== 0,
  );
  // On create, Terraform's JSON does not have what is there: policies that the plan removes.
  const lacksFound = changes.some(
    ({ before: object, isExcerpt }) => !read && isExcerpt && object === null,
  );
  const lacksRestored = changes.some(
    (change) => restores(attribute, change) && !change.found?.left,
  );
  return {
    attribute,
    changes,
    before,
    after,
    missing: [
      ...(lacksUnmanaged ? [unmanagedMissing(attribute)] : []),
      ...(lacksFound
        ? [`The plan does not have the ${attribute.review.nouns} that the console has now.`]
        : []),
      ...(lacksRestored
        ? [`The plan does not have the ${attribute.review.nouns} that the destroy restores.`]
        : []),
    ],
    isHidden: changes.some((change) => isHidden(change, attribute)),
  };
}

function unmanagedMissing({ review: { nouns } }: EntriesAttribute): string {
  return `The plan does not have the unmanaged ${nouns} of the console.`;
}

/** The entries that the objects have before, where the console's collection is not known. */
function recordedIn(
  attribute: EntriesAttribute,
  changes: readonly ResourceChange[],
): readonly Member[] {
  const objects = changes.map(({ before }) => before).filter((before) => before !== null);
  return objects.reduce<readonly Member[]>(
    (items, object) => arrange(object, items, entriesIn(object, attribute)),
    [],
  );
}

/** The collection after one change. */
function applied(
  attribute: EntriesAttribute,
  items: readonly Member[],
  change: ResourceChange,
): readonly Member[] {
  const { action, before, after } = change;
  if (!isApplied(change)) return items;
  const codec = codecOf(attribute);
  const namesIn = (object: ObjectValue | null) =>
    entriesIn(object, attribute).map((member) => nameOf(attribute, member));
  const left = () => {
    if (!before) return items;
    const { onDestroy } = attribute.review;
    if (onDestroy(before) === "keep") return items;
    if (ownershipOf(before) !== "exclusive") {
      return split(codec, ownershipOf(before), items, namesIn(before)).others;
    }
    return onDestroy(before) === "clear" ? [] : (change.found?.left ?? []);
  };
  const isUpdate = action === "update";
  const base = isUpdate ? items : left();
  if (!after) return base;
  const partial = new Set(
    items.filter(({ isPartial }) => isPartial).map((item) => nameOf(attribute, item)),
  );
  const written = entriesIn(after, attribute).map((member) => ({
    ...member,
    isPartial:
      statedPartial(attribute.review, member.value) ?? partial.has(nameOf(attribute, member)),
  }));
  const managed = isUpdate ? namesIn(before) : [];
  const added = namesIn(after).filter((name) => !managed.includes(name));
  const unmanaged = split(codec, ownershipOf(after), base, managed).others;
  return arrange(after, split(codec, ownershipOf(after), unmanaged, added).others, written);
}

/** True where the change puts back what was on the console before the resource. */
function restores({ review }: EntriesAttribute, change: ResourceChange): boolean {
  const { action, before, after } = change;
  if (!before || !isApplied(change) || action === "update") return false;
  if (after && ownershipOf(after) === "exclusive") return false;
  return ownershipOf(before) === "exclusive" && review.onDestroy(before) === "restore";
}

/** Puts the entries of an object in their place among those that it does not manage. */
function arrange(
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
  { name, review }: EntriesAttribute,
): readonly Member[] {
  const list = memberOf(object, name) ?? null;
  if (list === UNKNOWN) return [{ value: UNKNOWN, isPartial: false }];
  if (!isListValue(list)) return [];
  return list.map((value) => ({ value, isPartial: statedPartial(review, value) ?? false }));
}

function statedPartial({ isPartial }: EntriesReview, value: Value): boolean | undefined {
  return isObjectValue(value) ? isPartial?.(value) : undefined;
}

function codecOf(attribute: EntriesAttribute) {
  return { keyOfItem: (member: Member) => nameOf(attribute, member) };
}

/** The parts of an entry's name, as text. */
export function nameOf({ review: { key } }: EntriesAttribute, { value }: Member): string {
  if (!isObjectValue(value)) return "";
  const parts = key
    .map((name) => memberOf(value, name) ?? "")
    .map((part) => (part === UNKNOWN ? "" : part));
  return parts
    .map(String)
    .filter((part) => part !== "")
    .join(" ");
}

/** True where an attribute that names an entry or has a meaning for its protection is sensitive. */
function isHidden(
  { beforeSensitive, afterSensitive }: ResourceChange,
  { name, review, attributes }: EntriesAttribute,
): boolean {
  const isRelevant = (attribute: string | number | undefined) =>
    attribute === undefined ||
    review.key.some((key) => key === attribute) ||
    hasReview(memberOf(attributes, attribute));
  return [...beforeSensitive, ...afterSensitive].some(
    ([list = name, , attribute]) => list === name && isRelevant(attribute),
  );
}

function hasReview(attribute: Attribute | undefined): boolean {
  if (!attribute) return false;
  const { type, review } = attribute;
  if (review) return true;
  return type.kind === "object" && Object.values(type.attributes).some(hasReview);
}
