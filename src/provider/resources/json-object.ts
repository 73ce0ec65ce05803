import { parseBody } from "../../api/json";
import { canonicalJson } from "../collections/digest";

/** Undefined where the text is no JSON object. */
export function parseJsonObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value = parseBody(text);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

/** Whether two texts are the same JSON object, but for white space and the order of members. */
export function sameJsonObject(a: string, b: string): boolean {
  const [one, other] = [parseJsonObject(a), parseJsonObject(b)];
  return one !== undefined && canonicalJson(one) === canonicalJson(other);
}
