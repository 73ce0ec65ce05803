import { nestedAttributes } from "./terraform";
import type { Attribute, Attributes } from "./attribute";
import {
  isListValue,
  isObjectValue,
  type AttributePath,
  type ObjectValue,
  type Value,
} from "../values";

/** One attribute of an object, with the values that the walk carries along. */
export interface Visit {
  readonly attribute: Attribute;
  readonly path: AttributePath;
  readonly value: Value;
}

/**
 * Visits every attribute of an object, those of nested objects after the attribute that holds them.
 * What lies behind a null or an unknown is not visited.
 */
export function* walkAttributes(
  attributes: Attributes,
  object: ObjectValue,
  path: AttributePath = [],
): Generator<Visit> {
  for (const [name, attribute] of Object.entries(attributes)) {
    const value = object[name] ?? null;
    const here = [...path, name];
    yield { attribute, path: here, value };
    const nested = nestedAttributes(attribute.type);
    if (!nested) continue;
    for (const [step, member] of nestedObjects(attribute, value)) {
      yield* walkAttributes(nested, member, [...here, ...step]);
    }
  }
}

/** The objects inside a nested attribute's value, each with the step that leads to it. */
export function nestedObjects(
  attribute: Attribute,
  value: Value,
): readonly (readonly [AttributePath, ObjectValue])[] {
  if (attribute.type.kind === "object") return isObjectValue(value) ? [[[], value]] : [];
  if (isListValue(value)) {
    return value.flatMap((member, index) => (isObjectValue(member) ? [[[index], member]] : []));
  }
  if (!isObjectValue(value)) return [];
  return Object.entries(value).flatMap(([key, member]) =>
    isObjectValue(member) ? [[[key], member]] : [],
  );
}

/** Rebuilds a value with each nested object replaced by what `change` makes of it. */
export function mapNestedObjects(
  attribute: Attribute,
  value: Value,
  change: (object: ObjectValue, step: AttributePath) => ObjectValue,
): Value {
  if (attribute.type.kind === "object") {
    return isObjectValue(value) ? change(value, []) : value;
  }
  if (isListValue(value)) {
    return value.map((member, index) => (isObjectValue(member) ? change(member, [index]) : member));
  }
  if (!isObjectValue(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key,
      isObjectValue(member) ? change(member, [key]) : member,
    ]),
  );
}
