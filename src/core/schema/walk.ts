import { UNKNOWN, type AttributePath, type ObjectValue, type Value } from "../values";
import type { Attribute, Attributes } from "./attribute";
import { visitObject } from "./fold";
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
  const visits: Visit[] = [];
  visitObject(attributes, object, (value, place, type) => {
    const { attribute, isElement } = place;
    if (attribute && !isElement) visits.push({ attribute, path: place.path, value });
    return value !== null && value !== UNKNOWN && nestedAttributes(type) !== undefined;
  });
  return visits;
}
