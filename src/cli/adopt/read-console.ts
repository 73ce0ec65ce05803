import { API } from "../../api/catalogue/described-place";
import { COLLECTIONS, type CollectionRow } from "../../api/collections";
import { isPathRefused, ListNotWholeError, SchemaMismatchError } from "../../api/errors";
import { RefusedError } from "../../core/definitions/failure";
import { error, type Diagnostic } from "../../core/diagnostics";
import type { PrivateState } from "../../core/private-state";
import type { ObjectValue } from "../../core/values";
import { entriesOf } from "../../provider/collections/contents";
import { hasExtraJson, WHOLE } from "../../provider/collections/import-collection";
import type { Console } from "../../provider/console/connection";
import type { CollectionListing, ListedResource } from "../../provider/listing";
import { releasesWith } from "../../provider/release-changes";
import { resources } from "../../provider/resources";
import { declarablePart, type Imported, type AdoptedPart, type PolicyOwnership } from "./part";

/** A resource that manages a collection of the console. */
export interface Adoptable {
  readonly resource: ListedResource;
  readonly collection: CollectionListing;
}

/** The typed resources that manage a collection. */
export const ADOPTABLE: readonly Adoptable[] = resources.flatMap((resource) =>
  resource.collection?.kind ? [{ resource, collection: resource.collection }] : [],
);

/** The typed resource that manages a path in some release. */
export function adoptableAt(path: string): Adoptable | undefined {
  const row = Object.values<CollectionRow>(COLLECTIONS).find(({ endpoints }) =>
    endpoints.read.routes.some((route) => route.path === API + path),
  );
  return ADOPTABLE.find(({ resource }) => resource.type === row?.resource);
}

export interface Adopted extends Imported, AdoptedPart {
  /** The entries on the console. */
  readonly found: number;
  /** Members of the entries that a stack cannot contain, each with the reason. They stay on the console. */
  readonly unmanaged: readonly { readonly name: string; readonly reason: string }[];
  /** The failure of the read, of which the obstacle is the reason. */
  readonly unread?: Error;
}

/** Reads collections that a stack can manage. Rejects with errors that are not of one path alone. */
export async function readConsole(
  console: Console,
  ownership: PolicyOwnership,
  signal: AbortSignal,
  only = ADOPTABLE,
): Promise<readonly Adopted[]> {
  const release = await console.client.resolveRelease(signal);
  const adoptable = only.filter(({ resource }) => releasesWith(resource).includes(release));
  return Promise.all(
    adoptable.map((one): Promise<Adopted> => {
      const { resource, collection } = one;
      const id = resource.importId ?? "";
      const importId = hasExtraJson({ ...resource, ...collection }) ? `${id}${WHOLE}` : id;
      return unlessLeftOut({ ...one, importId }, async () => {
        const { state, private: found } = await importWhole(console, resource, importId, signal);
        return {
          ...one,
          ...declarablePart({ ...one, importId, state }, ownership, console, release),
          found: entriesOf(state, collection.list).length,
          unmanaged: collection
            .unmanagedMembers(state, found, release)
            .map((name) => ({ name, reason: "No attribute has it." })),
        };
      });
    }),
  );
}

/** The subject of a read that fails. */
export type Unread = Omit<Imported, "state">;

/** Reads one path. A refusal of this path leaves it out, with its reason. */
export async function unlessLeftOut<T>(
  unread: Unread,
  read: () => Promise<T>,
): Promise<T | Adopted> {
  try {
    return await read();
  } catch (failure) {
    if (!isOfOnePath(failure)) throw failure;
    const reason =
      failure instanceof RefusedError ? failure.diagnostic : error("Not readable", failure.message);
    const nothing = { state: {}, count: 0, found: 0, keys: [], besides: [], unmanaged: [] };
    return { ...unread, ...nothing, obstacles: [reason], unread: failure };
  }
}

function isOfOnePath(failure: unknown): failure is Error {
  return (
    isPathRefused(failure) ||
    failure instanceof SchemaMismatchError ||
    failure instanceof ListNotWholeError ||
    failure instanceof RefusedError
  );
}

/** Imports what the console has. Rejects with a RefusedError and the API's errors. */
export async function importWhole(
  connection: Console,
  resource: ListedResource,
  id: string,
  signal: AbortSignal,
): Promise<{ readonly state: ObjectValue; readonly private: PrivateState }> {
  const context = { connection, signal, progress: () => undefined };
  const {
    state,
    private: privateState = {},
    diagnostics = [],
  } = (await resource.import?.(id, context)) ?? { state: null };
  const failure = diagnostics.find(({ severity }) => severity === "error");
  if (failure) throw new RefusedError(failure);
  if (!state) throw new Error(`import of ${resource.type} failed`);
  return { state, private: privateState };
}

/** One line of the table of what is left out. */
export interface LeftOut {
  readonly what: string;
  /** The names of the entries; empty for members, and for what was not read. */
  readonly names: readonly string[];
  /** Its place in a plan of the stack. */
  readonly plan: string;
  readonly reason: string;
}

/** Lists what is left out of one collection, path or object. */
export function leftOutOf({
  collection: { what },
  found,
  count,
  keys,
  besides,
  obstacles,
  unmanaged,
  unread,
}: Adopted): readonly LeftOut[] {
  const some = count === 0 ? what : `${found - count} of ${found} ${what}`;
  const isKept = count > 0;
  const entries = obstacles.map(({ summary, detail, path: [, index] = [] }: Diagnostic) => ({
    what: some,
    names: typeof index === "number" ? keys.slice(index, index + 1) : [],
    plan: isKept ? "keeps them" : "does not manage them",
    reason: unread ? detail : `${summary}: ${detail}`,
  }));
  const members = unmanaged.map(({ name, reason }) => ({
    what: `${name} of ${what}`,
    names: [],
    plan: isKept ? "keeps it" : "does not manage it",
    reason,
  }));
  const order = {
    what: some,
    names: besides,
    plan: "keeps them",
    reason: "They are next to these, and a stack manages the first or the last entries.",
  };
  return [...entries, ...(besides.length > 0 ? [order] : []), ...(isKept ? members : [])];
}
