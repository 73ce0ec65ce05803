import { givenTypeOf } from "../../core/schema/dynamic";
import { error, type Diagnostic } from "../../core/diagnostics";
import { memberOf } from "../../core/member-of";
import {
  isListValue,
  isNullValue,
  isNumberValue,
  isObjectValue,
  isUnknownValue,
  type ObjectValue,
  type Value,
} from "../../core/values";
import { duplicateKeys } from "../collections/collection-attributes";
import { entriesOf } from "../collections/contents";
import { keyOfEntry, type ItemMembers } from "./list-codec";

/** Checks a list of objects of any JSON: its type, and that each has its key once. */
export function entryErrors(
  config: ObjectValue,
  list: string,
  members: ItemMembers,
): readonly Diagnostic[] {
  const value = memberOf(config, list) ?? null;
  if (isUnknownValue(value) || isNullValue(value)) return [];
  const isSet = givenTypeOf(value)?.kind === "set";
  if (isSet || !isListValue(value)) {
    const detail = `This must be a list of objects, in order.${isSet ? NO_ORDER : ""}`;
    return [error("Invalid attribute value", detail, [list])];
  }
  const found = value.flatMap((entry, index) =>
    isUnknownValue(entry) ? [] : [...keyErrors(entry, list, index, members)],
  );
  return found.length > 0 ? found : duplicateKeys(config, list, members.key);
}

const NO_ORDER = " A set has no order: convert it with tolist, after sorting.";

function keyErrors(
  entry: Value,
  list: string,
  index: number,
  { key }: ItemMembers,
): readonly Diagnostic[] {
  const position = `Entry ${index + 1} of ${list}`;
  if (!isObjectValue(entry)) {
    return [error("Invalid attribute value", `${position} must be an object.`, [list, index])];
  }
  return key
    .filter((name) => !isKey(memberOf(entry, name) ?? null))
    .map((name) =>
      error("Missing key", `${position} has no ${name}, which identifies it on the console.`, [
        list,
        index,
        name,
      ]),
    );
}

function isKey(value: Value): boolean {
  const isText = typeof value === "string" && value !== "";
  return isText || isNumberValue(value) || typeof value === "boolean" || isUnknownValue(value);
}

/** Refuses members that are secret, or that the console sets. */
export function memberErrors(
  value: ObjectValue,
  { ignore, secrets }: Pick<ItemMembers, "ignore" | "secrets">,
  path: readonly (string | number)[],
): readonly Diagnostic[] {
  return Object.entries(value).flatMap(([name, member]): readonly Diagnostic[] => {
    if (isNullValue(member)) return [];
    if (secrets.includes(name)) {
      const detail = `${name} is a secret: here it would be stored in the state as plain text. Put it into write_only, and change write_only_version to write it.`;
      return [error("Secret in an attribute that is stored", detail, [...path, name])];
    }
    if (!ignore.includes(name)) return [];
    return [
      error("Member is ignored", `${name} is set by the console, so it is ignored.`, [
        ...path,
        name,
      ]),
    ];
  });
}

/** Refuses write-only values of entries that the configuration does not have, or has set itself. */
export function writeOnlyErrors(
  config: ObjectValue,
  list: string,
  members: ItemMembers,
): readonly Diagnostic[] {
  const { key } = members;
  const known = new Map(entriesOf(config, list).map((entry) => [keyOfEntry(key, entry), entry]));
  const isOpen = hasUnknownKey(memberOf(config, list) ?? null, key);
  return entriesOf(config, "write_only").flatMap((entry, index) => {
    if (hasUnknownKey([entry], key)) return [];
    const stored = known.get(keyOfEntry(key, entry));
    if (stored) return setTwice(stored, entry, { attribute: list, key }, ["write_only", index]);
    if (isOpen) return [];
    const detail = `Entry ${index + 1} of write_only has the key of no entry of ${list}.`;
    return [error("Write-only values of no entry", detail, ["write_only", index])];
  });
}

/** Refuses members with two values: the console would keep the other one than the state has. */
function setTwice(
  stored: ObjectValue,
  written: ObjectValue,
  { attribute, key }: { readonly attribute: string; readonly key: readonly string[] },
  path: readonly (string | number)[],
): readonly Diagnostic[] {
  return Object.entries(written).flatMap(([name, value]) => {
    const other = memberOf(stored, name) ?? null;
    if (isNullValue(other) || isNullValue(value) || key.includes(name)) return [];
    const detail = `${name} is in ${attribute} too. Leave it out there.`;
    return [error("Member is set twice", detail, [...path, name])];
  });
}

/** Their keys are not known, or not there, which `entryErrors` reports. */
function hasUnknownKey(entries: Value, key: readonly string[]): boolean {
  const isUnknown = (entry: Value, name: string) => {
    const value = (isObjectValue(entry) ? memberOf(entry, name) : null) ?? null;
    return isUnknownValue(value) || !isKey(value);
  };
  return (
    !isListValue(entries) || entries.some((entry) => key.some((name) => isUnknown(entry, name)))
  );
}

/** Checks the attribute `body`, one object, and its `write_only`. */
export function bodyErrors(
  config: ObjectValue,
  { key = [], ...members }: Pick<ItemMembers, "ignore" | "secrets"> & Partial<ItemMembers>,
): readonly Diagnostic[] {
  const { body = null, write_only: written = null } = config;
  return [
    ...["body", "write_only"].flatMap((name) => objectErrors(memberOf(config, name) ?? null, name)),
    ...(isObjectValue(body) ? memberErrors(body, members, ["body"]) : []),
    ...(isObjectValue(body) && isObjectValue(written)
      ? setTwice(body, written, { attribute: "body", key }, ["write_only"])
      : []),
  ];
}

function objectErrors(value: Value, name: string): readonly Diagnostic[] {
  if (isUnknownValue(value) || isNullValue(value) || isObjectValue(value)) return [];
  return [error("Invalid attribute value", "This must be an object.", [name])];
}
