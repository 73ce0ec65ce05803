import type { Collection } from "../../api/collection-body";
import type { PrivateState } from "../private-state";
import type { ObjectValue } from "../values";
import { entriesOf, ownershipOf } from "./contents";
import type { ManagedCollection } from "./managed-collection";
import { split, type EntryCodec } from "./ownership";
import { withDigest, withOthers } from "./snapshot";

/** Adds the digest and the unmanaged names of a found collection to private state. */
export function remember<Item extends object>(
  collection: ManagedCollection<Item>,
  codec: EntryCodec<Item>,
  state: ObjectValue,
  privateState: PrivateState,
  { items }: Collection<Item>,
): PrivateState {
  const keys = entriesOf(state, collection.list).map((entry) => codec.keyOfEntry(entry));
  const { others } = split(codec, ownershipOf(state), items, keys);
  return withOthers(
    withDigest(privateState, items, collection),
    others.map((item) => codec.keyOfItem(item)),
  );
}
