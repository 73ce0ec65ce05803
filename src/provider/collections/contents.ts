import { memberOf } from "../../core/member-of";
import type { Collection } from "../../api/collection-body";
import type { OthersPlace } from "../../review/hints";
import {
  isListValue,
  isNullValue,
  isObjectValue,
  valuesEqual,
  type ObjectValue,
  type Value,
} from "../../core/values";
import type { ManagedCollection } from "./managed-collection";
import { pathText, type MemberPath } from "./secret-paths";
import { isInPosition, split, type EntryCodec, type Ownership, type Wanted } from "./ownership";

export type OnDestroy = "restore" | "clear" | "keep";

/** The ownership of a collection; `exclusive` if the resource has no such attribute. */
export function ownershipOf(state: ObjectValue): Ownership {
  const { ownership } = state;
  return ownership === "prefix" || ownership === "suffix" || ownership === "shared"
    ? ownership
    : "exclusive";
}

/** The position of unmanaged entries; undefined if all entries are managed. */
export function placeOfOthers(state: ObjectValue): OthersPlace | undefined {
  switch (ownershipOf(state)) {
    case "exclusive":
      return undefined;
    case "prefix":
      return "behind";
    case "suffix":
      return "before";
    case "shared":
      return "among";
  }
}

export function onDestroyOf(state: ObjectValue): OnDestroy {
  const { on_destroy: onDestroy } = state;
  if (onDestroy === "delete") return "clear";
  return onDestroy === "clear" || onDestroy === "keep" ? onDestroy : "restore";
}

/** The objects in the attribute `list`, or the one that it is. */
export function entriesOf(state: ObjectValue | null, list: string): readonly ObjectValue[] {
  const entries: Value = memberOf(state, list) ?? null;
  if (isObjectValue(entries)) return [entries];
  return isListValue(entries) ? entries.filter(isObjectValue) : [];
}

/** The paths of the members that the objects of an attribute set. */
export function membersNamedIn(object: ObjectValue, attribute: string): readonly string[] {
  return [...new Set(entriesOf(object, attribute).flatMap((entry) => pathsIn(entry, [])))];
}

function pathsIn(entry: ObjectValue, above: MemberPath): readonly string[] {
  return Object.entries(entry).flatMap(([name, value]) => {
    const path = [...above, name];
    if (isNullValue(value)) return [];
    return isObjectValue(value) ? pathsIn(value, path) : [pathText(path)];
  });
}

/** The `id` of an object whose collection was found. */
export function idIn<Item extends object>(
  collection: Pick<ManagedCollection<Item>, "id" | "idOf">,
  found: Collection<Item>,
): string {
  return collection.idOf?.(found) ?? collection.id;
}

/**
 * The planned entries with the write-only values of the configuration. The lists may differ: where
 * `ignore_changes` names entries, Terraform plans those of the state.
 */
export function wantedEntries<Item extends object>(
  collection: ManagedCollection<Item>,
  codec: EntryCodec<Item>,
  planned: ObjectValue,
  config: ObjectValue,
  prior: ObjectValue | null,
): readonly Wanted[] {
  const before = groupByKey(codec, entriesOf(prior, collection.list));
  const configured = groupByKey(
    codec,
    collection.configured?.(planned, config, prior) ?? entriesOf(config, collection.list),
  );
  return entriesOf(planned, collection.list).map((entry) => {
    const key = codec.keyOfEntry(entry);
    const own = configured.get(key) ?? [];
    return {
      entry,
      configured: own.length === 1 ? own[0] : undefined,
      before: before.get(key)?.[0],
    };
  });
}

function groupByKey(
  codec: Pick<EntryCodec<never>, "keyOfEntry">,
  entries: readonly ObjectValue[],
): ReadonlyMap<string, readonly ObjectValue[]> {
  const groups = new Map<string, ObjectValue[]>();
  for (const entry of entries) {
    const key = codec.keyOfEntry(entry);
    const group = groups.get(key);
    if (group) group.push(entry);
    else groups.set(key, [entry]);
  }
  return groups;
}

/**
 * Converts a collection to state. `state` defines which entries are managed, in which order, and
 * which of their members are managed.
 */
export function stateOfCollection<Item extends object>(
  collection: ManagedCollection<Item>,
  codec: EntryCodec<Item>,
  state: ObjectValue,
  found: Collection<Item>,
): ObjectValue {
  const ownership = ownershipOf(state);
  const known = entriesOf(state, collection.list);
  const keys = known.map((entry) => codec.keyOfEntry(entry));
  const { managed } = split(codec, ownership, found.items, keys);
  const entries = managed.map((item) => {
    const key = codec.keyOfItem(item);
    return codec.decode(item, known[keys.indexOf(key)]);
  });
  if (!collection.ordered) {
    const place = (entry: ObjectValue) => {
      const index = keys.indexOf(codec.keyOfEntry(entry));
      return index === -1 ? keys.length : index;
    };
    entries.sort((a, b) => place(a) - place(b));
  }
  // Equal entries are one list, so that their digest is computed once.
  const before = memberOf(state, collection.list);
  const held: Value = collection.single ? (entries[0] ?? null) : entries;
  const list: Value = before !== undefined && valuesEqual(held, before) ? before : held;
  const reached: ObjectValue = { ...state, id: idIn(collection, found), [collection.list]: list };
  const foundKeys = found.items.map((item) => codec.keyOfItem(item));
  return { ...reached, ...collection.derive?.(reached, isInPosition(ownership, foundKeys, keys)) };
}
