import type { Collection } from "../../api/collection-body";
import type { RecordedReplacement } from "../../core/definitions/content-record";
import type {
  OperationContext,
  PlannedRollback,
  RecordedWrite,
  Rollback,
} from "../../core/definitions/resource-definition";
import { RefusedError } from "../../core/definitions/failure";
import { error, type Diagnostic } from "../../core/diagnostics";
import { groupBy } from "../../core/group-by";
import { printed } from "../../core/printed";
import type { ObjectValue } from "../../core/values";
import type { Console } from "../console/connection";
import { foundEntry } from "./found";
import { linesOfKeys } from "./lines-of-keys";
import { codecOf, type ManagedCollection } from "./managed-collection";
import type { EntryCodec } from "./ownership";
import { changedEntries, contentDigest, isReordered, withoutWrite } from "./recorded-content";
import { replaceCollection } from "./replace-collection";
import { readSnapshot } from "./snapshot";

/** Returns how collections that a run has replaced are put back. */
export function collectionRollback<Item extends object>(
  collectionOf: (object: ObjectValue) => ManagedCollection<Item>,
): Rollback<Console> {
  return {
    async plan(writes, context) {
      const planned = new Map<RecordedWrite, PlannedRollback>();
      for (const group of groupBy(writes, ({ object }) => collectionOf(object).place)) {
        const collection = collectionOf(group[0].object);
        const results = await planWrites(collection, group, context);
        for (const [at, write] of group.entries()) planned.set(write, results[at] ?? {});
      }
      return writes.map((write) => planned.get(write) ?? {});
    },

    async apply(write, context) {
      const collection = collectionOf(write.object);
      const codec = await codecOf(collection, context);
      const items = foundBefore(collection, codec, write);
      const wanted = contentDigest(items, collection);
      const isRestored = (found: Collection<Item>) =>
        contentDigest(found.items, collection) === wanted;
      const { after, diagnostics } = await replaceCollection(collection, codec, context, {
        plannedFrom: undefined,
        ownership: "exclusive",
        decide: (found) => {
          const isDone = isRestored(found);
          const problem = isDone ? undefined : changesSince(collection, codec, write, found.items);
          if (problem) throw new RefusedError(problem);
          const kept = found.items.map((item) => codec.outgoing(item));
          return { items: isDone ? kept : items, conflicts: [] };
        },
      });
      if (!after || diagnostics.length > 0) return diagnostics;
      return isRestored(after) ? [] : [notRestored(collection.what)];
    },
  };
}

/** Plans the rollback of all writes to one collection, the last one first. */
async function planWrites<Item extends object>(
  collection: ManagedCollection<Item>,
  writes: readonly RecordedWrite[],
  context: OperationContext<Console>,
): Promise<readonly PlannedRollback[]> {
  const codec = await codecOf(collection, context);
  const { items: now } = await collection.get(context.connection.client, context.signal);
  const digestOf = (items: readonly Item[]) => contentDigest(items, collection);
  const before = writes.map((write) => foundBefore(collection, codec, write));
  // A rollback that has ended early has put back the first ones.
  const done = before.map(digestOf).lastIndexOf(digestOf(now));
  let items = now;
  const planned = writes.map((write, at): PlannedRollback => {
    // The console refused a write that has left what it found.
    const isWithoutEffect = digestOf(before[at] ?? []) === digestOf(items);
    if (at <= done || isWithoutEffect) return { isDone: true };
    const problem = changesSince(collection, codec, write, items);
    if (problem) return { problem };
    items = before[at] ?? items;
    return { isDone: false };
  });
  const entry = (item: Item) => foundEntry(codec, item);
  const found = { entries: now.map(entry), restored: items.map(entry) };
  return planned.map((one) => (one.problem ? one : { ...one, found }));
}

/** Returns what the last write found, without the earlier writes of the run. */
function foundBefore<Item extends object>(
  collection: ManagedCollection<Item>,
  codec: EntryCodec<Item>,
  { found, earlier }: RecordedWrite,
): readonly Item[] {
  const before = earlier.reduceRight<readonly Item[]>(
    (now, write) => {
      const replaced = itemsOf(collection, write.found);
      if (changesOf(collection, codec, write, now) === undefined) return replaced;
      const written = itemsOf(collection, write.written);
      // Somebody has changed it since: only what the run made of it goes back.
      return withoutWrite(collection, codec, { found: replaced, written }, now);
    },
    itemsOf(collection, found),
  );
  return before.map((item) => codec.outgoing(item));
}

function itemsOf<Item extends object>(
  collection: ManagedCollection<Item>,
  text: string,
): readonly Item[] {
  const items = readSnapshot({ snapshot: text });
  if (!items) throw new RefusedError(damaged(collection.what));
  return collection.itemsOf(items);
}

/** Returns an error if the collection is neither what the write has left nor what it has found. */
function changesSince<Item extends object>(
  collection: ManagedCollection<Item>,
  codec: EntryCodec<Item>,
  write: RecordedWrite,
  items: readonly Item[],
): Diagnostic | undefined {
  const digestOf = (content: readonly Item[]) => contentDigest(content, collection);
  const replaced = [foundBefore(collection, codec, write)];
  if (write.digest === undefined) replaced.push(itemsOf(collection, write.foundLast));
  if (replaced.map(digestOf).includes(digestOf(items))) return undefined;
  const changed = changesOf(collection, codec, write, items);
  return changed && changedSince(collection.what, changed);
}

/** Returns the keys of changed entries; undefined if a collection is as a write has left it. */
function changesOf<Item extends object>(
  collection: ManagedCollection<Item>,
  codec: EntryCodec<Item>,
  { written, digest }: RecordedReplacement,
  items: readonly Item[],
): readonly string[] | undefined {
  if (contentDigest(items, collection) === digest) return undefined;
  const expected = itemsOf(collection, written);
  const changed = changedEntries(codec, expected, items);
  const isMoved = collection.ordered && isReordered(codec, expected, items);
  // A killed run has not read what the console made of its entries.
  return digest === undefined && changed.length === 0 && !isMoved ? undefined : changed;
}

function changedSince(what: string, keys: readonly string[]): Diagnostic {
  const which =
    keys.length === 0
      ? printed` their order, or members that the stack does not manage`
      : printed`\n${linesOfKeys(keys)}`;
  return error(
    `The console's ${what} changed since the run`,
    printed`They are not rolled back, because they are no longer what the run wrote. Changed since:${which}\n\nChange the configuration back and apply it, or adapt the console by hand.`,
  );
}

function notRestored(what: string): Diagnostic {
  return error(
    `Console did not keep the ${what} that were put back`,
    "The console accepted the request, but the entries read afterwards differ: it changed or dropped a value, or another run wrote them at the same time. The state keeps the object.",
  );
}

function damaged(what: string): Diagnostic {
  return error(
    "Record is damaged",
    `The record of the run has ${what} that cannot be read. Nothing is rolled back.`,
  );
}
