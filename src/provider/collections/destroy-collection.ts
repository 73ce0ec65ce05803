import type { Collection } from "../../api/collection-body";
import { unlessGone } from "../console/availability";
import { serially, type Console } from "../console/connection";
import type { ApplyContext, KeptObject, Outcome } from "../../core/definitions/resource-definition";
import type { PrivateState } from "../../core/private-state";
import { error, warning, type Diagnostic } from "../../core/diagnostics";
import type { ObjectValue } from "../../core/values";
import { ApiError, ListNotWholeError } from "../../api/errors";
import { printed } from "../../core/printed";
import { diagnose } from "../console/diagnose";
import { heldBy, idIn, managedKeys, onDestroyOf, ownershipOf } from "./contents";
import { codecOf, writtenBefore, type ManagedCollection } from "./managed-collection";
import { split, type EntryCodec } from "./ownership";
import { withPathsOf } from "./secret-paths";
import { plannedFrom, readOthers, readSnapshot, withDigest } from "./snapshot";
import { besideSuccessors, successorsOf } from "./successors";
import { replaceCollection, type Written } from "./replace-collection";

/**
 * Warns at plan time of what a destroy leaves on the console. Refuses a destroy that should restore
 * unknown entries.
 */
export function planDestroyOfCollection(
  { what }: { readonly what: string },
  prior: ObjectValue,
  privateState: PrivateState,
): readonly Diagnostic[] {
  if (onDestroyOf(prior) === "keep") {
    return [
      warning(
        `Console keeps its ${what}`,
        `on_destroy is "keep": the ${what} are removed from the state only.`,
      ),
    ];
  }
  return restoresNothing(prior, privateState) ? [unknownBefore(error, what)] : [];
}

/** Ends the management of a collection, as `on_destroy` was last applied. */
export async function destroyCollection<Item extends object>(
  collection: ManagedCollection<Item>,
  state: ObjectValue,
  privateState: PrivateState,
  context: ApplyContext<Console, ObjectValue>,
): Promise<Outcome<ObjectValue>> {
  const object = { state, private: privateState };
  const successors = successorsOf(context.connection, collection);
  if (onDestroyOf(state) === "keep" || restoresNothing(state, privateState)) return { state: null };
  let removed: Collection<Item> | undefined;
  const destroy = () =>
    unlessGone(async () => {
      const codec = await codecOf(collection, context, state, privateState);
      context.connection.client.mask([], writtenBefore(privateState).map(lastName));
      return replaceCollection(collection, codec, context, {
        // A successor of this run changed the collection after the plan.
        plannedFrom: successors.length > 0 ? undefined : plannedFrom(privateState),
        ownership: ownershipOf(state),
        decide: (found) => {
          const items = besideSuccessors(codec, successors, found.items, (all, taken) =>
            leftByDestroy(collection, codec, object, { items: all, taken }),
          );
          if (items.length === 0) removed ??= found;
          return { items, conflicts: [] };
        },
      });
    });
  let written: Written<Item> | undefined;
  try {
    written = await destroy();
  } catch (failure) {
    removed = unlisted(collection, state, failure);
    if (removed === undefined) throw failure;
    written = await removeUnlisted(collection, removed, context, failure);
  }
  if (collection.created && written?.after && removed) {
    const doubt = deletionDoubt(collection, removed, written);
    if (doubt?.severity === "error") return { state, private: privateState, diagnostics: [doubt] };
    return { state: null, ...(doubt && { diagnostics: [doubt] }) };
  }
  if (written && written.diagnostics.length > 0) {
    return { state, private: privateState, diagnostics: written.diagnostics };
  }
  if (written?.after && !written.held && ownershipOf(state) !== "exclusive") {
    const found = withDigest(privateState, written.after.items, collection);
    return { state, private: found, diagnostics: [notRemoved(collection.what)] };
  }
  return { state: null };
}

/** The object of a state, if the console refuses to list its objects: its path is known. */
function unlisted<Item extends object>(
  collection: ManagedCollection<Item>,
  { id = null }: ObjectValue,
  failure: unknown,
): Collection<Item> | undefined {
  const isRefusal = failure instanceof ApiError && [400, 403, 404, 405].includes(failure.status);
  return isRefusal && typeof id === "string" ? collection.identified?.(id) : undefined;
}

/** Deletes it. A 404 says that it is gone, which no list can prove. */
async function removeUnlisted<Item extends object>(
  collection: ManagedCollection<Item>,
  found: Collection<Item>,
  { connection, signal }: ApplyContext<Console, ObjectValue>,
  unread: unknown,
): Promise<Written<Item>> {
  const after = { ...found, items: [] };
  await serially(connection, collection.document ?? collection.place, () =>
    collection.put(connection.client, after, signal, found),
  );
  return { after, held: false, diagnostics: [], unread };
}

