import type { ConsoleClient } from "../../api/client";
import { type Collection, readCollection } from "../../api/collection-body";
import { type CollectionKind, COLLECTIONS, type ItemOf } from "../../api/collections";
import type { EndpointName } from "../../api/endpoints";
import type { Release } from "../../api/release";
import type { Console } from "../console/connection";
import type {
  ModifyPlanRequest,
  OperationContext,
} from "../../core/definitions/resource-definition";
import { ResultsByText } from "../../core/alike";
import type { Diagnostic } from "../../core/diagnostics";
import type { CollectionListing, ResourceListing, ReleaseChange } from "../listing";
import type { Attributes } from "../../core/schema/attribute";
import type { ObjectValue } from "../../core/values";
import type { EntryCodec } from "./ownership";
import { timeExchange } from "./slowest-exchange";

/**
 * A collection that the API reads and replaces as a whole, and its representation in a stack.
 * `collectionResource` turns it into a resource.
 *
 * The schema has `id`, `on_destroy` (`restore`, `clear`, `keep`), the list named `list` and, where
 * the collection can be shared with others, `ownership`.
 */
export interface ManagedCollection<Item extends object> {
  readonly type: string;
  readonly description: string;
  readonly attributes: Attributes;
  /** The constant `id`, and the import ID. */
  readonly id: string;
  /** For messages: "compliance policies". */
  readonly what: string;
  /** The attribute that holds the entries. */
  readonly list: string;
  /** The order of the entries has a meaning, so the state keeps the order of the console. */
  readonly ordered: boolean;
  /** The endpoints that `get` and `put` call. */
  readonly endpoints: readonly EndpointName[];
  readonly releaseChanges?: readonly ReleaseChange[];

  /** A function if it differs between releases. */
  readonly codec: EntryCodec<Item> | ((release: Release) => EntryCodec<Item>);
  get(client: ConsoleClient, signal: AbortSignal): Promise<Collection<Item>>;
  put(client: ConsoleClient, collection: Collection<Item>, signal: AbortSignal): Promise<unknown>;

  /** The items of a snapshot, which were validated when they were read. */
  itemsOf(kept: readonly object[]): readonly Item[];

  /**
   * Computes further attributes from the entries, which may be unknown. For `inPosition` see
   * `isInPosition`.
   */
  derive?(state: ObjectValue, inPosition: boolean): ObjectValue;
  /** Plans the computed attributes of entries that an update leaves as they are. */
  keepComputed?(planned: ObjectValue, prior: ObjectValue): ObjectValue;
  /** `release` is undefined while it is unknown. */
  validate?(config: ObjectValue, release: Release | undefined): readonly Diagnostic[];
  /** Warnings of what only the console knows, and the endpoints that they call. */
  readonly notes?: {
    readonly endpoints: readonly EndpointName[];
    of(request: ModifyPlanRequest<Console>): Promise<readonly Diagnostic[]>;
  };
}

/** A resource's definition: the API's table says how the collection is read and replaced. */
export interface CollectionDefinition<Kind extends CollectionKind>
  extends
    Omit<ManagedCollection<ItemOf<Kind>>, "endpoints" | "get" | "put" | "itemsOf">,
    Omit<ResourceListing, "collection">,
    Pick<CollectionListing, "list" | "what"> {
  readonly collection: Kind;
  /** The construct ID in stacks that `adopt` writes. Default: `id`. */
  readonly constructId?: string;
}

/** Longer answers contain times of changes, which are others on each console. */
const MOST_SHARED_CHARACTERS = 2_000;

/** The collection that a definition names. Consoles that answer the same share what was read. */
export function managedCollection<Kind extends CollectionKind>(
  definition: CollectionDefinition<Kind>,
): ManagedCollection<ItemOf<Kind>> {
  const { collection: kind, type } = definition;
  if (!Object.hasOwn(COLLECTIONS, kind)) {
    throw new Error(
      `${type} manages the unknown collection "${kind}": add it to src/api/collections.ts`,
    );
  }
  const collection = COLLECTIONS[kind];
  const { read, replace } = collection.endpoints;
  const answers = new ResultsByText<Collection<ItemOf<Kind>>>();
  return {
    ...definition,
    endpoints: [read.name, replace.name],
    get: (client, signal) =>
      timeExchange(client, async () => {
        const answer = await client.request(read.name, { signal });
        const text = answer.text();
        const known = answers.get(text);
        if (known) return known;
        const found = readCollection(collection, answer.json());
        if (text.length <= MOST_SHARED_CHARACTERS) answers.set(text, found);
        return found;
      }),
    put: (client, items, signal) => timeExchange(client, () => client.replace(kind, items, signal)),
    itemsOf: (kept) => readCollection(collection, kept).items,
  };
}

/** The codec for the release of the console; rejects if the release cannot be detected. */
export async function codecOf<Item extends object>(
  { codec }: Pick<ManagedCollection<Item>, "codec">,
  { connection, signal }: Pick<OperationContext<Console>, "connection" | "signal">,
): Promise<EntryCodec<Item>> {
  if (typeof codec !== "function") return codec;
  return codec(await connection.client.resolveRelease(signal));
}
