import type { Collection } from "../../api/collection-body";
import type {
  OperationContext,
  RecordedWrite,
  Rollback,
} from "../../core/definitions/resource-definition";
import { RefusedError } from "../../core/definitions/failure";
import { error, type Diagnostic } from "../../core/diagnostics";
import { joined, printed } from "../../core/printed";
import type { ObjectValue } from "../../core/values";
import type { Console } from "../console/connection";
import { foundEntry } from "./found";
import { codecOf, type ManagedCollection } from "./managed-collection";
import type { EntryCodec } from "./ownership";
import { contentDigest } from "./recorded-content";
import { replaceCollection } from "./replace-collection";
import { readSnapshot } from "./snapshot";

/** Returns how collections that a run has replaced are put back. */
export function collectionRollback<Item extends object>(
  collectionOf: (object: ObjectValue) => ManagedCollection<Item>,
): Rollback<Console> {
  return {
    async plan(writes, context) {
      const plans = new Map<ManagedCollection<Item>, CollectionPlan<Item>>();
      const compared = [];
      for (const write of writes) {
        const collection = collectionOf(write.object);
        const plan = plans.get(collection) ?? (await CollectionPlan.of(collection, context));
        plans.set(collection, plan);
        compared.push({ plan, problem: plan.rollBack(write) });
      }
      return compared.map(({ plan, problem }) => (problem ? { problem } : { found: plan.found }));
    },

    async apply(write, context) {
      const collection = collectionOf(write.object);
      const codec = await codecOf(collection, context);
      const items = foundBefore(collection, codec, write);
      const wanted = contentDigest(items, collection.ordered);
      const isRestored = (found: Collection<Item>) =>
        contentDigest(found.items, collection.ordered) === wanted;
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
      if (!after) return diagnostics;
      return isRestored(after) ? [] : [notRestored(collection.what)];
    },
  };
}

/** The content of a collection while the writes to it are rolled back, one after the other. */
class CollectionPlan<Item extends object> {
  private constructor(
    private readonly collection: ManagedCollection<Item>,
    private readonly codec: EntryCodec<Item>,
    private readonly now: readonly Item[],
    private items = now,
  ) {}

  static async of<Item extends object>(
    collection: ManagedCollection<Item>,
    context: OperationContext<Console>,
  ): Promise<CollectionPlan<Item>> {
    const codec = await codecOf(collection, context);
    const { items } = await collection.get(context.connection.client, context.signal);
    return new CollectionPlan(collection, codec, items);
  }

  /** Returns an error if the content is not what the write has left. */
  rollBack(write: RecordedWrite): Diagnostic | undefined {
    const { collection, codec } = this;
    const problem = changesSince(collection, codec, write, this.items);
    if (!problem) this.items = foundBefore(collection, codec, write);
    return problem;
  }

  /** The content now and after the rollbacks, for reviewers. */
  get found() {
    const entry = (item: Item) => foundEntry(this.codec, item);
    return { entries: this.now.map(entry), restored: this.items.map(entry) };
  }
}

function foundBefore<Item extends object>(
  collection: ManagedCollection<Item>,
  codec: EntryCodec<Item>,
  { found }: RecordedWrite,
): readonly Item[] {
  return itemsOf(collection, found).map((item) => codec.outgoing(item));
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
  { found, written, digest }: RecordedWrite,
  items: readonly Item[],
): Diagnostic | undefined {
  const { ordered, what } = collection;
  const present = contentDigest(items, ordered);
  if (present === digest || present === contentDigest(itemsOf(collection, found), ordered)) {
    return undefined;
  }
  const expected = itemsOf(collection, written);
  const changed = changedEntries(codec, expected, items);
  const keys = (list: readonly Item[]) => list.map((item) => codec.keyOfItem(item));
  const isMoved = ordered && keys(expected).join("\n") !== keys(items).join("\n");
  // A killed run has not read what the console made of its entries.
  const isWritten = digest === undefined && changed.length === 0 && !isMoved;
  return isWritten ? undefined : changedSince(what, changed);
}

/** The keys of entries that were added, changed or removed after a write. */
function changedEntries<Item>(
  codec: EntryCodec<Item>,
  expected: readonly Item[],
  items: readonly Item[],
): readonly string[] {
  const left = [...items];
  const lost = expected.flatMap((one) => {
    const entry = codec.decode(one, undefined);
    const key = codec.keyOfItem(one);
    const at = left.findIndex(
      (item) => codec.keyOfItem(item) === key && codec.matches(item, entry),
    );
    if (at >= 0) left.splice(at, 1);
    return at < 0 ? [key] : [];
  });
  return [...new Set([...lost, ...left.map((item) => codec.keyOfItem(item))])];
}

function changedSince(what: string, keys: readonly string[]): Diagnostic {
  const named = keys.slice(0, SHOWN).map((key) => printed`\n  - ${JSON.stringify(key)}`);
  const more = keys.length > SHOWN ? printed`\n  - and ${keys.length - SHOWN} more` : "";
  const which =
    keys.length === 0
      ? printed` their order, or members that the stack does not manage`
      : joined(named, "");
  return error(
    `The console's ${what} changed since the run`,
    printed`They are not rolled back, because they are no longer what the run wrote. Changed since:${which}${more}\n\nChange the configuration back and apply it, or adapt the console by hand.`,
  );
}

/** The number of entries that an error names. */
const SHOWN = 10;

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
