import type { ConsoleClient } from "../../api/client";
import { type Collection, readCollection } from "../../api/collection-body";
import {
  type CollectionEndpointName,
  type CollectionKind,
  type CollectionRow,
  COLLECTIONS,
  type ItemOf,
} from "../../api/collections";
import type { EndpointName } from "../../api/endpoints";
import { compareReleases, DEFAULT_RELEASE, type Release } from "../../api/release";
import type { Console } from "../console/connection";
import type {
  ModifyPlanRequest,
  OperationContext,
} from "../../core/definitions/resource-definition";
import { isRecord } from "../../core/member-of";
import { ResultsByText } from "../../core/alike";
import type { Diagnostic } from "../../core/diagnostics";
import type { CollectionListing, ResourceListing } from "../listing";
import type { Attributes } from "../../core/schema/attribute";
import type { PrivateState } from "../../core/private-state";
import { isListValue, type ObjectValue } from "../../core/values";
import { byCollectionName } from "./named-collections";
import type { EntryCodec } from "./ownership";
import { timeExchange } from "./slowest-exchange";

/**
 * A collection that the API reads and replaces as a whole, and its representation in a stack.
 *
 * The schema has `id`, `on_destroy` (`restore`, `clear`, `keep`), the list named `list` and, where
 * the collection can be shared with others, `ownership`.
 */
export interface ManagedCollection<Item extends object> {
  readonly type: string;
  readonly attributes: Attributes;
  /** The import ID, and the constant `id`. */
  readonly id: string;
  /** The `id`, where it is not constant. */
  idOf?(found: Collection<Item>): string;
  /** Distinguishes the collection from all others of a console. */
  readonly place: string;
  /** The document that one request writes, if several collections share it. Default: the place. */
  readonly document?: string;
  /** For messages: "compliance policies". */
  readonly what: string;
  /** The attribute that holds the entries. */
  readonly list: string;
  /** The order of the entries has a meaning, so the state keeps the order of the console. */
  readonly ordered: boolean;
  /** A document, not a list: a console always has it, and `list` holds it itself. */
  readonly single?: true;
  /** An object, which a console has from its creation to its deletion only: none is restored. */
  readonly created?: true;
  /** The object that the `id` of a state identifies, where the console refuses to list its objects. */
  identified?(id: string): Collection<Item>;
  /**
   * Returns the object that a create has made, where the console gave it another name than the planned
   * one. `before` is the list before the create.
   */
  storedAs?(before: readonly Item[], after: readonly Item[]): Item | undefined;
  /** Returns why an object cannot be created: it would not be found again to be changed or deleted. */
  createProblem?(planned: ObjectValue): Diagnostic | undefined;
  /** Returns why found items cannot be managed: the console itself owns them. */
  ownedProblem?(found: readonly Item[]): Diagnostic | undefined;
  /** Members of items that the console changes by itself; also `modified` and `owner`. */
  readonly ignored?: readonly string[];

  /** A function if it differs between releases. */
  readonly codec: EntryCodec<Item> | ((release: Release) => EntryCodec<Item>);
  /** Reads it. A plan joins a read that is under way; a write needs its own reads. */
  get(client: ConsoleClient, signal: AbortSignal, joins?: "joins"): Promise<Collection<Item>>;
  /** Writes it in place of the found one. */
  put(
    client: ConsoleClient,
    collection: Collection<Item>,
    signal: AbortSignal,
    found: Collection<Item>,
  ): Promise<unknown>;

  /** The items of a snapshot, which were validated when they were read. */
  itemsOf(kept: readonly object[]): readonly Item[];

  /**
   * Computes further attributes from the entries, which may be unknown. For `inPosition` see
   * `isInPosition`.
   */
  derive?(state: ObjectValue, inPosition: boolean): ObjectValue;
  /** Returns the items that a destroy leaves of a snapshot. Default: the snapshot. */
  restored?(snapshot: readonly Item[], found: readonly Item[], state: ObjectValue): readonly Item[];
  /** Plans what an update leaves as it is in the prior state. */
  keepPrior?(planned: ObjectValue, prior: ObjectValue, config: ObjectValue): ObjectValue;
  /** The paths that `write_only` has in configurations which were validated. An import has none. */
  secretNames?(): readonly string[];
  /**
   * Returns the entries of the configuration with the write-only values to write. Default: those of
   * the list.
   */
  configured?(
    planned: ObjectValue,
    config: ObjectValue,
    prior: ObjectValue | null,
  ): readonly ObjectValue[];
}

/** The collections that a resource manages: one of the table, or those that users describe. */
export interface ServedCollections<Item extends object>
  extends
    Omit<ResourceListing, "collection">,
    Pick<CollectionListing, "kind" | "list" | "what" | "constructId"> {
  readonly type: string;
  readonly description: string;
  readonly attributes: Attributes;
  /** The default import ID, if there is one collection. */
  readonly importId?: string;
  /** Reviewers compare what the order of the entries decides. */
  readonly ordered: boolean;
  /** The endpoints that reading and replacing call. */
  readonly endpoints: readonly EndpointName[];
  /** Its requests and answers differ between releases. */
  readonly variesByRelease: boolean;
  /** See `ResourceDefinition.placeOf`. */
  placeOf?(config: ObjectValue): string | undefined;
  /** The collection of a planned object or a state; undefined while the plan does not know it. */
  collectionOf(object: ObjectValue): ManagedCollection<Item> | undefined;
  /** The object that an import ID is for, and the import ID within its collection. */
  importTarget(id: string): ParsedImportId;
  /** `release` is undefined while it is unknown. */
  validate?(config: ObjectValue, release: Release | undefined): readonly Diagnostic[];
  /** Warnings of what only the console knows, and the endpoints that they call. */
  readonly notes?: {
    readonly endpoints: readonly EndpointName[];
    of(request: ModifyPlanRequest<Console>): Promise<readonly Diagnostic[]>;
  };
}

