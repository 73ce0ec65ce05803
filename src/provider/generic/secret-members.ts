import type { JsonItem } from "../../api/catalogue/described-list";
import { isRecord, memberOf } from "../../core/member-of";
import { isNullValue, type ObjectValue } from "../../core/values";
import { membersNamedIn } from "../collections/contents";

/**
 * Returns a function that finds the secrets among the members of an item: those that `write_only` or
 * the catalogue names, and those that are named like one. Members that the entries name are none: a
 * state has them anyway.
 *
 * @param object - a configuration or a state; `list` is its attribute with the entries
 * @param before - the names that `write_only` has had
 */
export function secretsIn(
  object: ObjectValue,
  list: string,
  secrets: readonly string[],
  before: readonly string[],
): (item: JsonItem) => readonly string[] {
  const plain = membersNamedIn(object, list);
  const written = [...before, ...membersNamedIn(object, "write_only")];
  const named = new Set([...secrets, ...written]);
  // A killed provider loses the names, but not the version.
  const isAny = !isNullValue(object.write_only_version ?? null) && written.length === 0;
  return (item) =>
    Object.entries(item).flatMap(([name, value]) =>
      !plain.includes(name) && (isAny || named.has(name) || isLikeSecret(value, name))
        ? [name]
        : [],
    );
}

/** The members of an item that look like secrets, or have one inside. */
export function likeSecrets(item: JsonItem): readonly string[] {
  return Object.keys(item).filter((name) => isLikeSecret(memberOf(item, name), name));
}

const SECRET = /pass(?:word|phrase|wd)|secret|token|api_?key|private_?key|credential$/i;

function isLikeSecret(value: unknown, name: string): boolean {
  if (SECRET.test(name)) {
    return (typeof value === "string" && value !== "") || (typeof value === "object" && !!value);
  }
  if (Array.isArray(value)) return value.some((one) => isLikeSecret(one, name));
  return isRecord(value) && likeSecrets(value).length > 0;
}
