import type { Collection } from "../../api/collection-body";
import { AbortedError } from "../../api/errors";
import { mayHaveBeenDone } from "../console/availability";
import { serially, type Console } from "../console/connection";
import type { OperationContext } from "../definitions/resource-definition";
import { error, type Diagnostic } from "../diagnostics";
import { diagnose } from "../console/diagnose";
import { canonicalItems, collectionDigest } from "./members";
import type { ManagedCollection } from "./managed-collection";
import type { Conflict, EntryCodec } from "./ownership";

/** The collection to write instead of the found one. */
export interface Decision<Item> {
  readonly items: readonly Item[];
  readonly conflicts: readonly Conflict[];
}

export interface Written<Item> {
  /** The collection read after the write; undefined if nothing was written. */
  readonly after: Collection<Item> | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Replaces a collection: reads it, refuses the write if the collection has changed since the plan
 * or if unmanaged entries would be lost, writes it, and reads it again. Writes nothing if nothing
 * changes. The API has no conditional write, so a change in the milliseconds between read and write
 * is not detected.
 *
 * Throws if the result of the write is unknown and a read cannot determine it.
 */
export async function replaceCollection<Item extends object>(
  collection: ManagedCollection<Item>,
  codec: EntryCodec<Item>,
  { connection: console, signal }: OperationContext<Console>,
  plannedFrom: string | undefined,
  decide: (found: Collection<Item>) => Decision<Item>,
  beforeWrite: (found: Collection<Item>) => Promise<void>,
): Promise<Written<Item>> {
  return serially(console, collection.what, async () => {
    const found = await collection.get(console.client, signal);
    const { items, conflicts } = decide(found);
    const { ordered } = collection;
    const present = found.items.map((item) => codec.outgoing(item));
    if (canonicalItems(items, ordered) === canonicalItems(present, ordered)) {
      await beforeWrite(found);
      return { after: found, diagnostics: [] };
    }
    if (plannedFrom !== undefined && plannedFrom !== collectionDigest(found.items, ordered)) {
      return { after: undefined, diagnostics: [changedSincePlan(collection.what)] };
    }
    if (conflicts.length > 0) {
      return { after: undefined, diagnostics: [conflictRefusal(collection, conflicts)] };
    }
    await beforeWrite(found);
    const failure = await attempt(() =>
      collection.put(console.client, { ...found, items }, signal),
    );
    // The request may have been sent, and no further request can check.
    if (failure instanceof AbortedError) throw failure;
    if (failure && !mayHaveBeenDone(failure)) {
      return { after: undefined, diagnostics: [diagnose(failure)] };
    }
    const after = await collection.get(console.client, signal);
    const wasDone = () =>
      collectionDigest(after.items, ordered) !== collectionDigest(found.items, ordered);
    return failure && !wasDone()
      ? { after: undefined, diagnostics: [diagnose(failure)] }
      : { after, diagnostics: [] };
  });
}

async function attempt(write: () => Promise<unknown>): Promise<unknown> {
  try {
    await write();
    return undefined;
  } catch (failure) {
    return failure;
  }
}

function changedSincePlan(what: string): Diagnostic {
  return error(
    `The console's ${what} changed since the plan was made`,
    "Nothing was written, because the plan is stale. Create a new plan, review the difference, and apply it.",
  );
}

export function conflictRefusal(
  collection: Pick<ManagedCollection<object>, "what" | "id" | "attributes" | "type">,
  conflicts: readonly Conflict[],
): Diagnostic {
  const named = conflicts.map(({ key, effect }) => `  - ${JSON.stringify(key)} would be ${effect}`);
  const shared = collection.attributes.ownership
    ? ` Or choose another "ownership" to keep unmanaged entries.`
    : "";
  return error(
    `Console has unmanaged ${collection.what}`,
    `Nothing was written, because unmanaged entries would be lost:\n${named.join("\n")}\n` +
      `Import the collection into ${collection.type} first (import ID "${collection.id}"), and a plan shows the changes. Or add the entries to the configuration, which "cdktf-console adopt" writes.${shared}`,
  );
}
