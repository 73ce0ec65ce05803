import { joined, printed } from "../../core/printed";
import type { Collection } from "../../api/collection-body";
import { AbortedError } from "../../api/errors";
import { sleep } from "../../api/http/abort";
import { mayHaveBeenDone } from "../console/availability";
import { serially, type Console } from "../console/connection";
import type { WriteContext } from "../../core/definitions/resource-definition";
import { error, type Diagnostic } from "../../core/diagnostics";
import { diagnose } from "../console/diagnose";
import { membersThatDiffer } from "./examine-collection";
import { canonicalItems, collectionDigest } from "./members";
import type { ManagedCollection } from "./managed-collection";
import type { Conflict, EntryCodec, Ownership } from "./ownership";
import { isReordered, recorderOf } from "./recorded-content";
import { textsAt } from "./secret-paths";
import { slowestExchange } from "./slowest-exchange";
import { storedOtherwise } from "./written-content";
import { world } from "../../core/io/world";

/** Milliseconds: one request that had to be repeated must not delay every later write. */
const LONGEST_SETTLING_MS = 5_000;

/** The collection to write instead of the found one. */
export interface CollectionDecision<Item> {
  readonly items: readonly Item[];
  readonly conflicts: readonly Conflict[];
}

export interface Written<Item> {
  /**
   * The collection read after the write; undefined if nothing was written. If that read failed, what the
   * console has accepted. It has diagnostics then, and if a part of it was refused.
   */
  readonly after: Collection<Item> | undefined;
  /** `after` is as decided: neither the console nor another writer has changed it. */
  readonly held: boolean;
  readonly diagnostics: readonly Diagnostic[];
  /** The failure of the read after a write that the console has accepted. */
  readonly unread?: unknown;
}

/** How a collection is replaced. */
export interface Replacement<Item> {
  /** The digest of the collection that the plan is based on; undefined: any. */
  readonly plannedFrom: string | undefined;
  /** `exclusive` refuses what another writer changed; any other mode writes its entries again. */
  readonly ownership: Ownership;
  readonly decide: (found: Collection<Item>) => CollectionDecision<Item>;
  /** Called once with the collection as found, before anything is written. */
  readonly checkpoint?: (found: Collection<Item>) => Promise<void>;
  /** Called if the console refuses the write. */
  readonly refusedWrite?: () => Promise<void>;
}

/** Masks the secrets of items in messages of the console, which may repeat what it has. */
function maskSecretsOf<Item extends object>(
  { client }: Console,
  codec: EntryCodec<Item>,
  items: readonly Item[],
): void {
  const found = items.map((item) => ({ item, paths: codec.secretsIn?.(item) ?? [] }));
  client.mask(
    found.flatMap(({ item, paths }) => textsAt(item, paths)),
    found.flatMap(({ paths }) => paths.map((path) => path.at(-1) ?? "")),
  );
}

/** A write of several requests that ended after the first of them. */
export class PartlyWrittenError extends Error {
  constructor(override readonly cause: unknown) {
    super("The object was written in part.");
  }
}

/**
 * Replaces a collection: reads it, refuses the write if the collection has changed since the plan
 * or if unmanaged entries would be lost, writes it, and reads it again. Writes nothing if nothing
 * changes.
 *
 * The API has no conditional write, so a writer in another process can replace the collection
 * between read and write, and each of the two may undo the other's change. The read after the write
 * detects that, and the entries are decided and written once more if unmanaged entries stay. It waits
 * for as long as read and write took, or two requests as slow as the slowest one of this run, so
 * that a writer who read before our write has written by then, unless that one's requests take three
 * times as long as ours.
 *
 * Throws if the result of the write is unknown and a read cannot determine it.
 */
export async function replaceCollection<Item extends object>(
  collection: ManagedCollection<Item>,
  codec: EntryCodec<Item>,
  { connection: console, signal, beforeWrite, record }: WriteContext<Console>,
  { plannedFrom, ownership, decide, checkpoint, refusedWrite }: Replacement<Item>,
): Promise<Written<Item>> {
  const { ordered } = collection;
  const isSame = (items: readonly Item[], { items: present }: Collection<Item>) =>
    canonicalItems(items, ordered) ===
    canonicalItems(
      present.map((item) => codec.outgoing(item)),
      ordered,
    );
  const note = recorderOf(collection, codec, record);
  const reached = async (after: Collection<Item>, held: boolean): Promise<Written<Item>> => {
    await note.reached(after.items);
    return { after, held, diagnostics: [] };
  };
  // Before the read that the write is compared with: waiting between them would widen the window.
  await beforeWrite();
  return serially(console, collection.document ?? collection.place, async () => {
    let start = world.clock.steady();
    let found = await collection.get(console.client, signal);
    let written: readonly Item[] = [];
    for (let isRepair = false; ; isRepair = true) {
      const { items, conflicts } = decide(found);
      const isHeld = isSame(items, found);
      if (isHeld && !isRepair) {
        await note.replaced(found.items, found.items);
        await checkpoint?.(found);
      }
      if (isHeld) return reached(found, true);
      const owned = collection.ownedProblem?.(found.items);
      if (owned) return refused(owned);
      if (isRepair && removesMore(codec, written, found.items, items)) {
        return reached(found, !isReordered(codec, written, found.items));
      }
      // Another writer took the place of an entry that was written.
      if (isRepair && conflicts.length > 0) return reached(found, false);
      if (!isRepair) {
        if (isOther(plannedFrom, found, collection)) {
          const again = await collection.get(console.client, signal);
          return refused(staleRefusal(collection, codec, found, again));
        }
        if (conflicts.length > 0) return refused(conflictRefusal(collection, conflicts));
      }
      await note.replaced(found.items, items);
      maskSecretsOf(console, codec, [...found.items, ...items]);
      if (!isRepair) await checkpoint?.(found);
      const failure = await attempt(() =>
        collection.put(console.client, { ...found, items }, signal, found),
      );
      // The request may have been sent, and no further request can check.
      if (failure instanceof AbortedError) throw failure;
      const isPartly = failure instanceof PartlyWrittenError;
      if (failure && !isPartly && !mayHaveBeenDone(failure)) {
        await refusedWrite?.();
        return refused(diagnose(failure));
      }
      let after: Collection<Item>;
      try {
        if (ownership !== "exclusive") await sleep(settling(console, start), signal);
        start = world.clock.steady();
        after = await collection.get(console.client, signal);
      } catch (unread) {
        if (failure) throw unread;
        // The console has these entries now, so the next run must know them as managed.
        await note.reached(items);
        const diagnostics = [diagnose(unread)];
        return { after: { ...found, items }, held: false, diagnostics, unread };
      }
      const wasDone = () => isOther(collectionDigest(found.items, collection), after, collection);
      if (isPartly) return { after, held: false, diagnostics: [diagnose(failure.cause)] };
      if (failure && !wasDone()) return refused(diagnose(failure));
      const renamed = storedOtherwise(codec, items, after.items);
      if (renamed) return { after, held: false, diagnostics: [renamed] };
      if (ownership === "exclusive" || isRepair) {
        return reached(after, isSame(decide(after).items, after));
      }
      found = after;
      written = items;
    }
  });
}

