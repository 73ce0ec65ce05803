import { UNKNOWN, type AttributePath, type ObjectValue, type Value } from "../values";
import type { Attribute, Attributes } from "./attribute";
import { collects, foldObject, type Place } from "./fold";
import { nestedAttributes } from "./terraform";

/** One attribute of an object with its value. */
export interface Visit {
  readonly attribute: Attribute;
  readonly path: AttributePath;
  readonly value: Value;
}

/**
 * Lists every attribute of an object, those of nested objects after the attribute that holds them.
 * Nothing inside a null or an unknown is listed.
 */
export function walkAttributes(attributes: Attributes, object: ObjectValue): readonly Visit[] {
  return foldObject<Value, readonly Visit[], Attribute>(attributes, object, {
    ...collects(visit),
    settle: (value, type, place) =>
      value === null || value === UNKNOWN || !nestedAttributes(type)
        ? visit(value, place)
        : undefined,
  });
}

function visit(value: Value, { path, attributes, isElement }: Place<Attribute>): readonly Visit[] {
  const attribute = attributes.at(-1);
  return attribute && !isElement ? [{ attribute, path, value }] : [];
}
