import { error, type Diagnostic } from "../../core/diagnostics";
import { memberOf } from "../../core/member-of";
import { givenTypeOf } from "../../core/schema/dynamic";
import {
  isListValue,
  isNullValue,
  isNumberValue,
  isObjectValue,
  isUnknownValue,
  type AttributePath,
  type ObjectValue,
  type Value,
} from "../../core/values";
import { printed } from "../../core/printed";
import { duplicateKeys, repetitions } from "../collections/collection-attributes";
import { TEXT } from "../collections/contents";
import { pathText, type MemberPath } from "../collections/secret-paths";
import { keyText, type ItemMembers } from "./codec";
import { managedMembers } from "./json-value";

/** An entry of a list, or a body, as messages name it. */
interface Entry {
  readonly value: Value;
  readonly path: AttributePath;
  readonly name: string;
}

/** Checks the entries of a list, or a body, and their secrets in `write_only`. */
export function jsonErrors(
  config: ObjectValue,
  list: "entries" | "body",
  members: ItemMembers,
): readonly Diagnostic[] {
  const isList = list === "entries";
  // The entries of a kind of the catalogue, and those with a key, are objects.
  const mayBeTexts = isList && isNullValue(config.key ?? null) && isNullValue(config.kind ?? null);
  if (mayBeTexts && isOfTexts(memberOf(config, list) ?? null)) return textErrors(config, list);
  const { key } = members;
  // A body is one: its secrets need no key.
  const secretKey = isList ? key : [];
  const stored = entriesIn(config, list, isList);
  const secrets = entriesIn(config, "write_only", isList);
  return [
    ...typeErrors(config, list, stored, key),
    ...stored.flatMap((entry) => memberErrors(entry, members)),
    ...typeErrors(config, "write_only", secrets, secretKey),
    ...secretErrors(list, stored, secrets, { key, secretKey }),
  ];
}

/** A list of texts, some of which may be unknown. */
function isOfTexts(value: Value): boolean {
  if (!isListValue(value) || isSet(value)) return false;
  const known = value.filter((one) => !isUnknownValue(one));
  return known.length > 0 && known.every((one) => typeof one === "string");
}

/** Refuses texts that are repeated. */
function textErrors(config: ObjectValue, list: string): readonly Diagnostic[] {
  const repeated = repetitions(config, list, (entry) => {
    const text = memberOf(entry, TEXT);
    return typeof text === "string" ? text : undefined;
  });
  return repeated.map(({ key, first, index }) => {
    const detail = printed`Entries ${first + 1} and ${index + 1} of ${list} are both ${JSON.stringify(key)}.`;
    return error("Duplicate text", detail, [list, index]);
  });
}

function entriesIn(config: ObjectValue, attribute: string, isList: boolean): readonly Entry[] {
  const value = memberOf(config, attribute) ?? null;
  if (isNullValue(value)) return [];
  const whole: Entry = { value, path: [attribute], name: attribute };
  return isList && isListValue(value) && !isSet(value)
    ? value.map((one, index) => ({
        value: one,
        path: [attribute, index],
        name: `Entry ${index + 1} of ${attribute}`,
      }))
    : [whole];
}

function isSet(value: Value): boolean {
  return givenTypeOf(value)?.kind === "set";
}

/** Checks that each entry is an object that has its key, once. */
function typeErrors(
  config: ObjectValue,
  attribute: string,
  entries: readonly Entry[],
  key: readonly string[],
): readonly Diagnostic[] {
  const invalid = (detail: string, path: AttributePath) =>
    error("Invalid attribute value", detail, path);
  const errors = entries.flatMap(({ value, path, name }) => {
    if (isUnknownValue(value)) return [];
    const isWhole = path.length === 1;
    if (attribute !== "body" && isWhole && key.length > 0) {
      const order = isSet(value)
        ? " A set has no order: convert it with tolist, after sorting."
        : "";
      return [invalid(`This must be a list of objects, in order.${order}`, path)];
    }
    if (!isObjectValue(value)) return [invalid(`${name} must be an object.`, path)];
    return key
      .filter((member) => !isKey(memberOf(value, member) ?? null))
      .map((member) => {
        const detail = `${name} has no ${member}, which identifies it on the console.`;
        return error("Missing key", detail, [...path, member]);
      });
  });
  return errors.length > 0 || key.length === 0 ? errors : duplicateKeys(config, attribute, key);
}

