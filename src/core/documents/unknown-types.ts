import { memberOf } from "../member-of";
import type { Attributes } from "../schema/attribute";
import type { Type } from "../types";
import { UNKNOWN, type ObjectValue } from "../values";

/** The types of the unknown members of an object, of those that can have any type. */
export type UnknownTypes = Readonly<Record<string, Type>>;

/**
 * Returns the types of the unknown members of a planned object: those of the configuration, also
 * for the attributes that have the type of a configured one.
 */
export function unknownTypesOf(
  attributes: Attributes,
  planned: ObjectValue,
  configured: UnknownTypes = {},
): UnknownTypes {
  const types = Object.entries(planned).flatMap(([name, value]) => {
    const { typeOf = name } = memberOf(attributes, name) ?? {};
    const type =
      value === UNKNOWN && memberOf(planned, typeOf) === UNKNOWN
        ? memberOf(configured, typeOf)
        : undefined;
    return type === undefined ? [] : [[name, type] as const];
  });
  return Object.fromEntries(types);
}
