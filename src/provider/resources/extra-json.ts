import { parseJson, stringifyJson } from "../../api/json";
import { canonicalJson } from "../collections/digest";
import { entriesOf } from "../collections/contents";
import { error, type Diagnostic } from "../diagnostics";
import { optional, string } from "../schema/attribute";
import type { ObjectValue, Value } from "../values";

/*
 * `extra_json`: members of an API object that the specification leaves open, as one JSON object.
 * It is compared as JSON, so that white space and the order of members make no difference.
 */
export const extraJsonAttribute = optional(
  string(),
  "Further members, as the text of a JSON object; compared as JSON. Members that are not named here stay as they are on the console.",
  { equivalent: sameJsonObject },
);

/** As known where the found object says the same; else the same members, as found. */
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

/** Text that is no JSON object, or that sets what has an attribute of its own. */
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
    return ownMembers
      .filter((name) => name in members)
      .map((name) =>
        error(
          "Invalid attribute value",
          `The member "${name}" has an attribute of its own; set it there.`,
          path,
        ),
      );
  });
}

/** Undefined where the text is no JSON object. */
export function parseJsonObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value = parseJson(text);
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
