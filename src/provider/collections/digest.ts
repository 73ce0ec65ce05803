import { createHash } from "node:crypto";
import { stringifyBody } from "../../api/json";

/**
 * What a collection holds, as one short text: equal where nothing changed but who changed it last
 * and when.
 */
export function collectionDigest(items: readonly object[], ordered: boolean): string {
  const content = items.map((item) =>
    Object.fromEntries(
      Object.entries(item).filter(([name]) => name !== "modified" && name !== "owner"),
    ),
  );
  return sha256(canonicalItems(content, ordered));
}

/** JSON in which equal collections have the same text; `ordered`: the order of the items counts. */
export function canonicalItems(items: readonly object[], ordered: boolean): string {
  const texts = items.map(canonicalJson);
  return `[${(ordered ? texts : texts.sort()).join(",")}]`;
}

/** JSON in which equal values have the same text. */
export function canonicalJson(value: unknown): string {
  return stringifyBody(sortMembers(value));
}

export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** The first 16 hex digits: enough to notice a change, for secrets of high entropy only. */
export function fingerprint(secret: string): string {
  return sha256(secret).slice(0, 16);
}

function sortMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortMembers);
  // Numbers that keep their spelling are objects of a class; they have no members to sort.
  if (typeof value !== "object" || value === null) return value;
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => [name, sortMembers(member)]),
  );
}
