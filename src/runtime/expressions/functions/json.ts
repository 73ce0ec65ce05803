import type { Value } from "../../../provider/values";
import { compareStrings, isListValue, isObjectValue } from "../../../provider/values";
import { formatNumber } from "../numbers";

/**
 * JSON as Terraform writes it: no blanks, keys in order, numbers without an exponent, and the
 * characters that are unsafe in HTML or JavaScript as escapes. `value` is wholly known.
 */
export function encodeJson(value: Value): string {
  if (isListValue(value)) return `[${value.map(encodeJson).join(",")}]`;
  if (isObjectValue(value)) {
    const members = Object.entries(value)
      .sort(([a], [b]) => compareStrings(a, b))
      .map(([key, member]) => `${encodeString(key)}:${encodeJson(member)}`);
    return `{${members.join(",")}}`;
  }
  if (typeof value === "number") return formatNumber(value);
  return typeof value === "string" ? encodeString(value) : String(value);
}

function encodeString(text: string): string {
  return JSON.stringify(text).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
