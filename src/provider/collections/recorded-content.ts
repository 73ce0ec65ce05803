import { isBlank } from "../../api/inline-credentials";
import type { ContentRecord } from "../../core/definitions/content-record";
import { isExactNumber } from "../../core/json/lossless-json";
import { collectionDigest, isFilledIn, without, type Digested } from "./members";
import type { EntryCodec } from "./ownership";
import { takeSnapshot } from "./snapshot";

/** Records the writes of one operation on a collection. */
export function recorderOf<Item extends object>(
  codec: Pick<EntryCodec<Item>, "holdsSecrets">,
  record: ((entry: ContentRecord) => void) | undefined,
) {
  const holdsSecrets = codec.holdsSecrets?.bind(codec) ?? hasCredential;
  let isRecorded = false;
  return {
    /** Called before a write. Content with secrets cannot be written back. */
    replaced(found: readonly Item[], written: readonly Item[]): void {
      isRecorded = ![...found, ...written].some(holdsSecrets);
      record?.(
        isRecorded
          ? { found: takeSnapshot(found), written: takeSnapshot(written) }
          : { hidden: true },
      );
    },
    reached(items: readonly object[], collection: Digested): void {
      if (isRecorded) record?.({ digest: contentDigest(items, collection) });
    },
  };
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
