import { z } from "zod";
import type { Release } from "../../api/release";
import { printed } from "../../core/printed";
import { mapMembers, memberOf } from "../../core/member-of";
import type { Console } from "../console/connection";
import type { OperationContext, Outcome } from "../../core/definitions/resource-definition";
import { error } from "../../core/diagnostics";
import { LeftCheckpoints } from "./checkpoint";
import type { Attributes } from "../../core/schema/attribute";
import { nestedAttributes } from "../../core/schema/terraform";
import type { ObjectValue } from "../../core/values";
import { entriesOf, stateOfCollection, storedEntry } from "./contents";
import {
  codecOf,
  type ParsedImportId,
  type ManagedCollection,
  withSecrets,
} from "./managed-collection";
import { split, type Ownership } from "./ownership";
import { withoutPaths } from "./secret-paths";
import { remember, takeSnapshot } from "./snapshot";

const EXTRA_JSON = "extra_json";
/** The end of import IDs that import the members without an attribute too. */
export const WHOLE = `:${EXTRA_JSON}`;

/**
 * Imports a collection. The import ID is that of the collection. `ID:prefix:N` and `ID:suffix:N` are
 * for its first or last N entries, `ID:shared:["KEY",…]` for entries of a list without order, if the
 * resource supports that. With `:extra_json` at its end, the
 * members without an attribute are imported too; otherwise they stay unmanaged.
 */
export async function importCollection<Item extends object>(
  collection: ManagedCollection<Item>,
  { attributes, id }: Extract<ParsedImportId, { readonly id: string }>,
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
  const owned = collection.ownedProblem?.(found.items);
  if (owned) return { state: null, diagnostics: [owned] };
  if (part.count > found.items.length) {
    return { state: null, diagnostics: [tooFew(collection.what, part.count, found.items.length)] };
  }
  const codec = await codecOf(collection, context);
  const absent = part.keys.filter(
    (key) => !found.items.some((item) => codec.keyOfItem(item) === key),
  );
  if (absent.length > 0) return { state: null, diagnostics: [noSuch(collection.what, absent)] };
  const items = {
    exclusive: found.items,
    shared: split(codec, "shared", found.items, part.keys).managed,
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
    [collection.list]: collection.single ? (entries[0] ?? null) : entries.map(storedEntry),
  };
  const written = secrets.length > 0 ? { secrets } : {};
  const knowing = withSecrets(codec, start, written);
  const left = await LeftCheckpoints.of(collection, knowing, context.connection);
  const origin = left.originOf(part.ownership === "exclusive" ? undefined : start, found);
  const { snapshot = takeSnapshot(knowing, found.items), checkpoint } = origin;
  if (checkpoint) context.connection.checkpoints.use(checkpoint);
  return {
    state: stateOfCollection(collection, codec, { state: start }, found),
    private: remember(
      collection,
      codec,
      { state: start, private: { ...written, snapshot } },
      found,
    ),
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
  /** The entries of a shared import. */
  readonly keys: readonly string[];
  /** Import the members without an attribute too. */
  readonly isWhole: boolean;
}

function readImportId(collection: Importable, importId: string): Part | undefined {
  const { id } = collection;
  const isWhole = hasExtraJson(collection) && importId.endsWith(WHOLE);
  const rest = isWhole ? importId.slice(0, -WHOLE.length) : importId;
  const whole = { ownership: "exclusive", count: 0, keys: [], isWhole } as const;
  if (rest === id) return whole;
  const parts = importableParts(collection);
  if (!rest.startsWith(`${id}:`) || !parts) return undefined;
  const [, name, given = ""] =
    /^(prefix|suffix|shared):(.+)$/s.exec(rest.slice(id.length + 1)) ?? [];
  if (parts === "shared") {
    const keys = name === "shared" ? keysIn(given) : undefined;
    return keys && { ...whole, ownership: "shared", keys };
  }
  if ((name !== "prefix" && name !== "suffix") || !/^[1-9]\d{0,5}$/.test(given)) return undefined;
  return { ...whole, ownership: name, count: Number(given) };
}

function keysIn(text: string): readonly string[] | undefined {
  try {
    return z.array(z.string()).min(1).parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** The import ID of a part of a collection. */
export function sharedImportId(id: string, keys: readonly string[]): string {
  return `${id}:shared:${JSON.stringify(keys)}`;
}

/** Reports which parts of a collection an import can name, besides the whole. */
export function importableParts({
  ordered,
  single,
  attributes: { ownership },
}: Importable): "ordered" | "shared" | undefined {
  if (single || ownership?.type.kind !== "string") return undefined;
  const part = ordered ? "prefix" : "shared";
  if (ownership.type.check?.safeParse(part).success !== true) return undefined;
  return ordered ? "ordered" : "shared";
}

/** The keys of the entries of a state. */
export function entryKeys<Item extends object>(
  { codec, list }: Pick<ManagedCollection<Item>, "codec" | "list">,
  state: ObjectValue,
  release: Release,
): readonly string[] {
  const own = typeof codec === "function" ? codec(release) : codec;
  return entriesOf(state, list).map((entry) => own.keyOfEntry(entry));
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
  "id" | "ordered" | "single" | "attributes" | "what" | "list"
>;

function noSuch(what: string, keys: readonly string[]) {
  const named = keys.map((key) => JSON.stringify(key)).join(", ");
  return error(
    "Cannot import entries that do not exist",
    printed`The import ID names ${named}, which the console's ${what} do not have. Run adopt again.`,
  );
}

function tooFew(what: string, wanted: number, there: number) {
  return error(
    "Cannot import more entries than exist",
    `The import ID names ${wanted} of the console's ${what}, but the console has ${there}.`,
  );
}

function unknownImportId(collection: Importable, importId: string) {
  const { id } = collection;
  const parts = {
    ordered: `, "${id}:prefix:N" or "${id}:suffix:N" for the first or last N of them`,
    shared: `, '${id}:shared:["KEY"]' for those with these keys`,
    none: "",
  }[importableParts(collection) ?? "none"];
  const whole = hasExtraJson(collection)
    ? ` With "${WHOLE}" at its end, it imports members without an attribute too.`
    : "";
  return error(
    "Invalid import ID",
    `${JSON.stringify(importId)} is not an import ID of this resource. Use "${collection.id}" for all ${collection.what}${parts}.${whole}`,
  );
}
