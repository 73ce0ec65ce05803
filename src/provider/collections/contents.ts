import { memberOf } from "../../core/member-of";
import type { Collection } from "../../api/collection-body";
import type { PrivateState } from "../../core/private-state";
import type { OthersPlace } from "../review-hints";
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
import { itemKeys, keysOf } from "./item-keys";
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

/** The objects in the attribute `list`, or the one that it is. A text is an object with `TEXT`. */
export function entriesOf(state: ObjectValue | null, list: string): readonly ObjectValue[] {
  const entries: Value = memberOf(state, list) ?? null;
  if (isObjectValue(entries)) return [entries];
  if (!isListValue(entries)) return [];
  return entries.flatMap((entry): ObjectValue[] => {
    if (typeof entry === "string") return [{ [TEXT]: entry }];
    return isObjectValue(entry) ? [entry] : [];
  });
}

/** The member that holds a text of a list of texts. No object of a console has it. */
export const TEXT = "\u0000text";

/** The entry as a state has it: the text of an entry with `TEXT`. */
export function storedEntry(entry: ObjectValue): Value {
  return memberOf(entry, TEXT) ?? entry;
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

/** An object as it is planned, with what it is planned from. */
export interface Intent {
  readonly planned: ObjectValue;
  readonly config: ObjectValue;
  /** Null for a create that continues nothing. */
  readonly prior: ObjectValue | null;
  readonly private?: PrivateState;
}

/**
 * The planned entries with the write-only values of the configuration. The lists may differ: where
 * `ignore_changes` names entries, Terraform plans those of the state.
 */
export function wantedEntries<Item extends object>(
  collection: ManagedCollection<Item>,
  codec: EntryCodec<Item>,
  { planned, config, prior }: Intent,
): readonly Wanted[] {
  const entries = entriesOf(planned, collection.list);
  const priors = entriesOf(prior, collection.list);
  const before = groupByKey(codec, priors);
  const keyOf = (entry: ObjectValue) => codec.keyOfEntry(entry);
  const priorKeys = itemKeys(keysOf(keyOf, codec.partOfEntry), priors, entries);
  const configured = groupByKey(
    codec,
    collection.configured?.(planned, config, prior) ?? entriesOf(config, collection.list),
  );
  return entries.map((entry, index) => {
    const own = configured.get(codec.keyOfEntry(entry)) ?? [];
    return {
      entry,
      configured: own.length === 1 ? own[0] : undefined,
      before: before.get(priorKeys[index] ?? "")?.[0],
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

/** The part of a collection that a state manages. */
interface Held {
  readonly ownership: Ownership;
  readonly entries: readonly ObjectValue[];
  /** The keys of items that were unmanaged when the collection was read last. */
  readonly others?: readonly string[] | undefined;
}

export function heldBy(state: ObjectValue, list: string, others?: readonly string[]): Held {
  return { ownership: ownershipOf(state), entries: entriesOf(state, list), others };
}

/** The keys of the items that the entries of a state are. */
export function managedKeys<Item>(
  codec: EntryCodec<Item>,
  { ownership, entries, others = [] }: Held,
  items: readonly Item[],
): readonly string[] {
  const unmanaged = new Set(ownership === "exclusive" ? [] : others);
  return itemKeys(codec, items, entries, (item) => unmanaged.has(codec.keyOfItem(item)));
}

/**
 * Converts a collection to state. `state` defines which entries are managed, in which order, and
 * which of their members are managed.
 */
export function stateOfCollection<Item extends object>(
  collection: ManagedCollection<Item>,
  codec: EntryCodec<Item>,
  { state, others }: { readonly state: ObjectValue } & Pick<Held, "others">,
  found: Collection<Item>,
): ObjectValue {
  const held = heldBy(state, collection.list, others);
  const { ownership, entries: known } = held;
  const keys = managedKeys(codec, held, found.items);
  const managed = [...split(codec, ownership, found.items, keys).managed];
  const placeOf = (item: Item) => keys.indexOf(codec.keyOfItem(item));
  if (!collection.ordered) {
    const place = (item: Item) => (placeOf(item) === -1 ? keys.length : placeOf(item));
    managed.sort((a, b) => place(a) - place(b));
  }
  const entries = managed.map((item) => codec.decode(item, known[placeOf(item)]));
  // Equal entries are one list, so that their digest is computed once.
  const before = memberOf(state, collection.list);
  const stored: Value = collection.single ? (entries[0] ?? null) : entries.map(storedEntry);
  const list: Value = before !== undefined && valuesEqual(stored, before) ? before : stored;
  const reached: ObjectValue = { ...state, id: idIn(collection, found), [collection.list]: list };
  const foundKeys = found.items.map((item) => codec.keyOfItem(item));
  return { ...reached, ...collection.derive?.(reached, isInPosition(ownership, foundKeys, keys)) };
}
