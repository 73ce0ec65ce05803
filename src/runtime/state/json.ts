import { LosslessNumber, isLosslessNumber, parse } from "lossless-json";
import type { KnownObject, KnownValue } from "../../provider/values";

/**
 * JSON as it stands in a state file. A number is a plain one where that loses nothing, else an
 * `ExactNumber`, which keeps the digits as they were written (9007199254740993, 1.50).
 */
export type Json = null | boolean | number | string | ExactNumber | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

/** A number by its digits: lossless-json's `LosslessNumber`. */
export interface ExactNumber {
  readonly value: string;
  valueOf(): number | bigint;
}

export function isExactNumber(value: unknown): value is ExactNumber {
  return isLosslessNumber(value);
}

export function isJsonArray(json: Json): json is readonly Json[] {
  return Array.isArray(json);
}

export function isJsonObject(value: unknown): value is JsonObject {
  return (
    typeof value === "object" && value !== null && !Array.isArray(value) && !isExactNumber(value)
  );
}

/** Throws a SyntaxError that names a position. Of a repeated key the last one counts, as in Go. */
export function parseJson(text: string): unknown {
  return parse(text, null, {
    parseNumber: (digits) =>
      String(Number(digits)) === digits ? Number(digits) : new LosslessNumber(digits),
    onDuplicateKey: ({ newValue }) => newValue,
  });
}

/** For reading by a schema: numbers beyond a double's precision are rounded. */
export function toKnownValue(json: Json): KnownValue {
  if (isExactNumber(json)) return Number(json.value);
  if (isJsonArray(json)) return json.map(toKnownValue);
  return isJsonObject(json) ? toKnownObject(json) : json;
}

/** The same, of an object. */
export function toKnownObject(json: JsonObject): KnownObject {
  return Object.fromEntries(
    Object.entries(json).map(([key, member]) => [key, toKnownValue(member)]),
  );
}
