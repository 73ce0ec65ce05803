import { printed } from "../../core/printed";
import type { Collection } from "../../api/collection-body";
import type { Console } from "../console/connection";
import { hasErrors, warning, type Diagnostic } from "../../core/diagnostics";
import type { PrivateState } from "../../core/private-state";
import { decodeObject } from "../../core/schema/decode";
import { compareStrings, isPlain, valuesEqual, type ObjectValue } from "../../core/values";
import type { Checkpoint, CheckpointKey, UnusableCheckpoint } from "../console/checkpoint-folder";
import { entriesOf, onDestroyOf, ownershipOf } from "./contents";
import { itemKeys } from "./item-keys";
import { linesOfKeys } from "./lines-of-keys";
import type { ManagedCollection } from "./managed-collection";
import { collectionDigest } from "./members";
import type { EntryCodec } from "./ownership";
import { readSnapshot, takeSnapshot, withoutSecrets } from "./snapshot";

/*
 * The content that the first write to an exclusive collection found is durable before that write. The
 * executor has it in its journal or in the remote state; Terraform cannot store it, so the provider
 * has it in a file. A create that finds the result of a killed run takes it from there: that result is
 * not the original content.
 */

/** The past of a collection that is about to be managed. */
export interface Origin {
  /** The content before the first write; undefined if it is unknown. See `takeSnapshot`. */
  readonly snapshot: string | undefined;
  /** The entries on the console, if a killed run has written them. */
  readonly written?: readonly ObjectValue[];
  readonly checkpoint?: Checkpoint;
}

/** The checkpoints that killed runs left of one collection of one console. */
export class LeftCheckpoints<Item extends object> {
  /** The snapshot that `keep` has stored. */
  private kept: string | undefined;

  private constructor(
    private readonly collection: ManagedCollection<Item>,
    private readonly codec: EntryCodec<Item>,
    private readonly console: Console,
    private readonly left: readonly (Checkpoint | UnusableCheckpoint)[],
  ) {}

  static async of<Item extends object>(
    collection: ManagedCollection<Item>,
    codec: EntryCodec<Item>,
    console: Console,
  ): Promise<LeftCheckpoints<Item>> {
    const left = await console.checkpoints.left(checkpointKey(collection, console));
    return new LeftCheckpoints(collection, codec, console, left);
  }

  /**
   * Relates what is on the console to the past. A checkpoint counts if the console has what the
   * killed run found, or what it wrote.
   *
   * @param planned - the object to create; undefined for an import
   */
  originOf(planned: ObjectValue | undefined, { items }: Collection<Item>): Origin {
    if (this.collection.created) return { snapshot: undefined };
    const snapshot = takeSnapshot(this.codec, items);
    if (planned && ownershipOf(planned) !== "exclusive") return { snapshot };
    for (const checkpoint of this.left) {
      if (!("snapshot" in checkpoint)) continue;
      if (this.isContent(checkpoint, items)) return { snapshot: checkpoint.snapshot, checkpoint };
      const written = this.writesOf(checkpoint).find((entries) => this.holds(entries, items));
      if (written) return { snapshot: checkpoint.snapshot, written, checkpoint };
    }
    return { snapshot: planned && this.mayBeResult(planned, items) ? undefined : snapshot };
  }

  /** Makes the origin durable before the first write of `planned`. */
  async keep({ snapshot, checkpoint }: Origin, planned: ObjectValue): Promise<void> {
    if (snapshot === undefined || ownershipOf(planned) !== "exclusive") return;
    const { collection, console } = this;
    const earlier = checkpoint?.writes ?? [];
    const entries = entriesOf(planned, collection.list).filter((entry) => isPlain(entry));
    if (checkpoint && earlier.some((write) => valuesEqual(write, entries))) {
      console.checkpoints.use(checkpoint);
      return;
    }
    const writes = [...earlier, entries];
    await console.checkpoints.keep(checkpointKey(collection, console), { snapshot, writes });
    if (!checkpoint) this.kept = snapshot;
  }

  /** Removes what `keep` has stored, because nothing was written after all. */
  async withdraw(): Promise<void> {
    const { collection, console, kept } = this;
    if (kept !== undefined)
      await console.checkpoints.withdraw(checkpointKey(collection, console), kept);
  }

  /** Names the checkpoints that are not used, and warns if the past is unknown. */
  warningsOf({ snapshot, checkpoint }: Origin, planned?: ObjectValue): readonly Diagnostic[] {
    const { what } = this.collection;
    const unused = this.left.filter((one) => one !== checkpoint).map((one) => this.unused(one));
    const isLost = snapshot === undefined && planned && onDestroyOf(planned) === "restore";
    return isLost ? [...unused, unknownPast(what, this.console.checkpoints.path)] : unused;
  }

