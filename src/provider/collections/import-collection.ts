import { mapMembers, memberOf } from "../../core/member-of";
import type { Console } from "../console/connection";
import type { OperationContext, Outcome } from "../../core/definitions/resource-definition";
import { error } from "../../core/diagnostics";
import { LeftCheckpoints } from "./checkpoint";
import type { Attributes } from "../../core/schema/attribute";
import { nestedAttributes } from "../../core/schema/terraform";
import type { ObjectValue } from "../../core/values";
import { stateOfCollection } from "./contents";
import {
  codecOf,
  type ImportTarget,
  type ManagedCollection,
  withSecrets,
} from "./managed-collection";
import type { Ownership } from "./ownership";
import { withoutPaths } from "./secret-paths";
import { remember, takeSnapshot } from "./snapshot";

const EXTRA_JSON = "extra_json";
/** The end of import IDs that import the members without an attribute too. */
export const WHOLE = `:${EXTRA_JSON}`;

/**
 * Imports a collection. The import ID is that of the collection, or `ID:prefix:N` and `ID:suffix:N`
 * for its first or last N entries, if the resource supports that. With `:extra_json` at its end, the
 * members without an attribute are imported too; otherwise they stay unmanaged.
 */
export async function importCollection<Item extends object>(
  collection: ManagedCollection<Item>,
  { attributes, id }: Extract<ImportTarget, { readonly id: string }>,
  context: OperationContext<Console>,
): Promise<Outcome<ObjectValue>> {
  const part = readImportId(collection, id);
  if (!part) return { state: null, diagnostics: [unknownImportId(collection, id)] };
  const found = await collection.get(context.connection.client, context.signal, "joins");
  if (collection.single && found.items.length === 0) {
    const detail = `The console has no ${collection.id}.`;
    const absent = error("Cannot import a non-existent object", detail);
    return { state: null, diagnostics: [absent] };
  }
  if (part.count > found.items.length) {
    return { state: null, diagnostics: [tooFew(collection.what, part.count, found.items.length)] };
  }
  const codec = await codecOf(collection, context);
  const items = {
    exclusive: found.items,
    shared: found.items,
    prefix: found.items.slice(0, part.count),
    suffix: found.items.slice(Math.max(0, found.items.length - part.count)),
  }[part.ownership];
  const secrets = collection.secretNames?.() ?? [];
  const paths = secrets.map((name) => name.split("."));
  const entries = items.map(
    (item) =>
      (part.isWhole ? codec.decodeWhole?.(item) : undefined) ??
      codec.decode(collection.itemsOf([withoutPaths(item, paths)])[0] ?? item, undefined),
  );
  const start: ObjectValue = {
    ...unsetAttributes(collection.attributes),
    ...attributes,
    ...(collection.attributes.ownership && { ownership: part.ownership }),
    [collection.list]: collection.single ? (entries[0] ?? null) : entries,
  };
  const written = secrets.length > 0 ? { secrets } : {};
  const knowing = withSecrets(codec, start, written);
  const left = await LeftCheckpoints.of(collection, knowing, context.connection);
  const origin = left.originOf(part.ownership === "exclusive" ? undefined : start, found);
  const { snapshot = takeSnapshot(knowing, found.items), checkpoint } = origin;
  if (checkpoint) context.connection.checkpoints.use(checkpoint);
  return {
    state: stateOfCollection(collection, codec, start, found),
    private: remember(collection, codec, start, { ...written, snapshot }, found),
    diagnostics: left.warningsOf(origin),
  };
}

/** The object of a configuration that sets nothing. */
export function unsetAttributes(attributes: Attributes): ObjectValue {
  return mapMembers(attributes, ({ default: value }) => value ?? null);
}

interface Part {
  readonly ownership: Ownership;
  readonly count: number;
  /** Import the members without an attribute too. */
  readonly isWhole: boolean;
}

function readImportId(collection: Importable, importId: string): Part | undefined {
  const { id, ordered, attributes } = collection;
  const isWhole = hasExtraJson(collection) && importId.endsWith(WHOLE);
  const rest = isWhole ? importId.slice(0, -WHOLE.length) : importId;
  if (rest === id) return { ownership: "exclusive", count: 0, isWhole };
  const match = /^(.+):(prefix|suffix):([1-9]\d{0,5})$/.exec(rest);
  if (match?.[1] !== id || !ordered || !attributes.ownership) return undefined;
  const ownership = match[2] === "prefix" ? "prefix" : "suffix";
  return { ownership, count: Number(match[3]), isWhole };
}

/** Reports whether the entries can hold members without an attribute. */
export function hasExtraJson({
  attributes,
  list,
}: Pick<Importable, "attributes" | "list">): boolean {
  const { type } = memberOf(attributes, list) ?? {};
  return type !== undefined && EXTRA_JSON in (nestedAttributes(type) ?? {});
}

type Importable = Pick<
  ManagedCollection<object>,
  "id" | "ordered" | "attributes" | "what" | "list"
>;

function tooFew(what: string, wanted: number, there: number) {
  return error(
    "Cannot import more entries than exist",
    `The import ID names ${wanted} of the console's ${what}, but the console has ${there}.`,
  );
}

function unknownImportId(collection: Importable, importId: string) {
  const parts =
    collection.ordered && collection.attributes.ownership
      ? `, "${collection.id}:prefix:N" or "${collection.id}:suffix:N" for the first or last N of them`
      : "";
  const whole = hasExtraJson(collection)
    ? ` With "${WHOLE}" at its end, it imports members without an attribute too.`
    : "";
  return error(
    "Invalid import ID",
    `${JSON.stringify(importId)} is not an import ID of this resource. Use "${collection.id}" for all ${collection.what}${parts}.${whole}`,
  );
}
