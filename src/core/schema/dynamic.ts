import { mapMembers, memberOf } from "../member-of";
import { decodeType, encodeType } from "../type-json";
import { ANY, BOOL, NUMBER, objectOf, sameType, STRING, type Type } from "../types";
import {
  canonicalSet,
  isListValue,
  isNullValue,
  isNumberValue,
  isObjectValue,
  isUnknownValue,
  TypedNull,
  TypedUnknown,
  UNKNOWN,
  valuesEqual,
  type KnownValue,
  type ObjectValue,
  type Value,
} from "../values";
import type { Attributes } from "./attribute";

/*
 * The values of attributes of any type. A list or an object carries its type, which neither JSON nor
 * a schema has: Terraform keeps a list and a tuple apart, and so does its state, where such a value
 * is an object with `value` and `type`.
 */

/** The symbol is global, since several files of the bundle contain this module. */
const TYPE: unique symbol = Symbol.for("cdktf-console: type");

/** Adds a type to a value. Strings, numbers and booleans need none. */
export function withDynamicType(value: KnownValue, type: Type): KnownValue;
export function withDynamicType(value: Value, type: Type): Value;
export function withDynamicType(value: Value, type: Type): Value {
  if (isNullValue(value)) return type.kind === "any" ? null : new TypedNull(type);
  if (isUnknownValue(value)) return type.kind === "any" ? UNKNOWN : new TypedUnknown(type);
  if (typeof value !== "object" || isNumberValue(value)) return value;
  const copy: Value = isListValue(value) ? [...value] : { ...value };
  return Object.defineProperty(copy, TYPE, { value: type });
}

/** Returns the type that a value was given. */
export function givenTypeOf(value: Value): Type | undefined {
  if (value instanceof TypedNull || value instanceof TypedUnknown) return value.type;
  if (typeof value !== "object" || value === null) return undefined;
  return (value as { readonly [TYPE]?: Type })[TYPE];
}

/** Returns the type that a value was given, or the one of its JSON. */
export function dynamicTypeOf(value: Value): Type {
  if (typeof value === "string") return STRING;
  if (typeof value === "boolean") return BOOL;
  if (isNumberValue(value)) return NUMBER;
  const given = givenTypeOf(value);
  if (given !== undefined) return given;
  if (isListValue(value)) return { kind: "tuple", elements: value.map(dynamicTypeOf) };
  if (!isObjectValue(value)) return ANY;
  return objectOf(Object.entries(value).map(([name, one]) => [name, dynamicTypeOf(one)]));
}

/** Reports whether two values of any type are equal, and have the same type. */
export function sameDynamic(a: Value, b: Value): boolean {
  return valuesEqual(a, b) && sameType(dynamicTypeOf(a), dynamicTypeOf(b));
}

/** Reads a value of any type of a state; undefined if it is not one. */
export function decodeDynamic(stored: Value): Value | undefined {
  if (!isObjectValue(stored) || !("value" in stored)) return undefined;
  const type = decodeType(stored.type);
  if (!type) return undefined;
  const { value = null } = stored;
  const plain = type.kind === "set" && isListValue(value) ? canonicalSet(value) : value;
  return withDynamicType(plain, type);
}

/** Writes the values of any type among attributes as a state has them. */
export function encodeDynamics(attributes: Attributes, object: ObjectValue): ObjectValue {
  return changeDynamics(attributes, object, (value) => ({
    value: isNullValue(value) ? null : value,
    type: encodeType(dynamicTypeOf(value)),
  }));
}

/** Replaces values of any type, as the JSON of a state has them, by the values alone. */
export function plainDynamics<V>(
  attributes: Attributes,
  object: { readonly [name: string]: V },
): { readonly [name: string]: V } {
  return changeDynamics(attributes, object, (stored) =>
    typeof stored === "object" && stored !== null && "value" in stored
      ? (stored.value as V)
      : stored,
  );
}

function changeDynamics<V>(
  attributes: Attributes,
  object: { readonly [name: string]: V },
  change: (value: V) => V,
): { readonly [name: string]: V } {
  return mapMembers(object, (value, name) => {
    const isDynamic = memberOf(attributes, name)?.type.kind === "any" && value !== null;
    return isDynamic ? change(value) : value;
  });
}
