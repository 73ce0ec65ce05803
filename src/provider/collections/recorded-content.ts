import { isBlank } from "../../api/inline-credentials";
import type { ContentRecord } from "../../core/definitions/content-record";
import { isExactNumber } from "../../core/json/lossless-json";
import { itemKeys, keysOf } from "./item-keys";
import { collectionDigest, isFilledIn, without, type Digested } from "./members";
import type { EntryCodec } from "./ownership";
import { takeSnapshot } from "./snapshot";

/** Records the writes of one operation on a collection. */
export function recorderOf<Item extends object>(
  collection: Digested & { readonly ordered: boolean },
  codec: EntryCodec<Item>,
  record: ((entry: ContentRecord) => Promise<void>) | undefined,
) {
  const holdsSecrets = (item: Item) =>
    codec.secretsIn ? codec.secretsIn(item).length > 0 : hasCredential(item);
  let recorded: readonly Item[] | undefined;
  let last: Replaced<Item> | undefined;
  return {
    /** Called before a write. Content with secrets cannot be written back. */
    async replaced(found: readonly Item[], written: readonly Item[]): Promise<void> {
      recorded = [...found, ...written].some(holdsSecrets) ? undefined : written;
      if (!record) return;
      // Another writer has changed what this run has written: a repair.
      const before = last ? withoutWrite(collection, codec, last, found) : found;
      const contents = {
        found: takeSnapshot(codec, before),
        written: takeSnapshot(codec, written),
        ...(last && { foundLast: takeSnapshot(codec, found) }),
      };
      last = { found: before, written };
      await record(recorded ? contents : { hidden: true });
    },
    /**
     * Called with what was read after it. Content that somebody has changed by then is not what the
     * run has left: a rollback compares the console with what was written.
     */
    async reached(items: readonly Item[]): Promise<void> {
      if (!record || !recorded || changedEntries(codec, recorded, items).length > 0) return;
      if (collection.ordered && isReordered(codec, recorded, items)) return;
      await record({ digest: contentDigest(items, collection) });
    },
  };
}

interface Replaced<Item> {
  readonly found: readonly Item[];
  readonly written: readonly Item[];
}

/**
 * Returns what a collection would be without a write of this run that somebody has changed since: a
 * rollback goes back to that.
 */
export function withoutWrite<Item extends object>(
  collection: Digested,
  codec: Pick<EntryCodec<Item>, "keyOfItem">,
  { found, written }: Replaced<Item>,
  now: readonly Item[],
): readonly Item[] {
  const withKey = (items: readonly Item[], key: string) =>
    items.filter((item) => codec.keyOfItem(item) === key);
  const digestsOf = (items: readonly Item[]) =>
    items.map((one) => contentDigest([one], collection));
  const kept = now.flatMap((item) => {
    const key = codec.keyOfItem(item);
    const [before, after] = [withKey(found, key), withKey(written, key)];
    const digests = digestsOf(before);
    const isOfOthers = after.length === 0 || digestsOf(after).some((one) => digests.includes(one));
    return isOfOthers ? [item] : before.slice(0, 1);
  });
  const isRemoved = (key: string) =>
    withKey(written, key).length === 0 && withKey(now, key).length === 0;
  return found.reduce<readonly Item[]>((items, item, index) => {
    if (!isRemoved(codec.keyOfItem(item))) return items;
    // Behind the one that it was behind.
    const previous = found[index - 1];
    const isPrevious = (one: Item) =>
      previous && codec.keyOfItem(one) === codec.keyOfItem(previous);
    const at = items.findIndex(isPrevious) + 1;
    return [...items.slice(0, at), item, ...items.slice(at)];
  }, kept);
}

/** The keys of entries that were added, changed or removed after a write. */
export function changedEntries<Item>(
  codec: EntryCodec<Item>,
  expected: readonly Item[],
  items: readonly Item[],
): readonly string[] {
  const left = [...items];
  // The console may fill in a part of a key.
  const keys = itemKeys(
    keysOf((item: Item) => codec.keyOfItem(item), codec.partOfItem),
    items,
    expected,
  );
  const lost = expected.flatMap((one, index) => {
    const entry = codec.decode(one, undefined);
    const key = keys[index];
    const at = left.findIndex(
      (item) => codec.keyOfItem(item) === key && codec.matches(item, entry),
    );
    if (at >= 0) left.splice(at, 1);
    return at < 0 ? [codec.keyOfItem(one)] : [];
  });
  return [...new Set([...lost, ...left.map((item) => codec.keyOfItem(item))])];
}

/** Reports whether entries have another order, or other keys. */
export function isReordered<Item>(
  codec: EntryCodec<Item>,
  expected: readonly Item[],
  items: readonly Item[],
): boolean {
  const keys = (list: readonly Item[]) => JSON.stringify(list.map((item) => codec.keyOfItem(item)));
  return keys(expected) !== keys(items);
}

/** The digest of recorded content: see `takeSnapshot`. Members that were never set do not count. */
export function contentDigest(items: readonly object[], collection: Digested): string {
  return collectionDigest(
    items.map((item) => withoutUnset(without(item, "credential"))),
    collection,
  );
}

function withoutUnset(value: object): object {
  if (isExactNumber(value)) return value;
  const inner = (one: unknown) =>
    typeof one === "object" && one !== null ? withoutUnset(one) : one;
  if (Array.isArray(value)) return value.map(inner);
  const set = Object.entries(value).filter(([, member]) => !isFilledIn(member));
  return Object.fromEntries(set.map(([name, member]) => [name, inner(member)]));
}

function hasCredential(item: object): boolean {
  return "credential" in item && !isBlank(item.credential);
}
