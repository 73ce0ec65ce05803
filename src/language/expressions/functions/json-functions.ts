import { parseJson } from "../../../core/json/lossless-json";
import { isNumberValue, type Evaluated, type KnownValue } from "../../../core/values";
import { rangeOf } from "../ranges";
import { parseNumber } from "../numbers";
import { ANY, BOOL, NUMBER, STRING, type Type } from "../../../core/types";
import { fail } from "./language-function";

/** Returns the type of the value of a JSON text by the known start of an unknown one. */
export function typeOfJson([text = null]: readonly Evaluated[]): Type {
  const { prefix = "" } = rangeOf(text);
  const [first] = prefix.trim();
  if (first === undefined || "{[n".includes(first)) return ANY;
  if (first === '"') return STRING;
  if (first === "t" || first === "f") return BOOL;
  return /[-\d]/.test(first) ? NUMBER : fail("no JSON begins like this string", "str");
}

/** Decodes JSON with exact numbers; of a repeated key the last one counts. Throws a SyntaxError. */
export function decodeJson(text: string): KnownValue {
  return fromJson(parseJson(text, (digits) => parseNumber(digits) ?? 0));
}

/**
 * Returns parsed JSON as a value, without a template in it. Normalizes strings as cty does, and
 * replaces halves of surrogate pairs.
 */
export function fromJson(json: unknown): KnownValue {
  if (typeof json === "string") return cleanText(json);
  if (isNumberValue(json) || typeof json === "boolean") return json;
  if (Array.isArray(json)) return json.map(fromJson);
  if (typeof json !== "object" || json === null) return null;
  return Object.fromEntries(
    Object.entries(json).map(([key, member]) => [cleanText(key), fromJson(member)]),
  );
}

function cleanText(text: string): string {
  return text.replace(/\p{Surrogate}/gu, "\uFFFD").normalize("NFC");
}
