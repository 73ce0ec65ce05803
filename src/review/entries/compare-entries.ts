import { memberOf } from "../../core/member-of";
import { anything, optional, type Attributes } from "../../core/schema/attribute";
import { foundCollection, type EntriesReview, reviewOf } from "../../provider/review-hints";
import { nestedAttributes } from "../../core/schema/terraform";
import {
  isListValue,
  isObjectValue,
  isUnknownValue,
  type ObjectValue,
  type Value,
} from "../../core/values";
import type { ResourceChange } from "../../core/documents/stack-plan";
import { PathTree } from "../../formats/difference/path-tree";
import { compareMembers, type Entry } from "./compare-members";
import { identityOfEntry, nameOf } from "./entry-name";
import type { EntriesDiff, EntryChange } from "./entries-diff";
import { summarizeEntry } from "./summarize-entry";

/**
 * Compares the lists of named entries of a resource. Empty where its schema declares none, or where
 * the entries stay on their console regardless of the resource.
 */
export function diffEntries(change: ResourceChange): readonly EntriesDiff[] {
  if (change.action === "forget" || change.action === "no-op") return [];
  return Object.entries(change.attributes ?? {}).flatMap(([name, attribute]) => {
    const review = reviewOf(attribute);
    if (review?.kind !== "entries") return [];
    const attributes = nestedAttributes(attribute.type) ?? membersOf(name, change);
    const destroyed = change.action === "delete" ? change.before : null;
    const isRestored = foundCollection(change)?.restored !== undefined;
    if (destroyed && !isRestored && review.onDestroy(destroyed) === "keep") return [];
    const own = review.of?.(change.after ?? change.before ?? {});
    return [diffList(name, attributes, { ...review, ...own }, change)];
  });
}

/** The members of entries of any type, as attributes. */
function membersOf(list: string, { before, after }: ResourceChange): Attributes {
  const entries = [before, after].flatMap((object) => {
    const value = memberOf(object, list) ?? null;
    return isListValue(value) ? value.filter(isObjectValue) : [];
  });
  const names = new Set(entries.flatMap((entry) => Object.keys(entry)));
  return Object.fromEntries([...names].map((name) => [name, MEMBER]));
}

const MEMBER = optional(anything(), "");

function diffList(
  attribute: string,
  attributes: Attributes,
  review: EntriesReview,
  { before, after, ...change }: ResourceChange,
): EntriesDiff {
  const was = entriesIn(
    memberOf(before, attribute),
    new PathTree(change.beforeSensitive).at(attribute),
  );
  const will = entriesIn(
    memberOf(after, attribute),
    new PathTree(change.afterSensitive).at(attribute),
  );
  const { noun, nouns, ordered } = review;
  const unknown = isUnknownValue(memberOf(after, attribute));
  const pairs = pairEntries(attributes, review, was, unknown ? was : will);
  const left = isLeftBehind(review, { before, after, ...change })
    ? pairs.filter(({ to }) => to === undefined)
    : [];
  const known = change.others && [...left.flatMap(({ name }) => name ?? []), ...change.others];
  const object = after ?? before;
  const others = object && known?.length !== 0 ? review.others?.(object) : undefined;
  return {
    attribute,
    noun,
    nouns,
    ordered,
    isWhole: before === null || after === null,
    entries: pairs.filter((entry) => !left.includes(entry)),
    unknown,
    ...(others && { others }),
    othersPassed: others !== undefined && before !== null && review.others?.(before) !== others,
    othersNames: known ?? [],
    displaced: change.displaced ?? [],
    outOfPosition:
      was.length > 0 &&
      after !== null &&
      review.inPosition?.(before ?? {}) === false &&
      isSeparated(review, before ?? {}, pairs, change),
  };
}

/**
 * True where unmanaged entries are among the managed ones. Other differences of position are entries
 * that are added, removed and moved, which are listed.
 */
function isSeparated(
  review: EntriesReview,
  before: ObjectValue,
  pairs: readonly EntryChange[],
  change: Pick<ResourceChange, "found" | "others">,
): boolean {
  const { others } = change;
  const found = foundCollection(change);
  const place = review.others?.(before);
  if (place === undefined || others?.length === 0) return false;
  if (!found)
    return pairs.every(({ from, to, moved }) => from !== undefined && to !== undefined && !moved);
  const managed = new Set<string | undefined>(
    pairs.flatMap(({ name, from }) => (from === undefined ? [] : (name ?? []))),
  );
  const isManaged = found.entries.map(({ value }) => managed.has(nameOf(value, review.key)));
  const ordered = place === "before" ? [...isManaged].reverse() : isManaged;
  return ordered.slice(0, managed.size).includes(false);
}

