import { parseJson, stringifyJson } from "../../core/json/lossless-json";
import type { KeptObject } from "../../core/definitions/resource-definition";
import type { PrivateState } from "../../core/private-state";
import { isListValue, type ObjectValue } from "../../core/values";
import { collectionDigest } from "./members";
import type { Collection } from "../../api/collection-body";
import { heldBy, managedKeys, membersNamedIn } from "./contents";
import { type ManagedCollection, writtenBefore } from "./managed-collection";
import { split, type EntryCodec } from "./ownership";
import { withoutPaths } from "./secret-paths";

/*
 * The private state of a collection resource: the digest of the collection as last read, the names
 * of its unmanaged entries for reviewers of a plan, the names of members that `write_only` has had, and
 * a snapshot of its content before the first write for `on_destroy = "restore"`.
 */

/** Leaves out secrets, as inline credentials (section 2.5): an entry is restored without them. */
export function takeSnapshot<Item extends object>(
  codec: Pick<EntryCodec<Item>, "secretsIn">,
  items: readonly Item[],
): string {
  return stringifyJson(items.map((item) => withoutSecrets(codec, item)));
}

export function withoutSecrets<Item extends object>(
  codec: Pick<EntryCodec<Item>, "secretsIn">,
  item: Item,
): object {
  return withoutPaths(item, codec.secretsIn?.(item) ?? [["credential"]]);
}

/** Undefined if there is none, because another engine created the resource, or if it is damaged. */
export function readSnapshot(privateState: PrivateState): readonly object[] | undefined {
  const { snapshot } = privateState;
  if (typeof snapshot !== "string") return undefined;
  try {
    const items: unknown = parseJson(snapshot);
    return Array.isArray(items) && items.every(isObject) ? items : undefined;
  } catch {
    return undefined;
  }
}

/** Adds the names of the secrets in `write_only`, and takes what they name out of the snapshot. */
export function withWrittenNames<Item extends object>(
  collection: Pick<ManagedCollection<Item>, "itemsOf">,
  codec: Pick<EntryCodec<Item>, "secretsIn">,
  config: ObjectValue,
  privateState: PrivateState,
): PrivateState {
  const names = [...writtenBefore(privateState), ...membersNamedIn(config, "write_only")];
  const secrets = [...new Set(names)];
  if (secrets.length === 0) return privateState;
  const found = readSnapshot(privateState);
  const snapshot = found && takeSnapshot(codec, collection.itemsOf(found));
  return { ...privateState, secrets, ...(snapshot !== undefined && { snapshot }) };
}

/** The digest of the collection that the plan is based on. */
export function plannedFrom(privateState: PrivateState): string | undefined {
  const { digest } = privateState;
  return typeof digest === "string" ? digest : undefined;
}

export function withDigest(
  privateState: PrivateState,
  items: readonly object[],
  collection: Parameters<typeof collectionDigest>[1],
): PrivateState {
  const digest = collectionDigest(items, collection);
  return privateState.digest === digest ? privateState : { ...privateState, digest };
}

/** Stores the names of unmanaged entries in the order of the console; absent if there are none. */
function withOthers(privateState: PrivateState, names: readonly string[]): PrivateState {
  if (names.length > 0) return { ...privateState, others: names };
  if (privateState.others === undefined) return privateState;
  return Object.fromEntries(Object.entries(privateState).filter(([name]) => name !== "others"));
}

/** Undefined until the collection has been read. */
export function readOthers(privateState: PrivateState): readonly string[] | undefined {
  if (plannedFrom(privateState) === undefined) return undefined;
  const { others = null } = privateState;
  return isListValue(others) ? others.filter((name) => typeof name === "string") : [];
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** Adds the digest and the unmanaged names of a found collection to private state. */
export function remember<Item extends object>(
  collection: ManagedCollection<Item>,
  codec: EntryCodec<Item>,
  { state, private: privateState }: KeptObject,
  { items }: Collection<Item>,
): PrivateState {
  const held = heldBy(state, collection.list, readOthers(privateState));
  const { others } = split(codec, held.ownership, items, managedKeys(codec, held, items));
  return withOthers(
    withDigest(privateState, items, collection),
    others.map((item) => codec.keyOfItem(item)),
  );
}