/** Returns why an object may still be there: a 404 to its DELETE says that its path names nothing. */
function deletionDoubt<Item extends object>(
  collection: ManagedCollection<Item>,
  removed: Collection<Item>,
  { after, unread }: Written<Item>,
): Diagnostic | undefined {
  const id = JSON.stringify(idIn(collection, removed));
  if (unread instanceof ListNotWholeError) {
    const detail = printed`The DELETE of ${id} was sent. ${unread.message} Run a plan to see whether the object is left.`;
    return error("Deletion cannot be proved", detail);
  }
  if (unread !== undefined) {
    const detail = printed`The DELETE of ${id} was sent, and the list of objects cannot be read: ${diagnose(unread).detail}`;
    return warning("Deletion is not verified", detail);
  }
  const isLeft = after?.items.length === 1 && idIn(collection, after) === idIn(collection, removed);
  if (!isLeft) return undefined;
  const detail = printed`The console answered the DELETE of ${id}, and its list still has the object: the path of the object does not find it. Delete it on the console by hand. Or run "state rm" with the address of the resource to keep the object and no longer manage it.`;
  return error("Console still has the object", detail);
}

interface ItemsToLeave<Item> extends Pick<Collection<Item>, "items"> {
  /** The keys of entries that another object manages: the destroy neither removes nor restores them. */
  readonly taken?: ReadonlySet<string>;
}

/** The entries that a destroy leaves of a found collection. */
export function leftByDestroy<Item extends object>(
  collection: ManagedCollection<Item>,
  codec: EntryCodec<Item>,
  { state, private: privateState }: KeptObject,
  { items, taken = new Set() }: ItemsToLeave<Item>,
): readonly Item[] {
  const onDestroy = onDestroyOf(state);
  if (onDestroy === "keep" || restoresNothing(state, privateState)) return items;
  if (onDestroy === "clear") return [];
  if (ownershipOf(state) === "exclusive") {
    // A snapshot may be from an older release.
    const snapshot = collection.itemsOf(readSnapshot(privateState) ?? []);
    return (collection.restored?.(snapshot, items, state) ?? snapshot)
      .filter((item) => !taken.has(codec.keyOfItem(item)))
      .map((item) => codec.outgoing(withSecretsOf(codec, items, item)));
  }
  const held = heldBy(state, collection.list, readOthers(privateState));
  const own = managedKeys(codec, held, items).filter((key) => !taken.has(key));
  const { others } = split(codec, held.ownership, items, own);
  return others.map((item) => codec.outgoing(item));
}

/** A restored item with the secrets of the found one: no snapshot has them. */
function withSecretsOf<Item extends object>(
  codec: EntryCodec<Item>,
  items: readonly Item[],
  restored: Item,
): Item {
  const key = codec.keyOfItem(restored);
  const found = codec.secretsIn && items.find((item) => codec.keyOfItem(item) === key);
  const secrets = (found && codec.secretsIn?.(found)) ?? [];
  return { ...restored, ...withPathsOf(restored, found ?? {}, secrets) };
}

const lastName = (path: string) => path.split(".").at(-1) ?? path;

function notRemoved(what: string): Diagnostic {
  return error(
    `Console still has the ${what} that were removed`,
    "They were removed twice, and each time another run or person wrote the collection at the same time. Run a plan to see what is left.",
  );
}

function restoresNothing(state: ObjectValue, privateState: PrivateState): boolean {
  return (
    onDestroyOf(state) === "restore" &&
    ownershipOf(state) === "exclusive" &&
    readSnapshot(privateState) === undefined
  );
}

function unknownBefore(severity: typeof error, what: string): Diagnostic {
  return severity(
    `The ${what} before the first apply are unknown`,
    'A destroy with on_destroy = "restore" puts them back, but the private state does not have them. Terraform drops it when a provider is killed during an update, and a create that finds exactly the configured entries cannot know what was there before. Set on_destroy to "keep" or "clear", apply that, and destroy then.',
  );
}

/** Warns at every plan that a destroy would be refused; refuses the destroy of a replacement. */
export function checkSnapshot(
  collection: { readonly what: string },
  prior: ObjectValue,
  planned: ObjectValue,
  privateState: PrivateState,
): readonly Diagnostic[] {
  const { what } = collection;
  if (ownershipOf(prior) !== ownershipOf(planned)) {
    return restoresNothing(prior, privateState) ? [unknownBefore(error, what)] : [];
  }
  return restoresNothing(planned, privateState) ? [unknownBefore(warning, what)] : [];
}
