import type { ObjectValue } from "../../core/values";
import { wantedItemKeys } from "./item-keys";
import type { MemberPath } from "./secret-paths";

/**
 * Ownership of the entries of a collection. The API replaces collections as a whole, so every write
 * decides what happens to each entry. The decisions are pure.
 *
 * - `exclusive`: all entries are managed.
 * - `prefix`, `suffix`: managed entries come first, or last; unmanaged ones keep their order.
 * - `shared`: managed entries change in place; the order has no meaning.
 */
export type Ownership = "exclusive" | "prefix" | "suffix" | "shared";

/** Converts between an entry of a stack and an item of the console's collection. */
export interface EntryCodec<Item> {
  keyOfItem(item: Item): string;
  keyOfEntry(entry: ObjectValue): string;
  /** A part of the key, for items whose whole key no entry has: see `itemKeys`. Default: none. */
  readonly partOfItem?: (item: Item) => string;
  readonly partOfEntry?: (entry: ObjectValue) => string;
  /** The item has the rest of the key, as far as the entry states it. */
  agrees?(entry: ObjectValue, item: Item): boolean;
  /** `before` is the last known entry; members that it does not manage are left out. */
  decode(item: Item, before: ObjectValue | undefined): ObjectValue;
  /** Decodes an item with all members that an entry can hold. Default: `decode`. */
  decodeWhole?(item: Item): ObjectValue;
  /** Every managed member of the item equals that of the entry. */
  matches(item: Item, entry: ObjectValue): boolean;
  /** The item to write: `found` with its managed members changed, or a new item. */
  encode(wanted: Wanted, found: Item | undefined): Item;
  /** The entry has write-only values that neither the item nor the configuration holds. Default: false. */
  lacksSecrets?(wanted: Wanted, found: Item | undefined): boolean;
  /** The members of an item that no snapshot and no record holds. Default: an inline credential. */
  secretsIn?(item: Item): readonly MemberPath[];
  /** Returns `secretsIn` for a configuration or a state, and the names that `write_only` has had. */
  secretsOf?(
    object: ObjectValue,
    written: readonly string[],
  ): (item: Item) => readonly MemberPath[];
  /** The item has conditions that the entry does not describe. Default: false. */
  isPartial?(item: Item): boolean;
  /** The item is a default of the console; absent if the console has none. */
  isBuiltIn?(item: Item): boolean;
  /** Removes members that must not be written back. */
  outgoing(item: Item): Item;
}

export interface Wanted {
  readonly entry: ObjectValue;
  /**
   * The entry of the configuration with this key, for its write-only values alone. Undefined if there
   * is none, or more than one.
   */
  readonly configured: ObjectValue | undefined;
  /** The entry in the state; undefined if it is new. */
  readonly before: ObjectValue | undefined;
}

export interface Split<Item> {
  readonly managed: readonly Item[];
  readonly others: readonly Item[];
}

/** Separates managed from unmanaged items. Each key matches one item at most. */
export function split<Item>(
  codec: Pick<EntryCodec<Item>, "keyOfItem">,
  ownership: Ownership,
  items: readonly Item[],
  keys: readonly string[],
): Split<Item> {
  if (ownership === "exclusive") return { managed: items, others: [] };
  const open = [...keys];
  const claimed = new Set<Item>();
  for (const item of ownership === "suffix" ? [...items].reverse() : items) {
    const index = open.indexOf(codec.keyOfItem(item));
    if (index === -1) continue;
    open.splice(index, 1);
    claimed.add(item);
  }
  return {
    managed: items.filter((item) => claimed.has(item)),
    others: items.filter((item) => !claimed.has(item)),
  };
}

/** An unmanaged item that a write would remove or overwrite. */
export interface Conflict {
  readonly key: string;
  readonly effect: "removed" | "overwritten";
}

export interface Rewrite<Item> {
  readonly items: readonly Item[];
  readonly conflicts: readonly Conflict[];
  /** The keys of default items that the write removes. */
  readonly displaced: readonly string[];
  /** The indexes of wanted entries whose write-only values are not known. */
  readonly withoutSecrets: readonly number[];
}

