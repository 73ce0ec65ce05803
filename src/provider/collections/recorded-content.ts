import { isBlank } from "../../api/inline-credentials";
import type { ContentRecord } from "../../core/definitions/content-record";
import { collectionDigest, without } from "./members";
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
    /** Called before a write. Content with secrets, which cannot be written back, has no record. */
    replaced(found: readonly Item[], written: readonly Item[]): void {
      isRecorded = ![...found, ...written].some(holdsSecrets);
      if (isRecorded) record?.({ found: takeSnapshot(found), written: takeSnapshot(written) });
    },
    reached(items: readonly object[], ordered: boolean): void {
      if (isRecorded) record?.({ digest: contentDigest(items, ordered) });
    },
  };
}

/** The digest of recorded content: see `takeSnapshot`. */
export function contentDigest(items: readonly object[], ordered: boolean): string {
  return collectionDigest(
    items.map((item) => without(item, "credential")),
    ordered,
  );
}

function hasCredential(item: object): boolean {
  return "credential" in item && !isBlank(item.credential);
}