function isKey(value: Value): boolean {
  const isText = typeof value === "string" && value !== "";
  return isText || isNumberValue(value) || typeof value === "boolean" || isUnknownValue(value);
}

/** Refuses members that are secret, or that the console sets. */
function memberErrors(
  { value, path }: Entry,
  { ignore, readOnly, secrets }: ItemMembers,
): readonly Diagnostic[] {
  const stored = secrets.flatMap((secret) => {
    const names = secret.split(".");
    const found = names.reduce<Value>(
      (at, name) => (isObjectValue(at) ? (memberOf(at, name) ?? null) : null),
      value,
    );
    if (isNullValue(found)) return [];
    const detail = `${secret} is a secret: here it would be stored in the state as plain text. Put it into write_only, and change write_only_version to write it.`;
    return [error("Secret in an attribute that is stored", detail, [...path, ...names])];
  });
  const unmanaged = [...ignore, ...readOnly];
  const ignored = namesOf(value).filter(
    (name) => unmanaged.includes(name) && !secrets.includes(name),
  );
  return [
    ...stored,
    ...ignored.map((name) => {
      const [attribute, names] = ignore.includes(name)
        ? ["ignore", ignore]
        : ["read_only", readOnly];
      const others = JSON.stringify(names.filter((one) => one !== name));
      const detail = `${name} is set by the console, so it is ignored. Remove it, or set ${attribute} to ${others} if this console needs it.`;
      return error("Member is ignored", detail, [...path, name]);
    }),
  ];
}

/**
 * Refuses write-only values of entries that the configuration does not have, and members with two
 * values: the console would keep the other one than the state has.
 */
function secretErrors(
  list: string,
  stored: readonly Entry[],
  secrets: readonly Entry[],
  { key, secretKey }: Readonly<Record<"key" | "secretKey", readonly string[]>>,
): readonly Diagnostic[] {
  const keyOf = ({ value }: Entry) => {
    const values = secretKey.map((name) => (isObjectValue(value) ? memberOf(value, name) : null));
    const isKnown = values.every((one) => isKey(one ?? null) && !isUnknownValue(one));
    return isKnown && isObjectValue(value) ? keyText(secretKey, value) : undefined;
  };
  const known = new Map<string | undefined, Value>(
    stored.map((entry) => [keyOf(entry), entry.value]),
  );
  return secrets.flatMap((secret) => {
    const { value, path, name } = secret;
    const own = keyOf(secret);
    if (own === undefined) return [];
    if (!known.has(own)) {
      const detail = `${name} has the key of no entry of ${list}.`;
      return known.has(undefined) ? [] : [error("Write-only values of no entry", detail, path)];
    }
    return setTwice(known.get(own) ?? null, value)
      .filter(([name = ""]) => !key.includes(name))
      .map((member) => {
        const detail = `${pathText(member)} is in ${list} too. Leave it out there.`;
        return error("Member is set twice", detail, [...path, ...member]);
      });
  });
}

/** The paths of the members that both set. Objects have members of both. */
function setTwice(one: Value, other: Value): readonly MemberPath[] {
  if (!isObjectValue(one) || !isObjectValue(other)) return [[]];
  return namesOf(other).flatMap((name) => {
    const value = memberOf(one, name) ?? null;
    if (isNullValue(value)) return [];
    return setTwice(value, memberOf(other, name) ?? null).map((rest) => [name, ...rest]);
  });
}

function namesOf(value: Value): readonly string[] {
  return isObjectValue(value) ? Object.keys(managedMembers(value)) : [];
}
