import type { Collection } from "../../api/collection-body";
import { AbortedError } from "../../api/errors";
import { mayHaveBeenDone } from "../console/availability";
import { serially, type Console } from "../console/connection";
import type { OperationContext } from "../definitions/operation";
import { error, type Diagnostic } from "../diagnostics";
import { diagnose } from "../console/diagnose";
import { canonicalItems, collectionDigest } from "./digest";
import type { ManagedCollection } from "./managed-collection";
import type { Conflict, EntryCodec } from "./ownership";

/** What a write makes of the collection that it finds. */
export interface Decision<Item> {
  readonly items: readonly Item[];
  readonly conflicts: readonly Conflict[];
}

export interface Written<Item> {
  /** The collection as read back; undefined where nothing was written. */
  readonly after: Collection<Item> | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Replaces a collection: reads it, refuses if it is not what the plan was made from or if somebody
 * else's entries would be lost, writes it whole, and reads it back. Writes nothing where nothing
 * would change. The API has no conditional write: a change that falls between the read and the
 * write, some milliseconds, is not seen.
 *
 * Throws where the fate of the write is not known and could not be found out by looking.
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
    // It may have been on its way; nobody can look any more.
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
    "Somebody else changed them in the meantime. Nothing was written. Plan again, look at the difference, and apply that.",
  );
}

export function conflictRefusal(
  collection: Pick<ManagedCollection<object>, "what" | "id" | "attributes" | "type">,
  conflicts: readonly Conflict[],
): Diagnostic {
  const named = conflicts.map(({ key, effect }) => `  - ${JSON.stringify(key)} would be ${effect}`);
  const shared = collection.attributes.ownership
    ? ` Or manage your own beside them, with another "ownership".`
    : "";
  return error(
    `The console has ${collection.what} that this stack does not know`,
    `Nothing was written, because it would lose what somebody made:\n${named.join("\n")}\n` +
      `Import the collection into ${collection.type} first (import ID "${collection.id}"): then a plan shows what changes. Or add them to the configuration as they are: "cdktf-console adopt" writes it.${shared}`,
  );
}
