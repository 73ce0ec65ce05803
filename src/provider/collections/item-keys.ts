import { groupBy } from "../../core/group-by";
import type { ObjectValue } from "../../core/values";

/** The keys of two lists, see `EntryCodec`. */
interface Keys<Item, Entry> {
  keyOfItem(item: Item): string;
  keyOfEntry(entry: Entry): string;
  partOfItem?: ((item: Item) => string) | undefined;
  partOfEntry?: ((entry: Entry) => string) | undefined;
}

/** The keys of two lists of the same things. */
export function keysOf<T>(
  keyOf: (one: T) => string,
  partOf: ((one: T) => string) | undefined,
): Keys<T, T> {
  return { keyOfItem: keyOf, keyOfEntry: keyOf, partOfItem: partOf, partOfEntry: partOf };
}

/**
 * Returns the keys of the items that entries are. An entry is the item with its key. The others are
 * paired by a part of the key, if one entry and one item are left with that part: a member of the key
 * has changed, or the entry leaves it to the console. An entry without an item has its own key.
 *
 * @param isOther - the items that are not paired by a part of their keys
 */
export function itemKeys<Item, Entry>(
  codec: Keys<Item, Entry>,
  items: readonly Item[],
  entries: readonly Entry[],
  isOther: (item: Item) => boolean = () => false,
): readonly string[] {
  const keys = entries.map((entry) => codec.keyOfEntry(entry));
  const { partOfItem, partOfEntry } = codec;
  if (!partOfItem || !partOfEntry) return keys;
  const present = new Set(items.map((item) => codec.keyOfItem(item)));
  const wanted = new Set(keys);
  const isLeft = (item: Item) => !wanted.has(codec.keyOfItem(item)) && !isOther(item);
  const left = groupedBy(items.filter(isLeft), partOfItem);
  const open = groupedBy(
    entries.filter((_, index) => !present.has(keys[index] ?? "")),
    partOfEntry,
  );
  return entries.map((entry, index) => {
    const key = keys[index] ?? "";
    if (present.has(key)) return key;
    const part = partOfEntry(entry);
    const [item, ...others] = left.get(part) ?? [];
    const isOnly = item !== undefined && others.length === 0 && open.get(part)?.length === 1;
    return isOnly ? codec.keyOfItem(item) : key;
  });
}

function groupedBy<T>(list: readonly T[], keyOf: (one: T) => string) {
  return new Map(groupBy(list, keyOf).map((group) => [keyOf(group[0]), group]));
}

/**
 * Returns the keys of the items that wanted entries are. Managed items come first. An unmanaged item
 * of a collection that others share is taken by a part of its key only if it agrees with the rest of
 * the key that the entry states.
 */
export function wantedItemKeys<Item>(
  codec: Keys<Item, ObjectValue> & { agrees?(entry: ObjectValue, item: Item): boolean },
  {
    found: items,
    managed,
  }: { readonly found: readonly Item[]; readonly managed: ReadonlySet<Item> },
  entries: readonly ObjectValue[],
  isShared: boolean,
): readonly string[] {
  const keys = itemKeys(codec, items, entries, (item) => !managed.has(item));
  if (!codec.partOfItem) return keys;
  const present = new Set(items.map((item) => codec.keyOfItem(item)));
  const taking = entries.filter((_, index) => !present.has(keys[index] ?? ""));
  const taken = new Set(keys);
  const others = items.filter((item) => !managed.has(item) && !taken.has(codec.keyOfItem(item)));
  const paired = itemKeys(codec, others, taking);
  const keyOf = new Map(
    taking.flatMap((entry, at) => {
      const item = others.find((other) => codec.keyOfItem(other) === paired[at]);
      const isTaken = item !== undefined && (!isShared || codec.agrees?.(entry, item) === true);
      return isTaken ? [[entry, paired[at] ?? ""] as const] : [];
    }),
  );
  return entries.map((entry, index) => keyOf.get(entry) ?? keys[index] ?? "");
}