  private isContent({ snapshot }: Checkpoint, items: readonly Item[]): boolean {
    const { collection, codec } = this;
    const found = readSnapshot({ snapshot });
    const present = items.map((item) => withoutSecrets(codec, item));
    return !!found && collectionDigest(found, collection) === collectionDigest(present, collection);
  }

  /** The entries of each write; of another version of the schema none. */
  private writesOf({ writes }: Checkpoint): readonly (readonly ObjectValue[])[] {
    const { attributes, list } = this.collection;
    const entries = Object.entries(attributes).filter(([name]) => name === list);
    return writes.flatMap((write) => {
      const { value, diagnostics } = decodeObject(Object.fromEntries(entries), { [list]: write });
      return hasErrors(diagnostics) ? [] : [entriesOf(value, list)];
    });
  }

  /** The collection has these entries and nothing else. The console fills in other members. */
  private holds(entries: readonly ObjectValue[], items: readonly Item[]): boolean {
    const { codec, collection } = this;
    const keys = itemKeys(codec, items, entries);
    const wanted = entries.map((entry, index) => ({ entry, key: keys[index] ?? "" }));
    const found = items.map((item) => ({ item, key: codec.keyOfItem(item) }));
    if (!collection.ordered) for (const list of [wanted, found]) list.sort(byKey);
    return (
      wanted.length === found.length &&
      wanted.every(({ entry, key }, index) => {
        const other = found[index];
        return other?.key === key && codec.matches(other.item, entry);
      })
    );
  }

  /** A killed create of `planned` may have made this. It removes nothing but default items. */
  private mayBeResult(planned: ObjectValue, items: readonly Item[]): boolean {
    const removesNothing = this.collection.single ?? (items.length === 0 && !this.codec.isBuiltIn);
    return !removesNothing && this.holds(entriesOf(planned, this.collection.list), items);
  }

  private unused(left: Checkpoint | UnusableCheckpoint): Diagnostic {
    const { collection, codec } = this;
    if (!("snapshot" in left)) return warning(UNUSED, `${left.file}: ${left.problem}.`);
    const { file, time, snapshot } = left;
    const found = collection.itemsOf(readSnapshot({ snapshot }) ?? []);
    const keys = found.map((item) => codec.keyOfItem(item));
    return warning(
      UNUSED,
      printed`${file} has the ${collection.what} that a run found at ${time}, before its first write:\n\n${linesOfKeys(keys)}\n\nThat run did not end, and this one does not continue it: the console has something else now, or the ownership is not exclusive. A destroy does not restore them. Compare them with the console, and remove the file if nothing of it is needed.`,
    );
  }
}

/**
 * The state until a write is known to be done or not: it has the entries of both, and a read keeps
 * those that the console has. Undefined if the prior state knows all of them.
 */
export function eitherOf<Item extends object>(
  { list, single }: ManagedCollection<Item>,
  codec: EntryCodec<Item>,
  prior: ObjectValue,
  planned: ObjectValue,
): ObjectValue | undefined {
  if (single || ownershipOf(planned) === "exclusive") return undefined;
  const known = new Set(entriesOf(prior, list).map((entry) => codec.keyOfEntry(entry)));
  const added = entriesOf(planned, list).filter((entry) => !known.has(codec.keyOfEntry(entry)));
  return added.length > 0 ? { ...prior, [list]: [...entriesOf(prior, list), ...added] } : undefined;
}

/** The checkpoint of a state is not needed any more. */
export async function forgetCheckpoint(
  collection: { readonly place: string },
  console: Console,
  privateState: PrivateState,
): Promise<void> {
  const { snapshot } = privateState;
  if (typeof snapshot === "string")
    await console.checkpoints.forget(checkpointKey(collection, console), snapshot);
}

function checkpointKey({ place }: { readonly place: string }, { client }: Console): CheckpointKey {
  const { name, names } = client.identity;
  // Version 0.2 kept them under the address.
  return { type: place, console: name, earlier: [...names, client.baseUrl] };
}

function byKey(a: { readonly key: string }, b: { readonly key: string }): number {
  return compareStrings(a.key, b.key);
}

const UNUSED = "Checkpoint is not used";

function unknownPast(what: string, folder: string): Diagnostic {
  return warning(
    `The ${what} before the first apply are unknown`,
    `The console has exactly the configured ${what} already: they were there before, or a run that was killed has written them, and its checkpoint is not in ${folder}. A destroy with on_destroy = "restore" is refused. If there is a checkpoint, run this in the working directory of the killed run, or set CWP_CHECKPOINT_DIR to its folder. If the ${what} were there before, import them. Otherwise set on_destroy to "keep" or "clear".`,
  );
}
