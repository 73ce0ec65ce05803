import { memberOf } from "../../core/member-of";
import { parseJson, stringifyJson } from "../../core/json/lossless-json";
import { canonicalJson, isFilledIn, without } from "../collections/members";
import { entriesOf } from "../collections/contents";
import { namesIn } from "../collections/named-collections";
import { error, type Diagnostic } from "../../core/diagnostics";
import { likeSecrets } from "../generic/secret-members";
import { optional, string } from "../../core/schema/attribute";
import type { ObjectValue, Value } from "../../core/values";

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
    Object.keys(members).flatMap((name) =>
      Object.hasOwn(item, name) ? [[name, memberOf(item, name)]] : [],
    ),
  );
  const isSame = canonicalJson(namesOnly(found)) === canonicalJson(namesOnly(members));
  return isSame ? known : stringifyJson(found);
}

/** Collections are compared by name, in any order: a console may answer them whole. */
function namesOnly(members: object): object {
  const names = namesIn(members);
  return names ? { ...members, collections: [...new Set(names)].sort() } : members;
}

/**
 * Returns the members of an item that have no attribute and a value, as text for `extra_json`; null
 * if there are none. Members with secrets are left out, and an inline credential, as everywhere
 * (section 9.1).
 */
export function otherMembers(item: object, known: readonly string[]): string | null {
  const secret = likeSecrets({ ...item }).map(([name = ""]) => name);
  const others = Object.entries(without(item, ...known, ...secret, "credential")).filter(
    ([, value]) => !isFilledIn(value),
  );
  if (others.length === 0) return null;
  const text = stringifyJson(Object.fromEntries(others));
  // Terraform normalizes text, which would change these members.
  const isKept = text.normalize("NFC") === text && !/\p{Surrogate}/u.test(text);
  return isKept ? text : text.replace(/[^\x20-\x7e]/g, unicodeEscape);
}

function unicodeEscape(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/**
 * Reports text that is not a JSON object, and members that have their own attribute or that the
 * console sets.
 */
export function extraJsonErrors(
  config: ObjectValue,
  list: string,
  ownMembers: readonly string[],
  setByConsole: readonly string[] = [],
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
      .filter((name) => Object.hasOwn(members, name))
      .map((name) => `The member "${name}" has its own attribute. Set it there.`);
    const fixed = setByConsole
      .filter((name) => Object.hasOwn(members, name))
      .map((name) => `The console sets the member "${name}" itself. Remove it.`);
    const secret =
      "credential" in members && !ownMembers.includes("credential")
        ? ['The member "credential" would keep a secret in the state. Use a stored credential.']
        : [];
    return [...own, ...fixed, ...secret].map((detail) =>
      error("Invalid attribute value", detail, path),
    );
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
