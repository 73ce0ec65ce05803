import { memberOf } from "../../core/member-of";
import { ownershipOf } from "../../provider/collections/contents";
import type { Attribute } from "../../core/schema/attribute";
import { foundCollection, reviewOf } from "../../provider/review-hints";
import { nestedAttributes } from "../../core/schema/terraform";
import { isObjectValue, UNKNOWN, type ObjectValue } from "../../core/values";
import type { ResourceChange } from "../../core/documents/stack-plan";
import { groupBy } from "../../core/group-by";
import {
  arrange,
  collectionsIn,
  entriesIn,
  foundMembers,
  identitiesOf,
  memberIdentity,
  othersThan,
  type EntriesAttribute,
  type Member,
} from "./members";

/** The changes of one collection of a console, and its entries before and after all of them. */
export interface CollectionChange {
  readonly attribute: EntriesAttribute;
  readonly changes: readonly [ResourceChange, ...ResourceChange[]];
  readonly before: readonly Member[];
  readonly after: readonly Member[];
  /** The reasons why entries are missing on one side. */
  readonly missing: readonly string[];
  /** The entries before are not read but those of a fresh console. */
  readonly isAssumed: boolean;
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
  const { before, after } = change;
  const found = foundCollection(change);
  if (!attribute || before === null) return undefined;
  const [recorded, present] = [entriesIn(before, attribute), entriesIn(after, attribute)];
  const isMissing =
    found === undefined && ownershipOf(before) !== "exclusive" && change.others?.length !== 0;
  const others = isMissing ? [missing(unmanaged(attribute))] : [];
  const items = found
    ? foundMembers(attribute, found.entries, found.scopes)
    : arrange(after ?? before, others, present);
  const managed = identitiesOf(attribute, [...recorded, ...present]);
  const kept = othersThan(attribute, before, items, managed);
  return {
    attribute,
    changes: [change],
    before: arrange(before, kept, recorded),
    after: after === null ? [] : items,
    missing: isMissing ? [lacks(unmanaged(attribute), "of the console")] : [],
    isAssumed: false,
    isHidden: isHidden(change, attribute),
  };
}