/** The items of a console, and the keys of those that the state manages. */
interface FoundItems<Item> {
  readonly found: readonly Item[];
  readonly managedKeys: readonly string[];
}

/**
 * Computes the collection to write. On create there are no managed keys, and every found item is
 * unmanaged: default items may be removed, an item that equals its entry is not lost, and all others are
 * conflicts.
 */
export function rewrite<Item>(
  codec: EntryCodec<Item>,
  ownership: Ownership,
  { found, managedKeys }: FoundItems<Item>,
  wanted: readonly Wanted[],
): Rewrite<Item> {
  // Exclusive ownership claims all items, but this is the split by keys.
  const byKey = ownership === "exclusive" ? "prefix" : ownership;
  const ours = new Set(split(codec, byKey, found, managedKeys).managed);
  const entries = wanted.map(({ entry }) => entry);
  const wantedKeys = wantedItemKeys(
    codec,
    { found, managed: ours },
    entries,
    ownership !== "exclusive",
  );
  const { others } = split(
    codec,
    byKey,
    found.filter((item) => !ours.has(item)),
    wantedKeys.filter((key) => !managedKeys.includes(key)),
  );
  // Each as it is written.
  const left = new Map(others.map((item) => [item, codec.outgoing(item)]));
  const replaced = found.filter((item) => !left.has(item));
  const conflicts: Conflict[] = [];
  const displaced: string[] = [];

  const withoutSecrets: number[] = [];

  const written = wanted.map((want, index) => {
    const key = wantedKeys[index] ?? "";
    const item = replaced.find((candidate) => codec.keyOfItem(candidate) === key);
    if (
      item &&
      !ours.has(item) &&
      codec.isBuiltIn?.(item) !== true &&
      !codec.matches(item, want.entry)
    ) {
      conflicts.push({ key, effect: "overwritten" });
    }
    if (codec.lacksSecrets?.(want, item)) withoutSecrets.push(index);
    return { item, encoded: codec.encode(want, item) };
  });
  if (ownership === "exclusive") {
    for (const item of others) {
      const key = codec.keyOfItem(item);
      if (codec.isBuiltIn?.(item)) displaced.push(key);
      else conflicts.push({ key, effect: "removed" });
    }
  }
  const items = arrange(ownership, found, left, written);
  return { items, conflicts, displaced, withoutSecrets };
}

function arrange<Item>(
  ownership: Ownership,
  found: readonly Item[],
  left: ReadonlyMap<Item, Item>,
  written: readonly { readonly item: Item | undefined; readonly encoded: Item }[],
): readonly Item[] {
  const encoded = written.map((one) => one.encoded);
  const keptOf = (item: Item) => left.get(item) ?? [];
  switch (ownership) {
    case "exclusive":
      return encoded;
    case "prefix":
      return [...encoded, ...found.flatMap(keptOf)];
    case "suffix":
      return [...found.flatMap(keptOf), ...encoded];
    case "shared": {
      const inPlace = found.flatMap((item) => {
        if (left.has(item)) return keptOf(item);
        const change = written.find((one) => one.item === item);
        return change ? [change.encoded] : [];
      });
      const added = written.filter((one) => one.item === undefined).map((one) => one.encoded);
      return [...inPlace, ...added];
    }
  }
}

/**
 * The managed items are the whole, the head or the tail of the collection, in the order of `keys`.
 * Always true if the order has no meaning.
 */
export function isInPosition(
  ownership: Ownership,
  foundKeys: readonly string[],
  keys: readonly string[],
): boolean {
  const place = {
    exclusive: foundKeys,
    prefix: foundKeys.slice(0, keys.length),
    suffix: foundKeys.slice(Math.max(0, foundKeys.length - keys.length)),
    shared: keys,
  }[ownership];
  return place.length === keys.length && place.every((key, index) => key === keys[index]);
}
