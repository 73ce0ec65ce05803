import { mapMembers, memberOf } from "../../core/member-of";
import { propName } from "../../constructs/naming";
import type { Attribute, Attributes, Kind } from "../../core/schema/attribute";
import { isConfigurable } from "../../core/schema/terraform";
import {
  canonicalSet,
  ExactNumber,
  isListValue,
  isNullValue,
  isObjectValue,
  isUnknownValue,
  valuesEqual,
  type ObjectValue,
  type Value,
} from "../../core/values";
import type { Literal, LiteralObject } from "./literal-source";

/**
 * Returns the props of an object. Attributes that are not set or have their default are left out;
 * write-only attributes are in no state.
 */
export function propsOf(attributes: Attributes, state: ObjectValue): LiteralObject {
  return Object.fromEntries(
    Object.entries(attributes).flatMap(([name, attribute]) => {
      const value = memberOf(state, name) ?? null;
      const prop = isWritten(attribute, value) ? sourceOf(attribute.type, value) : undefined;
      return prop === undefined ? [] : [[propName(name), prop] as const];
    }),
  );
}

/** Returns the configuration of these props, which a plan compares with the state. */
export function configurationOf(attributes: Attributes, state: ObjectValue): ObjectValue {
  return mapMembers(attributes, (attribute, name) => {
    const value = memberOf(state, name) ?? null;
    return isWritten(attribute, value) ? value : null;
  });
}

function isWritten(attribute: Attribute, value: Value): boolean {
  if (!isConfigurable(attribute) || attribute.writeOnly || value === null) return false;
  return attribute.default === undefined || !valuesEqual(value, attribute.default);
}

function sourceOf(kind: Kind, value: Value): Literal | undefined {
  if (isUnknownValue(value) || isNullValue(value)) return undefined;
  if (kind.kind === "any") return literalOf(value);
  if (isListValue(value)) {
    if (!("element" in kind)) return undefined;
    // Two consoles have the elements of one set in another order.
    const elements = kind.kind === "set" ? canonicalSet(value) : value;
    return elements.flatMap((element) => sourceOf(kind.element, element) ?? []);
  }
  if (value instanceof ExactNumber) return Number(value.value);
  if (!isObjectValue(value)) return value;
  if (kind.kind === "object") return propsOf(kind.attributes, value);
  if (!("element" in kind)) return undefined;
  const entries = Object.entries(value).flatMap(([key, member]) => {
    const source = sourceOf(kind.element, member);
    return source === undefined ? [] : [[key, source] as const];
  });
  return Object.fromEntries(entries);
}

/** The literal of JSON. */
function literalOf(value: Value): Literal | undefined {
  if (isUnknownValue(value) || isNullValue(value)) return undefined;
  if (isListValue(value)) return value.flatMap((one) => literalOf(one) ?? []);
  if (value instanceof ExactNumber) return Number(value.value);
  if (!isObjectValue(value)) return value;
  const members = Object.entries(value).flatMap(([name, member]) => {
    const literal = literalOf(member);
    return literal === undefined ? [] : [[name, literal] as const];
  });
  return Object.fromEntries(members);
}