export function entriesAttribute({ attributes }: ResourceChange): EntriesAttribute | undefined {
  for (const [name, attribute] of Object.entries(attributes ?? {})) {
    const inner = nestedAttributes(attribute.type);
    const review = reviewOf(attribute);
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
  const { review } = attribute;
  const read = changes.map(foundCollection).find((found) => found !== undefined);
  const others = changes.filter(
    ({ before, others }) =>
      before !== null && ownershipOf(before) !== "exclusive" && others?.length !== 0,
  );
  const lacksUnmanaged = !read && others.length > 0;
  // The entries that a create finds: of a console that cannot be read yet those of a fresh one.
  const creates = !read && changes.every(({ before }) => before === null);
  const isAssumed =
    creates &&
    review.initial !== undefined &&
    changes.every(({ isExcerpt, endpoint }) => !isExcerpt && endpoint !== undefined);
  const lacksFound =
    creates && !isAssumed && (review.ordered || changes.some(({ isExcerpt }) => isExcerpt));
  const restoring = changes.filter(
    (change) => restores(attribute, change) && !foundCollection(change)?.left,
  );
  const gap = [
    ...(lacksUnmanaged ? [missing(unmanaged(attribute))] : []),
    ...(lacksFound ? [missing(present(attribute))] : []),
  ];
  const initial = isAssumed ? (review.initial ?? []).map((value) => ({ value })) : gap;
  const before = read
    ? foundMembers(attribute, read.entries, read.scopes)
    : recordedIn(attribute, changes, initial);
  const after = changes.reduce((items, change) => applied(attribute, items, change), before);
  const taken = gap.length > 0 ? changes.flatMap((change) => takenOver(attribute, change)) : [];
  const firstMissing = before.find((member) => member.missing !== undefined);
  return {
    attribute,
    changes,
    before: before.flatMap((member) => (member === firstMissing ? [...taken, member] : [member])),
    after,
    missing: [
      ...(lacksUnmanaged ? [lacks(unmanaged(attribute), "of the console")] : []),
      ...(lacksFound ? [lacks(review.nouns, "that the console has now")] : []),
      ...(restoring.length > 0 ? [lacks(review.nouns, "that the destroy restores")] : []),
    ],
    isAssumed,
    isHidden: changes.some((change) => isHidden(change, attribute)),
  };
}

function lacks(entries: string, which: string): string {
  return `The plan does not have the ${entries} ${which}.`;
}

const unmanaged = ({ review: { nouns } }: EntriesAttribute) => `unmanaged ${nouns}`;
/** Each may decide in front of a managed one; behind them are the others. */
const among = (attribute: EntriesAttribute) => `${unmanaged(attribute)} among the managed ones`;
const present = ({ review: { nouns } }: EntriesAttribute) => `${nouns} that the console has now`;
const restored = ({ review: { nouns } }: EntriesAttribute) => `${nouns} that the destroy restores`;

function missing(entries: string): Member {
  return { value: UNKNOWN, missing: entries };
}

/**
 * The unmanaged entries that an object takes over, because they have the names of entries that it
 * adds: they decide in another place before. One that equals its entry is taken over, and a default
 * one is overwritten, regardless of its scope; an apply refuses to overwrite others.
 */
function takenOver(attribute: EntriesAttribute, change: ResourceChange): readonly Member[] {
  const { before, after } = change;
  const { initial = [], ordered } = attribute.review;
  if (!ordered || !after || !isApplied(change) || ownershipOf(after) === "exclusive") return [];
  const managed = identitiesOf(attribute, entriesIn(before, attribute));
  const defaults = identitiesOf(
    attribute,
    initial.map((value) => ({ value })),
  );
  return entriesIn(after, attribute).flatMap((member): readonly Member[] => {
    const identity = memberIdentity(attribute, member) ?? "";
    if (managed.includes(identity)) return [];
    const isDefault = defaults.includes(identity);
    // In front of the unmanaged entries, its own place is the first that decides.
    if (ownershipOf(after) === "prefix" && !isDefault) return [];
    if (isDefault) return [missing(`default ${attribute.review.nouns}`)];
    const within = isObjectValue(member.value) && { within: member.value };
    return [{ ...missing(unmanaged(attribute)), ...within }];
  });
}

/** The entries that the objects have before, where the console's collection is not known. */
function recordedIn(
  attribute: EntriesAttribute,
  changes: readonly ResourceChange[],
  others: readonly Member[],
): readonly Member[] {
  const objects = changes.map(({ before }) => before).filter((before) => before !== null);
  const around = (unmanaged: readonly Member[]) =>
    objects.reduce<readonly Member[]>(
      (items, object) => arrange(object, items, entriesIn(object, attribute)),
      unmanaged,
    );
  const isSeparated =
    others.length > 0 && objects.some((object) => isOutOfPosition(attribute, object));
  return isSeparated ? [missing(among(attribute)), ...around([]), ...others] : around(others);
}

function isOutOfPosition({ review }: EntriesAttribute, object: ObjectValue): boolean {
  return ownershipOf(object) !== "exclusive" && review.inPosition?.(object) === false;
}

/** The collection after one change. */
function applied(
  attribute: EntriesAttribute,
  items: readonly Member[],
  change: ResourceChange,
): readonly Member[] {
  const { action, before, after } = change;
  if (!isApplied(change)) return items;
  const found = foundCollection(change);
  if (found?.restored) return foundMembers(attribute, found.restored, found.scopes);
  const managedBy = (object: ObjectValue | null) =>
    identitiesOf(attribute, entriesIn(object, attribute));
  const kept = () => {
    if (!before) return items;
    const { onDestroy } = attribute.review;
    if (onDestroy(before) === "keep") return items;
    if (ownershipOf(before) !== "exclusive") {
      return othersThan(attribute, before, items, managedBy(before));
    }
    if (onDestroy(before) === "clear") return [];
    return found?.left
      ? foundMembers(attribute, found.left, found.scopes)
      : [missing(restored(attribute))];
  };
  const isUpdate = action === "update";
  const base = isUpdate ? items : kept();
  if (!after) return base;
  const written = withLimits(attribute, after, items);
  const managed = isUpdate ? managedBy(before) : [];
  const added = managedBy(after).filter((identity) => !managed.includes(identity));
  const left = othersThan(attribute, after, base, managed);
  return arrange(after, othersThan(attribute, after, left, added), written);
}

/**
 * The entries, each with the limit of the item that it replaces, unless it states its own. A limit of
 * the console beside collections stays.
 */
function withLimits(
  attribute: EntriesAttribute,
  after: ObjectValue,
  items: readonly Member[],
): readonly Member[] {
  const replacedBy = new Map(
    // The first of several of one name counts.
    [...items].reverse().map((one) => [memberIdentity(attribute, one), one]),
  );
  return entriesIn(after, attribute).map((member) => {
    const identity = memberIdentity(attribute, member);
    const replaced = identity === undefined ? undefined : replacedBy.get(identity);
    const isStated = collectionsIn(attribute, member.value) !== undefined;
    if (!replaced?.limit || (isStated && !replaced.isPartial)) return member;
    return { ...member, limit: replaced.limit };
  });
}

/** True where the change puts back what was on the console before the resource. */
function restores({ review }: EntriesAttribute, change: ResourceChange): boolean {
  const { action, before, after } = change;
  if (!before || !isApplied(change) || action === "update") return false;
  if (foundCollection(change)?.restored) return false;
  if (after && ownershipOf(after) === "exclusive") return false;
  return ownershipOf(before) === "exclusive" && review.onDestroy(before) === "restore";
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
  if (reviewOf(attribute)) return true;
  const { type } = attribute;
  return type.kind === "object" && Object.values(type.attributes).some(hasReview);
}
