import { z } from "zod";
import { isExactNumber } from "../../provider/lossless-json";
import { givenTypeOf, withDynamicType } from "../../provider/schema/dynamic";
import { isTerraformType, type TerraformType } from "../../provider/schema/terraform";
import {
  exactNumber,
  isListValue,
  isNullValue,
  isObjectValue,
  UNKNOWN,
  type AttributePath,
  type ObjectValue,
  type Value,
} from "../../provider/values";

/** A value as JSON. Unknown parts are null, and their paths are listed. */
interface EncodedValue {
  readonly value: unknown;
  readonly unknown?: readonly AttributePath[];
  /** The types of parts that carry one. */
  readonly types?: readonly (readonly [AttributePath, TerraformType])[];
}

export const attributePath = z.array(z.union([z.string(), z.number()])).readonly();

const encodedValue: z.ZodType<EncodedValue> = z.object({
  value: z.unknown(),
  unknown: z.array(attributePath).readonly().exactOptional(),
  types: z
    .array(z.tuple([attributePath, z.custom<TerraformType>(isTerraformType)]).readonly())
    .readonly()
    .exactOptional(),
});

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

export function encodeValue(value: Value): EncodedValue {
  const unknown: AttributePath[] = [];
  const types: [AttributePath, TerraformType][] = [];
  const strip = (part: Value, path: AttributePath): unknown => {
    if (part === UNKNOWN) {
      unknown.push(path);
      return null;
    }
    const type = givenTypeOf(part);
    if (type !== undefined) types.push([path, type]);
    if (isNullValue(part)) return null;
    if (isListValue(part)) return part.map((item, index) => strip(item, [...path, index]));
    if (!isObjectValue(part)) return part;
    return Object.fromEntries(
      Object.entries(part).map(([key, member]) => [key, strip(member, [...path, key])]),
    );
  };
  const stripped = strip(value, []);
  return {
    value: stripped,
    ...(unknown.length > 0 && { unknown }),
    ...(types.length > 0 && { types }),
  };
}

export function decodeValue({ value, unknown = [], types = [] }: EncodedValue): Value {
  const paths = new Set(unknown.map((path) => JSON.stringify(path)));
  const typeAt = new Map(types.map(([path, type]) => [JSON.stringify(path), type]));
  const restore = (part: unknown, path: AttributePath): Value => {
    const type = typeAt.size > 0 ? typeAt.get(JSON.stringify(path)) : undefined;
    const plain = restorePlain(part, path);
    return type === undefined ? plain : withDynamicType(plain, type);
  };
  const restorePlain = (part: unknown, path: AttributePath): Value => {
    if (paths.size > 0 && paths.has(JSON.stringify(path))) return UNKNOWN;
    if (Array.isArray(part)) return part.map((item, index) => restore(item, [...path, index]));
    if (isExactNumber(part)) return exactNumber(part.value);
    if (typeof part === "object" && part !== null) {
      return Object.fromEntries(
        Object.entries(part).map(([key, member]) => [key, restore(member, [...path, key])]),
      );
    }
    return typeof part === "string" || typeof part === "number" || typeof part === "boolean"
      ? part
      : null;
  };
  return restore(value, []);
}
