import type { JsonItem } from "../../api/catalogue/described-list";
import { stringifyJson } from "../../core/json/lossless-json";
import { isRecord, memberOf } from "../../core/member-of";
import { isListValue, isObjectValue, type ObjectValue, type Value } from "../../core/values";
import { TEXT } from "../collections/contents";
import { isFilledIn, without } from "../collections/members";
import { memberAt, withoutPaths } from "../collections/secret-paths";
import { byCollectionName, namesIn, sameNames } from "../collections/named-collections";
import type { EntryCodec } from "../collections/ownership";
import { holds, itemWith, managedMembers, objectOfJson, shown } from "./json-value";
import { secretsIn, strippedOf } from "./secret-members";

/** The members of an item that have a meaning. */
export interface ItemMembers {
  readonly key: readonly string[];
  readonly ignore: readonly string[];
  readonly readOnly: readonly string[];
  /** Paths, as the catalogue has them. */
  readonly secrets: readonly string[];
}

/**
 * Converts between entries of any JSON and the items of a list, or a document, which has no key.
 *
 * @param list The attribute that has them.
 */
export function codecOfJson(
  { key, ignore, readOnly, secrets }: ItemMembers,
  list: string,
): EntryCodec<JsonItem> {
  // A console that shows a secret in plain text keeps it when a write leaves it out.
  const plainSecrets = (item: JsonItem) =>
    secrets
      .map((name) => name.split("."))
      .filter((path) => typeof memberAt(item, path) === "string");
  const outgoing = (item: JsonItem) => without(withoutPaths(item, plainSecrets(item)), ...readOnly);
  return {
    keyOfItem: (item) => keyText(key, item),
    keyOfEntry: (entry) => keyText(key, entry),
    decode: (item, before) => {
      const entry = before && shown(item, before);
      return isObjectValue(entry)
        ? entry
        : objectOfJson(strippedOf(item, secrets).item, ...ignore, ...readOnly);
    },
    matches: holds,
    encode: ({ entry, configured }, found) =>
      itemWith(found && outgoing(found), entry, configured, key),
    isBuiltIn: (item) => memberOf(item, "owner") === "system",
    outgoing,
    secretsOf: (object, written) => secretsIn(object, list, secrets, written),
  };
}

/**
 * Compares the collections of entries by name, in any order, and leaves the others of their members
 * to the console.
 */
export function namingCollections(codec: EntryCodec<JsonItem>): EntryCodec<JsonItem> {
  const named = (entry: ObjectValue, item: JsonItem | undefined): ObjectValue => {
    const names = namesIn(entry);
    const { collections: given = null } = entry;
    const isNamed = isListValue(given) && given.every(isObjectValue);
    if (!names || !item || !isNamed) return byCollectionName(entry);
    const found = namesIn(item);
    const collections = found && sameNames(names, found) ? found : names;
    return { ...entry, collections: collections.map((name) => ({ name })) };
  };
  return {
    ...codec,
    decode: (item, before) => {
      const entry = codec.decode(item, before && named(before, item));
      const { collections: known } = before ?? {};
      const [names, found] = [namesIn({ collections: known }), namesIn(item)];
      const isSame = known !== undefined && names && found && sameNames(names, found);
      return isSame ? { ...entry, collections: known } : entry;
    },
    matches: (item, entry) => codec.matches(item, named(entry, item)),
    encode: (wanted, item) => codec.encode({ ...wanted, entry: named(wanted.entry, item) }, item),
  };
}

/** Lets a document have the members of the body only, and those that are ignored or secret. */
export function replacing(
  codec: EntryCodec<JsonItem>,
  { ignore, readOnly, secrets }: ItemMembers,
): EntryCodec<JsonItem> {
  const kept = [...ignore, ...readOnly, ...secrets.map((path) => path.split(".")[0] ?? path)];
  const matches = (item: JsonItem, entry: ObjectValue) =>
    holds(item, entry) && isFilledIn(without(item, ...kept, ...Object.keys(managedMembers(entry))));
  return {
    ...codec,
    matches,
    decode: (item, before) =>
      before && matches(item, before)
        ? before
        : objectOfJson(strippedOf(item, secrets).item, ...kept),
    encode: ({ entry, configured }, found = {}) =>
      itemWith(
        codec.outgoing(without(found, ...Object.keys(without(found, ...kept)))),
        entry,
        configured,
      ),
  };
}

/** The found document with the members that a body names as they were before. */
export function membersRestored(found: JsonItem, before: JsonItem, body: Value): JsonItem {
  if (!isObjectValue(body)) return found;
  const named = Object.entries(managedMembers(body));
  const members = named.flatMap(([name, member]) => {
    const was = memberOf(before, name);
    const is = memberOf(found, name);
    if (was === undefined) return [];
    const isInside = isRecord(was) && isRecord(is) && isObjectValue(member);
    return [[name, isInside ? membersRestored(is, was, member) : was] as const];
  });
  return { ...without(found, ...named.map(([name]) => name)), ...Object.fromEntries(members) };
}

/** The key of an item or an entry as text, which messages show. */
export function keyText(key: readonly string[], one: JsonItem | ObjectValue): string {
  const text = memberOf<unknown>(one, TEXT);
  if (typeof text === "string") return text;
  const values = key.map((name) => memberOf<unknown>(one, name));
  return values.length === 1
    ? textOfKey(values[0])
    : values.map((value) => stringifyJson(value)).join(", ");
}

/** One member of a key as text, with all digits of a number. */
export function textOfKey(value: unknown): string {
  return typeof value === "string" ? value : stringifyJson(value);
}
