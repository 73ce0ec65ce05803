import { mapMembers } from "../../core/member-of";
import { z } from "zod";
import { givenTypeOf, withDynamicType } from "../../core/schema/dynamic";
import { decodeType, encodeType } from "../../core/type-json";
import type { Type } from "../../core/types";
import {
  isListValue,
  isObjectValue,
  isWhollyKnown,
  type AttributePath,
  type ObjectValue,
  type Value,
} from "../../core/values";
import { knownPart, unknownTree, withUnknowns } from "../../core/documents/partial-value";

export const attributePathSchema = z.array(z.union([z.string(), z.number()])).readonly();

/** A type in a plan file. */
const fileType = z.codec(z.unknown(), z.custom<Type>(), {
  decode: (json, context) => {
    const type = decodeType(json);
    if (type) return type;
    context.issues.push({ code: "custom", message: "is no type", input: json });
    return z.NEVER;
  },
  encode: encodeType,
});

/** A value in a plan file: as in the JSON of a plan, with the types of the parts that carry one. */
const encodedValue = z.object({
  /** Absent for null. Not validated: the checksum shows that it is whole. */
  known: z.custom<Value>().optional(),
  /** Absent for a value that is wholly known. */
  unknown: z.unknown().optional(),
  types: z.array(z.tuple([attributePathSchema, fileType])).optional(),
});
type EncodedValue = z.output<typeof encodedValue>;
type Types = [AttributePath, Type][];

/** A value in a plan file. */
export const fileValue = z.codec(encodedValue, z.custom<Value>(), {
  decode: decodeValue,
  encode: encodeValue,
});

/** An object in a plan file. */
export const fileObject = z.codec(encodedValue, z.custom<ObjectValue>(), {
  decode: (encoded) => {
    const value = decodeValue(encoded);
    return isObjectValue(value) ? value : {};
  },
  encode: encodeValue,
});

function encodeValue(value: Value): EncodedValue {
  const types: Types = [];
  noteTypes(value, [], types);
  return {
    known: knownPart(value, true),
    ...(!isWhollyKnown(value) && { unknown: unknownTree(value) }),
    ...(types.length > 0 && { types }),
  };
}

function noteTypes(value: Value, path: AttributePath, types: Types): void {
  const type = givenTypeOf(value);
  if (type !== undefined) types.push([path, type]);
  if (isListValue(value)) {
    for (const [index, one] of value.entries()) noteTypes(one, [...path, index], types);
  } else if (isObjectValue(value)) {
    for (const [key, member] of Object.entries(value)) noteTypes(member, [...path, key], types);
  }
}

function decodeValue({ known = null, unknown, types = [] }: EncodedValue): Value {
  const value = withUnknowns(known, unknown);
  if (types.length === 0) return value;
  const typeAt = new Map(types.map(([path, type]) => [JSON.stringify(path), type]));
  const typed = (part: Value, path: AttributePath): Value => {
    const type = typeAt.get(JSON.stringify(path));
    const inner = withTypedParts(part, path);
    return type === undefined ? inner : withDynamicType(inner, type);
  };
  const withTypedParts = (part: Value, path: AttributePath): Value => {
    if (isListValue(part)) return part.map((one, index) => typed(one, [...path, index]));
    if (!isObjectValue(part)) return part;
    return mapMembers(part, (member, key) => typed(member, [...path, key]));
  };
  return typed(value, []);
}
