import type { Collection } from "../../api/collection-body";
import { onceForEach, onceForPairs } from "../../core/alike";
import { RefusedError } from "../../core/definitions/failure";
import type { ObjectValue } from "../../core/values";
import type { Console } from "../console/connection";
import type { Origin } from "./checkpoint";
import {
  entriesOf,
  managedKeys,
  ownershipOf,
  stateOfCollection,
  wantedEntries,
  type Intent,
} from "./contents";
import { FoundCollections } from "./found";
import type { ManagedCollection, ServedCollections } from "./managed-collection";
import { rewrite, type EntryCodec, type Rewrite } from "./ownership";
import { readOthers } from "./snapshot";
import { secretsUnknown } from "./written-content";

/** The collections of a resource in one run: what was found and written, and what to write. */
export class CollectionRun<Item extends object> {
  readonly findings = onceForEach(
    (collection: ManagedCollection<Item>) => new FoundCollections(collection),
  );

  /** Consoles whose collection an object has in this run: Terraform plans a tainted one as a creation. */
  readonly managed = onceForEach<ManagedCollection<Item>, WeakSet<Console>>(() => new WeakSet());

  /** The places that this run has written: Terraform creates two documents of one place in one run. */
  readonly written = onceForEach<Console, Set<string>>(() => new Set());

  /** Consoles that are alike share what was found, and their stacks the state. */
  readonly stateOf = onceForEach((codec: EntryCodec<Item>) =>
    onceForPairs((state: ObjectValue, found: Collection<Item>) =>
      stateOfCollection(this.collectionOf(state), codec, { state }, found),
    ),
  );

  /** Returns a planned object with the members that follow from others. */
  readonly withDerived = onceForEach((planned: ObjectValue) => {
    const derived = this.served.collectionOf(planned)?.derive?.(planned, true);
    return derived ? { ...planned, ...derived } : planned;
  });

  constructor(readonly served: ServedCollections<Item>) {}

  /** Returns the collection of a state, or of a plan that is applied: both have one. */
  collectionOf(object: ObjectValue): ManagedCollection<Item> {
    const collection = this.served.collectionOf(object);
    if (!collection) throw new Error(`${this.served.type} does not know its collection`);
    return collection;
  }

  /** Computes the wanted collection from the found one. */
  decide(codec: EntryCodec<Item>, intent: Intent): (found: Collection<Item>) => Rewrite<Item> {
    const { planned, prior, private: privateState = {} } = intent;
    const ownership = ownershipOf(planned);
    const entries = entriesOf(prior, this.served.list);
    const held = { ownership, entries, others: readOthers(privateState) };
    const wanted = wantedEntries(this.collectionOf(planned), codec, intent);
    return ({ items: found }) =>
      rewrite(codec, ownership, { found, managedKeys: managedKeys(codec, held, found) }, wanted);
  }

  /** Like `decide`, to write the collection: all write-only values must be known. */
  decideWrite(codec: EntryCodec<Item>, intent: Intent): (found: Collection<Item>) => Rewrite<Item> {
    const { list } = this.served;
    const rewritten = this.decide(codec, intent);
    return (found) => {
      const decision = rewritten(found);
      const [index] = decision.withoutSecrets;
      if (index === undefined) return decision;
      const [entry = {}] = entriesOf(intent.planned, list).slice(index);
      throw new RefusedError(secretsUnknown(codec.keyOfEntry(entry), [list, index, "credential"]));
    };
  }

  /** The object that a create continues: a killed run has written its entries. */
  continued(planned: ObjectValue, { written }: Origin): ObjectValue | null {
    return written ? { ...planned, [this.served.list]: written } : null;
  }
}
