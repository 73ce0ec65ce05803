import { stringifyJson } from "../../core/json/lossless-json";
import type { JsonItem } from "../../api/catalogue/described-list";
import { memberOf } from "../../core/member-of";
import { isObjectValue, type ObjectValue } from "../../core/values";
import type { EntryCodec } from "../collections/ownership";
import { secretsIn } from "./secret-members";
import { holds, itemWith, objectOfJson, shown } from "./json-value";

/** The members of an item that have a meaning. */
export interface ItemMembers {
  readonly key: readonly string[];
  readonly ignore: readonly string[];
  readonly secrets: readonly string[];
}

/** Converts between entries of any JSON and the items of a described list. */
export function listCodec(
  { key, ignore, secrets }: ItemMembers,
  list = "entries",
): EntryCodec<JsonItem> {
  return {
    keyOfItem: (item) => keyText(key.map((name) => memberOf(item, name))),
    keyOfEntry: (entry) => keyOfEntry(key, entry),
    decode: (item, before) => {
      const entry = before && shown(item, before);
      return isObjectValue(entry) ? entry : objectOfJson(item, ...ignore, ...secrets);
    },
    matches: holds,
    encode: ({ entry, configured }, found) => itemWith(found, entry, configured, key),
    isBuiltIn: (item) => memberOf(item, "owner") === "system",
    outgoing: (item) => item,
    secretsOf: (object) => secretsIn(object, list, secrets),
  };
}

/** The key of an entry as text, which messages show. */
export function keyOfEntry(key: readonly string[], entry: ObjectValue): string {
  return keyText(key.map((name) => memberOf(entry, name)));
}

function keyText(values: readonly unknown[]): string {
  return values.length === 1
    ? textOfKey(values[0])
    : values.map((one) => stringifyJson(one)).join(", ");
}

/** One member of a key as text, with all digits of a number. */
export function textOfKey(value: unknown): string {
  return typeof value === "string" ? value : stringifyJson(value);
}
