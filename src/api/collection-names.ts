import { isRecord } from "../core/member-of";

/**
 * Returns the names of the collections that a scope lists: a console answers names, or each
 * collection whole. Undefined if the value is no list of them.
 */
export function collectionNames(value: unknown): readonly string[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const names = value.map((one: unknown) => (isRecord(one) ? one.name : one));
  return names.every((name) => typeof name === "string") ? names : undefined;
}
