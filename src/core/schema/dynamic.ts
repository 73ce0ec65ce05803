import { mapMembers, memberOf } from "../member-of";
import { unmark } from "../marks";
import { decodeType, encodeType } from "../type-json";
import { typeOf, withType } from "../typed-values";
import { sameType } from "../types";
import { isObjectValue, valuesEqual, type ObjectValue, type Value } from "../values";
import type { Attributes } from "./attribute";

/*
 * The values of attributes of any type. A list or an object carries its type, which neither JSON nor
 * a schema has: Terraform keeps a list and a tuple apart, and so does its state, where such a value
 * is an object with `value` and `type`.
 */

/** Reports whether two values of any type are equal, and have the same type. */
export function sameDynamic(a: Value, b: Value): boolean {
  return valuesEqual(a, b) && sameType(typeOf(a), typeOf(b));
}

/** Reads a value of any type of a state; undefined if it is not one. */
export function decodeDynamic(stored: Value): Value | undefined {
  if (!isObjectValue(stored) || !("value" in stored)) return undefined;
  const type = decodeType(stored.type);
  if (!type) return undefined;
  return withType(stored.value ?? null, type);
}

/** Writes the values of any type among attributes as a state has them. */
export function encodeDynamics(attributes: Attributes, object: ObjectValue): ObjectValue {
  return changeDynamics(attributes, object, (value) => ({
    value: unmark(value).value,
    type: encodeType(typeOf(value)),
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
