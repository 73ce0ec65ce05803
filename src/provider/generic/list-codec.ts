import type { JsonItem } from "../../api/catalogue/described-list";
import { isRecord, memberOf } from "../../core/member-of";
import { isObjectValue, type ObjectValue } from "../../core/values";
import { without } from "../collections/members";
import type { EntryCodec } from "../collections/ownership";
import { holds, jsonOfValue, merged, objectOfJson, shown } from "./json-value";

/** The members of an item that have a meaning. */
export interface ItemMembers {
  readonly key: readonly string[];
  readonly ignore: readonly string[];
  readonly secrets: readonly string[];
}

/** Converts between entries of any JSON and the items of a described list. */
export function listCodec({ key, ignore, secrets }: ItemMembers): EntryCodec<JsonItem> {
  const encode: EntryCodec<JsonItem>["encode"] = ({ entry, configured }, found) => {
    const secret = configured ? jsonOfValue(configured) : {};
    const changed = merged(found, entry);
    return isRecord(changed) && isRecord(secret) ? { ...changed, ...without(secret, ...key) } : {};
  };
  return {
    keyOfItem: (item) => keyText(key.map((name) => memberOf(item, name))),
    keyOfEntry: (entry) => keyOfEntry(key, entry),
    decode: (item, before) => {
      const entry = before && shown(item, before);
      return isObjectValue(entry) ? entry : objectOfJson(item, ...ignore, ...secrets);
    },
    matches: holds,
    encode,
    isBuiltIn: (item) => memberOf(item, "owner") === "system",
    outgoing: (item) => item,
  };
}

/** The key of an entry as text, which messages show. */
export function keyOfEntry(key: readonly string[], entry: ObjectValue): string {
  return keyText(key.map((name) => memberOf(entry, name)));
}

function keyText(values: readonly unknown[]): string {
  const [only] = values;
  return values.length === 1 ? String(only) : values.map((one) => JSON.stringify(one)).join(", ");
}
