import { mapMembers } from "../member-of";
import type { JsonTree } from "../json/format-json";
import { isExactNumber, type ExactJsonNumber } from "../json/lossless-json";
import { exactNumber, type KnownObject, type KnownValue } from "../values";

/**
 * The JSON of a state file. A number is a plain one where that loses nothing, else an
 * `ExactNumber`, which keeps the digits as they were written (9007199254740993, 1.50).
 */
export type Json =
  null | boolean | number | string | ExactJsonNumber | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

export function isJsonArray(json: Json): json is readonly Json[] {
  return Array.isArray(json);
}

export function isJsonObject(value: unknown): value is JsonObject {
  return (
    typeof value === "object" && value !== null && !Array.isArray(value) && !isExactNumber(value)
  );
}

/** Reads a value with all digits of its numbers. */
export function toExactValue(json: Json): KnownValue {
  if (isExactNumber(json)) return exactNumber(json.value);
  if (isJsonArray(json)) return json.map(toExactValue);
  return isJsonObject(json) ? toExactObject(json) : json;
}

/** The same, of an object. */
export function toExactObject(json: JsonObject): KnownObject {
  return mapMembers(json, toExactValue);
}

/** Keeps the order of all members as they were read, where Terraform sorts those of maps. */
export function inOrder(json: Json): JsonTree {
  if (isJsonArray(json)) return json.map(inOrder);
  if (!isJsonObject(json)) return json;
  return new Map(Object.entries(json).map(([key, member]) => [key, inOrder(member)]));
}
