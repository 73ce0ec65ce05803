import type { Outcome, Resource } from "../../core/definitions/resource-definition";
import type { ObjectValue } from "../../core/values";
import { unlessGone } from "../console/availability";
import type { Console } from "../console/connection";
import { forgetCheckpoint } from "./checkpoint";
import type { CollectionRun } from "./collection-run";
import { stateOfCollection } from "./contents";
import { codecOf } from "./managed-collection";
import { readOthers, remember } from "./snapshot";

/** Reads the state of an object that manages a collection; null if the console no longer has it. */
export async function readCollectionState<Item extends object>(
  run: CollectionRun<Item>,
  ...[state, privateState, context]: Parameters<Resource<Console>["read"]>
): Promise<Outcome<ObjectValue>> {
  const { connection, signal } = context;
  const collection = run.collectionOf(state);
  const reached = await unlessGone(async () => {
    const codec = await codecOf(collection, context);
    const found = await collection.get(connection.client, signal, "joins");
    if (collection.created && found.items.length === 0) return undefined;
    run.findings(collection).note(connection, codec, found);
    run.managed(collection).add(connection);
    await forgetCheckpoint(collection, connection, privateState);
    const others = codec.partOfItem ? (readOthers(privateState) ?? []) : [];
    return {
      state:
        others.length > 0
          ? stateOfCollection(collection, codec, { state, others }, found)
          : run.stateOf(codec)(state, found),
      private: remember(collection, codec, { state, private: privateState }, found),
    };
  });
  return reached ?? { state: null };
}
