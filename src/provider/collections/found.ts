import type { Collection } from "../../api/collection-body";
import type { Console } from "../console/connection";
import type { KeptObject } from "../../core/definitions/resource-definition";
import type { FoundCollection, FoundEntry } from "../review-hints";
import { leftByDestroy } from "./destroy-collection";
import type { ManagedCollection } from "./managed-collection";
import type { EntryCodec } from "./ownership";

interface Reading<Item> {
  readonly codec: EntryCodec<Item>;
  readonly found: Collection<Item>;
}

/** Keeps each console's collection as last read in a run, for reviewers of the plan. */
export class FoundCollections<Item extends object> {
  /** A connection lasts one run. */
  private readonly readings = new WeakMap<Console, Reading<Item>>();

  constructor(private readonly collection: ManagedCollection<Item>) {}

  note(console: Console, codec: EntryCodec<Item>, found: Collection<Item>): void {
    this.readings.set(console, { codec, found });
  }

  /** Undefined until the collection has been read. */
  describe(console: Console, destroyed: KeptObject | null): FoundCollection | undefined {
    const reading = this.readings.get(console);
    if (!reading) return undefined;
    const { codec, found } = reading;
    const entry = (item: Item) => foundEntry(codec, item);
    const left = destroyed && leftByDestroy(this.collection, codec, destroyed, found);
    return { entries: found.items.map(entry), ...(left && { left: left.map(entry) }) };
  }
}

export function foundEntry<Item>(codec: EntryCodec<Item>, item: Item): FoundEntry {
  return {
    value: codec.decode(item, undefined),
    isPartial: codec.isPartial?.(item) ?? false,
  };
}
