import { parseJson, stringifyJson } from "../../api/json";
import { canonicalJson } from "../collections/members";
import { entriesOf } from "../collections/contents";
import { error, type Diagnostic } from "../diagnostics";
import { optional, string } from "../schema/attribute";
import type { ObjectValue, Value } from "../values";

/**
 * `extra_json`: members of an API object that the specification does not define, as one JSON object.
 * It is compared as JSON, so white space and the order of members do not matter.
 */
export const extraJsonAttribute = optional(
  string(),
  "Additional members as a JSON object, compared as JSON. Members that are not listed keep their values on the console.",
  { equivalent: sameJsonObject },
);

/** Returns the known text if the found members equal it, else these members as found. */
export function decodeExtraJson(
  item: Readonly<Record<string, unknown>>,
  known: string | null,
): string | null {
  if (known === null) return null;
  const members = parseJsonObject(known) ?? {};
  const found = Object.fromEntries(
    Object.keys(members).flatMap((name) => (name in item ? [[name, item[name]]] : [])),
  );
  return canonicalJson(found) === canonicalJson(members) ? known : stringifyJson(found);
}

/** Reports text that is not a JSON object, and members that have their own attribute. */
export function extraJsonErrors(
  config: ObjectValue,
  list: string,
  ownMembers: readonly string[],
): readonly Diagnostic[] {
  return entriesOf(config, list).flatMap((entry, index) => {
    const text: Value = entry.extra_json ?? null;
    if (typeof text !== "string") return [];
    const path = [list, index, "extra_json"];
    const members = parseJsonObject(text);
    if (!members) {
      return [error("Invalid attribute value", "The text is not a JSON object.", path)];
    }
    const own = ownMembers
      .filter((name) => name in members)
      .map((name) => `The member "${name}" has its own attribute. Set it there.`);
    const secret =
      "credential" in members && !ownMembers.includes("credential")
        ? ['The member "credential" would keep a secret in the state. Use a stored credential.']
        : [];
    return [...own, ...secret].map((detail) => error("Invalid attribute value", detail, path));
  });
}

/** Parses a JSON object; returns undefined for any other text. */
export function parseJsonObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value = parseJson(text);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

/** Reports whether two texts are the same JSON object; white space and order do not matter. */
export function sameJsonObject(a: string, b: string): boolean {
  const [one, other] = [parseJsonObject(a), parseJsonObject(b)];
  return one !== undefined && canonicalJson(one) === canonicalJson(other);
}
