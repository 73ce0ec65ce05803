import type { ObjectValue } from "../values";

/**
 * Whose the entries of a collection are. The API reads and replaces collections as a whole, so
 * every write must say what happens to each entry that is there; pure decisions, no I/O.
 *
 * - `exclusive`: all entries are managed.
 * - `prefix`, `suffix`: the managed ones come first, or last; the others stay, in their order.
 * - `shared`: the managed ones are changed where they stand; order means nothing.
 */
export type Ownership = "exclusive" | "prefix" | "suffix" | "shared";

/** How an entry of a stack and an item of the console's collection are related. */
export interface EntryCodec<Item> {
  keyOfItem(item: Item): string;
  keyOfEntry(entry: ObjectValue): string;
  /** `before` is the entry as last known: what it does not manage stays out of the result. */
  decode(item: Item, before: ObjectValue | undefined): ObjectValue;
  /** Whether every managed member of the item is as the entry says. */
  matches(item: Item, entry: ObjectValue): boolean;
  /** The item to write: `found` with the managed members changed, or a new one. */
  encode(wanted: Wanted, found: Item | undefined): Item;
  /** Whether the console came with it. */
  isBuiltIn(item: Item): boolean;
  /** What an item that is written back unchanged must not carry. */
  outgoing(item: Item): Item;
}

export interface Wanted {
  readonly entry: ObjectValue;
  /** The same entry with its write-only values. */
  readonly configured: ObjectValue;
  /** As state has it; undefined where the entry is new. */
  readonly before: ObjectValue | undefined;
}

export interface Split<Item> {
  readonly managed: readonly Item[];
  readonly others: readonly Item[];
}

/** Tells the managed items from the others; each key stands for one item at most. */
export function split<Item>(
  codec: EntryCodec<Item>,
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

/** An item that somebody else made and that a write would remove or overwrite. */
export interface Conflict {
  readonly key: string;
  readonly effect: "removed" | "overwritten";
}

export interface Rewrite<Item> {
  readonly items: readonly Item[];
  readonly conflicts: readonly Conflict[];
  /** The keys of what the console came with and is no more. */
  readonly displaced: readonly string[];
}

/**
 * The collection to write. `managedKeys` are those of the entries in state; none on create, where
 * whatever is found may be somebody else's: what the console came with may go, what equals the
 * entry that replaces it is not lost, and everything else is a conflict.
 */
export function rewrite<Item>(
  codec: EntryCodec<Item>,
  ownership: Ownership,
  found: readonly Item[],
  managedKeys: readonly string[],
  wanted: readonly Wanted[],
): Rewrite<Item> {
  const wantedKeys = wanted.map(({ entry }) => codec.keyOfEntry(entry));
  // Exclusive ownership claims everything; here it is asked which items have the keys.
  const byKey = ownership === "exclusive" ? "prefix" : ownership;
  const ours = new Set(split(codec, byKey, found, managedKeys).managed);
  const { others } = split(
    codec,
    byKey,
    found.filter((item) => !ours.has(item)),
    wantedKeys.filter((key) => !managedKeys.includes(key)),
  );
  const left = new Set(others);
  const replaced = found.filter((item) => !left.has(item));
  const conflicts: Conflict[] = [];
  const displaced: string[] = [];

  const written = wanted.map((want) => {
    const key = codec.keyOfEntry(want.entry);
    const item = replaced.find((candidate) => codec.keyOfItem(candidate) === key);
    if (item && !ours.has(item) && !codec.isBuiltIn(item) && !codec.matches(item, want.entry)) {
      conflicts.push({ key, effect: "overwritten" });
    }
    return { item, encoded: codec.encode(want, item) };
  });
  if (ownership === "exclusive") {
    for (const item of others) {
      const key = codec.keyOfItem(item);
      if (codec.isBuiltIn(item)) displaced.push(key);
      else conflicts.push({ key, effect: "removed" });
    }
  }
  return { items: arrange(codec, ownership, found, left, written), conflicts, displaced };
}

function arrange<Item>(
  codec: EntryCodec<Item>,
  ownership: Ownership,
  found: readonly Item[],
  left: ReadonlySet<Item>,
  written: readonly { readonly item: Item | undefined; readonly encoded: Item }[],
): readonly Item[] {
  const encoded = written.map((one) => one.encoded);
  const kept = found.filter((item) => left.has(item)).map((item) => codec.outgoing(item));
  switch (ownership) {
    case "exclusive":
      return encoded;
    case "prefix":
      return [...encoded, ...kept];
    case "suffix":
      return [...kept, ...encoded];
    case "shared": {
      const inPlace = found.flatMap((item) => {
        if (left.has(item)) return [codec.outgoing(item)];
        const change = written.find((one) => one.item === item);
        return change ? [change.encoded] : [];
      });
      const added = written.filter((one) => one.item === undefined).map((one) => one.encoded);
      return [...inPlace, ...added];
    }
  }
}

/**
 * Whether the managed items are where their ownership wants them: the whole, the head or the tail
 * of the collection, in the order of `keys`. Always so where order means nothing.
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