/** Reports whether a collection is another one than that of a digest, if there is one. */
function isOther<Item extends object>(
  digest: string | undefined,
  { items }: Collection<Item>,
  collection: ManagedCollection<Item>,
): boolean {
  return digest !== undefined && digest !== collectionDigest(items, collection);
}

function refused<Item>(diagnostic: Diagnostic): Written<Item> {
  return { after: undefined, held: false, diagnostics: [diagnostic] };
}

/** Milliseconds until a write by somebody who read before ours has arrived. */
function settling({ client }: Console, start: number): number {
  const elapsed = world.clock.steady() - start;
  return Math.max(elapsed, Math.min(2 * slowestExchange(client), LONGEST_SETTLING_MS));
}

/**
 * True if a repair would remove an entry that nobody put back: several entries may have one key, and
 * the managed one of them is removed already.
 */
function removesMore<Item>(
  codec: EntryCodec<Item>,
  written: readonly Item[],
  found: readonly Item[],
  items: readonly Item[],
): boolean {
  const wanted = countsByKey(codec, items);
  const before = countsByKey(codec, written);
  return [...countsByKey(codec, found)].some(
    ([key, count]) => (wanted.get(key) ?? 0) < count && count <= (before.get(key) ?? 0),
  );
}

function countsByKey<Item>(codec: EntryCodec<Item>, items: readonly Item[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) {
    const key = codec.keyOfItem(item);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

async function attempt(write: () => Promise<unknown>): Promise<unknown> {
  try {
    await write();
    return undefined;
  } catch (failure) {
    return failure;
  }
}

/** Reports a stale plan with the members that differ between two reads without a write. */
function staleRefusal<Item extends object>(
  collection: ManagedCollection<Item>,
  codec: EntryCodec<Item>,
  { items: found }: Collection<Item>,
  { items: again }: Collection<Item>,
): Diagnostic {
  if (isReordered(codec, found, again)) return changedSincePlan(collection);
  const names = found.flatMap((item, index) => membersThatDiffer(item, again[index] ?? {}));
  const restless = new Set(names.filter((name) => !collection.ignored?.includes(name)));
  return changedSincePlan(collection, [...restless].sort());
}

/**
 * Reports a plan that was made from other content.
 *
 * @param restless Members that differ in each read: no plan has what an apply finds.
 */
export function changedSincePlan(
  { what, attributes }: Pick<ManagedCollection<object>, "what" | "attributes">,
  restless: readonly string[] = [],
): Diagnostic {
  const wayOut = attributes.ignore
    ? 'Add them to "ignore", unless the configuration has them.'
    : "Until it stops that, they cannot be managed.";
  const advice =
    restless.length === 0
      ? "Create a new plan, review the difference, and apply it."
      : `The console changes these members by itself, each time it is read: ${restless.join(", ")}. ${wayOut}`;
  return error(
    `The console's ${what} changed since the plan was made`,
    printed`Nothing was written, because the plan is stale. ${advice}`,
  );
}

export function conflictRefusal(
  collection: Pick<ManagedCollection<object>, "what" | "id" | "attributes" | "type" | "created">,
  conflicts: readonly Conflict[],
): Diagnostic {
  if (collection.created) {
    return error(
      "Object already exists",
      printed`Nothing was written, because the console has another object with the key of the body, and it would be overwritten. Import it, and a plan shows the changes: import ID ${collection.id}`,
      ["body"],
    );
  }
  const named = conflicts.map(({ key, effect }) => `  - ${JSON.stringify(key)} would be ${effect}`);
  const shared = collection.attributes.ownership
    ? ` Or choose another "ownership" to keep unmanaged entries.`
    : "";
  return error(
    `Console has unmanaged ${collection.what}`,
    printed`Nothing was written, because unmanaged entries would be lost:\n${joined(named, "\n")}\nImport the collection into ${collection.type} first (import ID "${collection.id}"), and a plan shows the changes. Or add the entries to the configuration, which "cdktf-console adopt" writes.${shared}`,
  );
}