/** True where the entries of a replaced object stay next to those of the new one. */
function isLeftBehind(review: EntriesReview, { action, before, after }: ResourceChange): boolean {
  if (action !== "delete-then-create" && action !== "create-then-delete") return false;
  if (!before || !after || review.onDestroy(before) !== "keep") return false;
  return review.others?.(after) !== undefined;
}

function entriesIn(list: Value | undefined, sensitive: PathTree): readonly Entry[] {
  if (!isListValue(list)) return [];
  // Every entry of a sensitive list is sensitive.
  return list.map((value, index) => ({
    index,
    value,
    sensitive: sensitive.here ? sensitive : sensitive.at(index),
  }));
}

function pairEntries(
  attributes: Attributes,
  review: EntriesReview,
  before: readonly Entry[],
  after: readonly Entry[],
): readonly EntryChange[] {
  const left = byIdentity(before, review);
  const pairs = [...byIdentity(after, review)].map(([identity, entry]) => {
    const counterpart = left.get(identity);
    left.delete(identity);
    return { before: counterpart, after: entry };
  });
  const moved = review.ordered
    ? findMoves(pairs.flatMap((pair) => pair.before?.index ?? []))
    : new Set<number>();
  const stay = pairs.map((pair) => changeOf(attributes, review, pair, moved));
  return [...stay, ...[...left.values()].map((entry) => removalOf(attributes, review, entry))];
}

/** Entries by name. The second entry of a name and an entry without a known name are separate. */
function byIdentity(entries: readonly Entry[], { key }: EntriesReview): Map<string, Entry> {
  const counts = new Map<string, number>();
  const found = new Map<string, Entry>();
  for (const entry of entries) {
    const name = identityOfEntry(entry.value, key) ?? `unknown ${entry.index}`;
    const count = counts.get(name) ?? 0;
    counts.set(name, count + 1);
    found.set(`${name} ${count}`, entry);
  }
  return found;
}

function changeOf(
  attributes: Attributes,
  review: EntriesReview,
  { before, after }: { readonly before: Entry | undefined; readonly after: Entry },
  moved: ReadonlySet<number>,
): EntryChange {
  const named = shownName(after, review);
  const base = { from: before?.index, to: after.index, ...named };
  if (!before || !isObjectValue(before.value) || !isObjectValue(after.value)) {
    const summary = summaryOf(attributes, review, after);
    return { ...base, moved: false, members: [], summary };
  }
  const isMoved = moved.has(before.index);
  return {
    ...base,
    summary: isMoved ? summaryOf(attributes, review, after) : "",
    moved: isMoved,
    members: compareMembers(attributes, {
      before: before.value,
      after: after.value,
      beforeSensitive: before.sensitive,
      afterSensitive: after.sensitive,
    }),
  };
}

function removalOf(attributes: Attributes, review: EntriesReview, entry: Entry): EntryChange {
  return {
    summary: summaryOf(attributes, review, entry),
    ...shownName(entry, review),
    from: entry.index,
    to: undefined,
    moved: false,
    members: [],
  };
}

function summaryOf(attributes: Attributes, { key }: EntriesReview, entry: Entry): string {
  const { value, sensitive } = entry;
  return isObjectValue(value) ? summarizeEntry(attributes, key, value, sensitive) : "";
}

function shownName(
  { value, sensitive }: Entry,
  { key }: EntriesReview,
): Pick<EntryChange, "name" | "nameHidden"> {
  const hides = sensitive.here || key.some((name) => !sensitive.at(name).isEmpty);
  if (hides) return { name: undefined, nameHidden: "sensitive" };
  const name = nameOf(value, key);
  return name === undefined ? { name, nameHidden: "unknown" } : { name, nameHidden: undefined };
}

/**
 * Finds the fewest elements of a permutation that have to move to make it ascending: all except one
 * of its longest ascending subsequences. `positions` must be distinct.
 */
export function findMoves(positions: readonly number[]): ReadonlySet<number> {
  const stay = longestAscending(positions);
  return new Set(positions.filter((position) => !stay.has(position)));
}

/** Patience sorting, in O(n log n). */
function longestAscending(numbers: readonly number[]): ReadonlySet<number> {
  /** By length - 1: the index of the smallest number that ends an ascending subsequence of it. */
  const ends: number[] = [];
  /** By index: the index of the number before it in its subsequence. */
  const previous: (number | undefined)[] = [];
  numbers.forEach((number, index) => {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((numbers[ends[middle] ?? 0] ?? 0) < number) low = middle + 1;
      else high = middle;
    }
    previous.push(ends[low - 1]);
    ends[low] = index;
  });
  const longest = new Set<number>();
  for (let index = ends.at(-1); index !== undefined; index = previous[index]) {
    longest.add(numbers[index] ?? 0);
  }
  return longest;
}
