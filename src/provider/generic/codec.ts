import type { JsonItem } from "../../api/catalogue/described-list";
import { stringifyJson } from "../../core/json/lossless-json";
import { isRecord, memberOf } from "../../core/member-of";
import { isObjectValue, type ObjectValue, type Value } from "../../core/values";
import { isFilledIn, without } from "../collections/members";
import type { EntryCodec } from "../collections/ownership";
import { holds, itemWith, managedMembers, objectOfJson, shown } from "./json-value";
import { secretsIn } from "./secret-members";

/** The members of an item that have a meaning. */
export interface ItemMembers {
  readonly key: readonly string[];
  readonly ignore: readonly string[];
  readonly secrets: readonly string[];
}

/**
 * Converts between entries of any JSON and the items of a list, or a document, which has no key.
 *
 * @param list The attribute that has them.
 */
export function codecOfJson(
  { key, ignore, secrets }: ItemMembers,
  list: string,
): EntryCodec<JsonItem> {
  return {
    keyOfItem: (item) => keyText(key, item),
    keyOfEntry: (entry) => keyText(key, entry),
    decode: (item, before) => {
      const entry = before && shown(item, before);
      return isObjectValue(entry) ? entry : objectOfJson(item, ...ignore, ...secrets);
    },
    matches: holds,
    encode: ({ entry, configured }, found) => itemWith(found, entry, configured, key),
    isBuiltIn: (item) => memberOf(item, "owner") === "system",
    outgoing: (item) => item,
    secretsOf: (object, written) => secretsIn(object, list, secrets, written),
  };
}

/** Lets a document have the members of the body only, and those that are ignored or secret. */
export function replacing(
  codec: EntryCodec<JsonItem>,
  { ignore, secrets }: ItemMembers,
): EntryCodec<JsonItem> {
  const kept = [...ignore, ...secrets];
  const matches = (item: JsonItem, entry: ObjectValue) =>
    holds(item, entry) && isFilledIn(without(item, ...kept, ...Object.keys(managedMembers(entry))));
  return {
    ...codec,
    matches,
    decode: (item, before) =>
      before && matches(item, before) ? before : objectOfJson(item, ...kept),
    encode: ({ entry, configured }, found = {}) =>
      itemWith(without(found, ...Object.keys(without(found, ...kept))), entry, configured),
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
  const values = key.map((name) => memberOf<unknown>(one, name));
  return values.length === 1
    ? textOfKey(values[0])
    : values.map((value) => stringifyJson(value)).join(", ");
}

/** One member of a key as text, with all digits of a number. */
export function textOfKey(value: unknown): string {
  return typeof value === "string" ? value : stringifyJson(value);
}
