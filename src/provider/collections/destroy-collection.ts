import type { Collection } from "../../api/collection-body";
import { unlessGone } from "../console/availability";
import type { Console } from "../console/connection";
import type { ApplyContext, Outcome } from "../definitions/operation";
import type { PrivateState } from "../private-state";
import { warning, type Diagnostic } from "../diagnostics";
import type { ObjectValue } from "../values";
import { entriesOf, onDestroyOf, ownershipOf } from "./contents";
import { codecOf, type ManagedCollection } from "./managed-collection";
import { split, type EntryCodec } from "./ownership";
import { plannedFrom, readSnapshot } from "./snapshot";
import { besideSuccessors, takeSuccessors } from "./successors";
import { replaceCollection } from "./replace-collection";

/** What a destroy leaves behind, said when it is planned. */
export function planDestroyOfCollection(
  { what }: { readonly what: string },
  prior: ObjectValue,
  privateState: PrivateState,
): readonly Diagnostic[] {
  if (onDestroyOf(prior) === "keep") {
    return [
      warning(`The console keeps its ${what}`, `They are forgotten, as on_destroy = "keep" says.`),
    ];
  }
  return restoresNothing(prior, privateState) ? [nothingToRestore(what)] : [];
}

/** Ends the management of a collection, as `on_destroy` was last applied. */
export async function destroyCollection<Item extends object>(
  collection: ManagedCollection<Item>,
  state: ObjectValue,
  privateState: PrivateState,
  context: ApplyContext<Console, ObjectValue>,
): Promise<Outcome<ObjectValue>> {
  const successors = takeSuccessors(context.connection, collection, state, privateState);
  if (onDestroyOf(state) === "keep" || restoresNothing(state, privateState)) return { state: null };
  const written = await unlessGone(async () => {
    const codec = await codecOf(collection, context);
    return replaceCollection(
      collection,
      codec,
      context,
      // A successor changed the collection since the plan, as planned.
      successors.length > 0 ? undefined : plannedFrom(privateState),
      (found) => ({
        items: besideSuccessors(codec, successors, found.items, (items) =>
          leftByDestroy(collection, codec, state, privateState, { ...found, items }),
        ),
        conflicts: [],
      }),
      () => Promise.resolve(),
    );
  });
  if (written && !written.after) {
    return { state, private: privateState, diagnostics: written.diagnostics };
  }
  return { state: null };
}

/** What a destroy leaves of the collection that it finds. */
export function leftByDestroy<Item extends object>(
  collection: ManagedCollection<Item>,
  codec: EntryCodec<Item>,
  state: ObjectValue,
  privateState: PrivateState,
  { items }: Collection<Item>,
): readonly Item[] {
  const onDestroy = onDestroyOf(state);
  if (onDestroy === "keep" || restoresNothing(state, privateState)) return items;
  if (onDestroy === "clear") return [];
  if (ownershipOf(state) === "exclusive") {
    // An older release may have kept them.
    return collection.itemsOf(readSnapshot(privateState) ?? []).map((item) => codec.outgoing(item));
  }
  const keys = entriesOf(state, collection.list).map((entry) => codec.keyOfEntry(entry));
  const { others } = split(codec, ownershipOf(state), items, keys);
  return others.map((item) => codec.outgoing(item));
}

function restoresNothing(state: ObjectValue, privateState: PrivateState): boolean {
  return (
    onDestroyOf(state) === "restore" &&
    ownershipOf(state) === "exclusive" &&
    readSnapshot(privateState) === undefined
  );
}

function nothingToRestore(what: string): Diagnostic {
  return warning(
    `The console keeps its ${what}`,
    `What was there before the first apply is not known, so on_destroy = "restore" has nothing to put back: they stay as they are, and are forgotten.`,
  );
}