/** The attributes that an import ID names, and the rest of it; or why it is not an import ID. */
export type ParsedImportId =
  { readonly attributes: ObjectValue; readonly id: string } | { readonly problem: Diagnostic };

/** A resource's definition: the API's table says how the collection is read and replaced. */
export interface CollectionDefinition<Kind extends CollectionKind>
  extends
    Omit<
      ServedCollections<ItemOf<Kind>>,
      | "kind"
      | "importId"
      | "endpoints"
      | "variesByRelease"
      | "collectionOf"
      | "importTarget"
      | "constructId"
    >,
    Pick<ManagedCollection<ItemOf<Kind>>, "id" | "codec" | "derive" | "keepPrior"> {
  readonly collection: Kind;
  /** The construct ID in stacks that `adopt` writes. Default: `id`. */
  readonly constructId?: string;
}

/** How a collection is read and written, see `ManagedCollection`. */
export interface Access<Item> {
  get(client: ConsoleClient, signal: AbortSignal, joins?: "joins"): Promise<Collection<Item>>;
  put(client: ConsoleClient, collection: Collection<Item>, signal: AbortSignal): Promise<unknown>;
  itemsOf(kept: readonly object[]): readonly Item[];
}

/** Longer answers contain times of changes, which are others on each console. */
const MOST_SHARED_CHARACTERS = 2_000;

/**
 * Returns how a row is read and replaced. Consoles that answer the same share what was read.
 *
 * @param shape - converts what was read
 */
export function accessTo<Item>(
  row: CollectionRow<Item>,
  shape: (item: Item) => Item = (item) => item,
): Access<Item> {
  const answers = new ResultsByText<Collection<Item>>();
  const shaped = (found: Collection<Item>) => ({ ...found, items: found.items.map(shape) });
  const read = (client: ConsoleClient, signal: AbortSignal) =>
    timeExchange(client, () =>
      client.readRow(row, signal, (answer) => {
        const text = answer.validText();
        const known = answers.get(text);
        const found = known ?? shaped(readCollection(row, answer.json()));
        noticeRelease(client, row, found);
        if (!known && text.length <= MOST_SHARED_CHARACTERS) answers.set(text, found);
        return found;
      }),
    );
  const underWay = new WeakMap<ConsoleClient, Promise<Collection<Item>>>();
  return {
    get: (client, signal, joins) => {
      if (!joins) return read(client, signal);
      const reading =
        underWay.get(client) ?? read(client, signal).finally(() => underWay.delete(client));
      underWay.set(client, reading);
      return reading;
    },
    put: (client, items, signal) =>
      timeExchange(client, () => client.replaceRow(row, items, signal)),
    itemsOf: (kept) => shaped(readCollection(row, kept)).items,
  };
}

/** Members that only later releases have show that the configured one is wrong. */
function noticeRelease<Item>(
  client: ConsoleClient,
  { showsRelease = {} }: CollectionRow<Item>,
  { items }: Collection<Item>,
): void {
  for (const [member, release] of Object.entries(showsRelease)) {
    const isEarlier = compareReleases(client.release ?? DEFAULT_RELEASE, release) < 0;
    if (!isEarlier || !items.some((item) => isRecord(item) && Object.hasOwn(item, member)))
      continue;
    client.notice({ release, because: `its entries have "${member}"` });
  }
}

/** The collection that a definition names. */
export function servedCollection<Kind extends CollectionKind>(
  definition: CollectionDefinition<Kind>,
): ServedCollections<ItemOf<Kind>> {
  const { collection: kind, type, id, codec } = definition;
  if (!Object.hasOwn(COLLECTIONS, kind)) {
    throw new Error(
      `${type} manages the unknown collection "${kind}": add it to src/api/collections.ts`,
    );
  }
  const row: CollectionRow<ItemOf<Kind>, CollectionEndpointName> = COLLECTIONS[kind];
  const { read, replace } = row.endpoints;
  const collection = { ...definition, ...accessTo(row, byCollectionName), place: type };
  return {
    constructId: id,
    ...definition,
    kind,
    importId: id,
    endpoints: [read.name, replace.name],
    variesByRelease: typeof codec === "function",
    collectionOf: () => collection,
    importTarget: (importId) => ({ attributes: {}, id: importId }),
  };
}

/**
 * The codec for the release of the console; rejects if the release cannot be detected.
 *
 * @param object - the configuration or the state whose secrets it knows
 */
export async function codecOf<Item extends object>(
  { codec }: Pick<ManagedCollection<Item>, "codec">,
  { connection, signal }: Pick<OperationContext<Console>, "connection" | "signal">,
  object?: ObjectValue,
  privateState: PrivateState = {},
): Promise<EntryCodec<Item>> {
  const found =
    typeof codec === "function" ? codec(await connection.client.resolveRelease(signal)) : codec;
  return object ? withSecrets(found, object, privateState) : found;
}

/** The codec that knows the secrets of a configuration or a state. */
export function withSecrets<Item>(
  codec: EntryCodec<Item>,
  object: ObjectValue,
  privateState: PrivateState = {},
): EntryCodec<Item> {
  const secretsIn = codec.secretsOf?.(object, writtenBefore(privateState));
  return secretsIn ? { ...codec, secretsIn } : codec;
}

/** The names of the members that `write_only` has had, which no state holds. */
export function writtenBefore({ secrets = null }: PrivateState): readonly string[] {
  return isListValue(secrets) ? secrets.filter((name) => typeof name === "string") : [];
}
