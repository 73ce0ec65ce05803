import type { JsonItem } from "../../api/catalogue/described-list";
import { isExactNumber } from "../../core/json/lossless-json";
import { isRecord, mapMembers, memberOf } from "../../core/member-of";
import {
  exactNumber,
  isListValue,
  isNullValue,
  isNumberValue,
  isObjectValue,
  isUnknownValue,
  valuesEqual,
  type KnownValue,
  type ObjectValue,
  type Value,
} from "../../core/values";
import { isFilledIn, without } from "../collections/members";
import { withPathsOf } from "../collections/secret-paths";
import { likeSecrets } from "./secret-members";

/*
 * JSON of the console, compared with what a configuration names of it: objects by member, lists as a
 * whole. A member that is null in the configuration is unmanaged.
 */

/** Converts JSON to a value of a state. */
export function valueOfJson(json: unknown): KnownValue {
  if (isExactNumber(json)) return exactNumber(json.value);
  if (Array.isArray(json)) return json.map(valueOfJson);
  if (isRecord(json)) return mapMembers(json, valueOfJson);
  return typeof json === "string" || typeof json === "number" || typeof json === "boolean"
    ? json
    : null;
}

/** Converts an object to a value of a state, without members that are null. */
export function objectOfJson(json: object, ...omitted: readonly string[]): ObjectValue {
  const value = mapMembers(without(json, ...omitted), valueOfJson);
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null));
}

/** The console has what the configuration names. It may leave out what is empty. */
export function holds(found: unknown, wanted: Value): boolean {
  if (isUnknownValue(wanted)) return false;
  if (isListValue(wanted)) {
    if (!Array.isArray(found)) return wanted.length === 0 && isFilledIn(found);
    const elements: readonly unknown[] = found;
    return (
      elements.length === wanted.length &&
      wanted.every((one, index) => holdsElement(elements[index], one))
    );
  }
  if (isObjectValue(wanted)) {
    const members = isRecord(found) ? found : {};
    const isObject = isRecord(found) || isFilledIn(found);
    return (
      isObject &&
      Object.entries(managedMembers(wanted)).every(([name, one]) =>
        holds(memberOf(members, name), one),
      )
    );
  }
  if (found === undefined || found === null) return isFilledIn(wanted);
  return isNumberValue(wanted) || typeof found === "number" || isExactNumber(found)
    ? valuesEqual(valueOfJson(found), wanted)
    : found === wanted;
}

function holdsElement(found: unknown, wanted: Value): boolean {
  return isNullValue(wanted) ? found === null : holds(found, wanted);
}

/** The JSON to write: `found` with what the configuration names, if it does not hold it. */
function merged(found: unknown, wanted: Value): unknown {
  if (found !== undefined && holds(found, wanted)) return found;
  if (isListValue(wanted)) return mergedList(found, wanted);
  if (isObjectValue(wanted)) return objectWith(isRecord(found) ? found : undefined, wanted);
  return isNullValue(wanted) ? null : wanted;
}

/** A list is written as a whole. Elements that do not change, and the secrets of the others, are kept. */
function mergedList(found: unknown, wanted: readonly Value[]): readonly unknown[] {
  const elements: readonly unknown[] = Array.isArray(found) ? found : [];
  return wanted.map((one, index) => {
    const same = elements.find((element) => isRecord(element) && holdsElement(element, one));
    if (same !== undefined || !isObjectValue(one)) return same ?? merged(undefined, one);
    const before = elements.find((element, at) =>
      isRecord(element)
        ? (isSameObject(element, one) ?? (elements.length === wanted.length && at === index))
        : false,
    );
    return withSecretsOf(isRecord(before) ? before : {}, one);
  });
}

/** Undefined if no member identifies both. */
function isSameObject(element: JsonItem, wanted: ObjectValue): boolean | undefined {
  const name = IDENTIFYING.find((one) => memberOf(element, one) && memberOf(wanted, one));
  return name === undefined
    ? undefined
    : holds(memberOf(element, name), memberOf(wanted, name) ?? null);
}

const IDENTIFYING = ["_id", "id", "appID", "name"];

/** The JSON of an object, with the secrets of the one that it replaces. */
function withSecretsOf(before: JsonItem, wanted: ObjectValue): JsonItem {
  const members = mapMembers(managedMembers(wanted), (one, name): unknown => {
    const was: unknown = memberOf(before, name);
    if (isListValue(one)) return mergedList(was, one);
    return isObjectValue(one)
      ? withSecretsOf(isRecord(was) ? was : {}, one)
      : merged(undefined, one);
  });
  return withPathsOf(members, before, likeSecrets(before));
}

function objectWith(found: JsonItem | undefined, wanted: ObjectValue): JsonItem {
  const members = Object.entries(managedMembers(wanted)).flatMap(([name, one]) => {
    const before = memberOf(found, name);
    return found && holds(before, one) ? [] : [[name, merged(before, one)] as const];
  });
  return { ...found, ...Object.fromEntries(members) };
}

/** The item to write: the found one, or a new one, with what an entry, and its secrets without the key, name. */
export function itemWith(
  found: JsonItem | undefined,
  entry: ObjectValue,
  secrets: ObjectValue = {},
  key: readonly string[] = [],
): JsonItem {
  const others = Object.entries(secrets).filter(([name]) => !key.includes(name));
  return objectWith(objectWith(found, entry), Object.fromEntries(others));
}

/** The part of `found` that `known` names; `known` itself where the console holds it. */
export function shown(found: unknown, known: Value): Value {
  if (isNullValue(known) || holds(found, known)) return known;
  if (Array.isArray(found) && isListValue(known)) {
    return found.map((one: unknown, index) =>
      index < known.length ? shown(one, known[index] ?? null) : valueOfJson(one),
    );
  }
  if (isRecord(found) && isObjectValue(known)) {
    return mapMembers(known, (one, name) => shown(memberOf(found, name), one));
  }
  return valueOfJson(found);
}

/** The members of an object that are not null. */
export function managedMembers(object: ObjectValue): ObjectValue {
  return Object.fromEntries(Object.entries(object).filter(([, member]) => !isNullValue(member)));
}
