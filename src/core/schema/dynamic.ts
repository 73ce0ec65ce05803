import { memberOf } from "../member-of";
import {
  canonicalSet,
  compareStrings,
  isListValue,
  isNullValue,
  isNumberValue,
  isObjectValue,
  TypedNull,
  UNKNOWN,
  valuesEqual,
  type ObjectValue,
  type KnownValue,
  type Value,
} from "../values";
import type { Attributes } from "./attribute";
import { isTerraformType, type TerraformType } from "./terraform";

/*
 * The values of attributes of any type. A list or an object carries its type, which neither JSON nor
 * a schema has: Terraform keeps a list and a tuple apart, and so does its state, where such a value
 * is an object with `value` and `type`.
 */

/** The symbol is global, since several files of the bundle contain this module. */
const TYPE: unique symbol = Symbol.for("cdktf-console: type");

/** Gives a value its type. Only lists, sets, maps, objects and nulls need one. */
export function withDynamicType(value: KnownValue, type: TerraformType): KnownValue;
export function withDynamicType(value: Value, type: TerraformType): Value;
export function withDynamicType(value: Value, type: TerraformType): Value {
  if (isNullValue(value)) return type === "dynamic" ? null : new TypedNull(type);
  if (typeof value !== "object" || isNumberValue(value)) return value;
  const copy: Value = isListValue(value) ? [...value] : Object.fromEntries(Object.entries(value));
  return Object.defineProperty(copy, TYPE, { value: type });
}

/** Returns the type that a list, an object or a null was given. */
export function givenTypeOf(value: Value): TerraformType | undefined {
  if (value instanceof TypedNull) return value.type;
  if (typeof value !== "object" || value === null) return undefined;
  return (value as { readonly [TYPE]?: TerraformType })[TYPE];
}

/** Returns the type that a value was given, or the one of its JSON. */
export function dynamicTypeOf(value: Value): TerraformType {
  if (typeof value === "string") return "string";
  if (typeof value === "boolean") return "bool";
  if (isNumberValue(value)) return "number";
  if (isNullValue(value)) return value?.type ?? "dynamic";
  if (value === UNKNOWN) return "dynamic";
  const given = givenTypeOf(value);
  if (given !== undefined) return given;
  if (isListValue(value)) return ["tuple", value.map(dynamicTypeOf)];
  const members = Object.entries(value).map(([name, one]) => [name, dynamicTypeOf(one)] as const);
  return ["object", Object.fromEntries(members)];
}

/** Reports whether two values of any type are equal, and have the same type. */
export function sameDynamic(a: Value, b: Value): boolean {
  return valuesEqual(a, b) && sameTerraformType(dynamicTypeOf(a), dynamicTypeOf(b));
}

export function sameTerraformType(a: TerraformType, b: TerraformType): boolean {
  return JSON.stringify(ordered(a)) === JSON.stringify(ordered(b));
}

/** Sorts the members of objects, whose order is no part of a type. */
function ordered(type: TerraformType): TerraformType {
  if (typeof type === "string") return type;
  if (type[0] === "tuple") return ["tuple", type[1].map(ordered)];
  if (type[0] !== "object") return [type[0], ordered(type[1])];
  const members = Object.entries(type[1]).sort(([one], [other]) => compareStrings(one, other));
  return ["object", Object.fromEntries(members.map(([name, one]) => [name, ordered(one)]))];
}

/** Reads a value of any type of a state; undefined if it is not one. */
export function decodeDynamic(stored: Value): Value | undefined {
  if (!isObjectValue(stored) || !("value" in stored) || !isTerraformType(stored.type)) {
    return undefined;
  }
  const { value = null, type } = stored;
  const plain = type[0] === "set" && isListValue(value) ? canonicalSet(value) : value;
  return withDynamicType(plain, type);
}

/** Writes the values of any type among attributes as a state has them. */
export function encodeDynamics(attributes: Attributes, object: ObjectValue): ObjectValue {
  return changeDynamics(attributes, object, (value) => ({
    value: isNullValue(value) ? null : value,
    type: typeAsValue(dynamicTypeOf(value)),
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
  const changed = Object.entries(object).map(([name, value]): [string, V] => {
    const isDynamic = memberOf(attributes, name)?.type.kind === "any" && value !== null;
    return [name, isDynamic ? change(value) : value];
  });
  return Object.fromEntries(changed);
}

/** A type is JSON. */
function typeAsValue(type: TerraformType): KnownValue {
  return type;
}
