import { createHash } from "node:crypto";
import { isExactNumber, stringifyJson } from "../../api/json";
import { without } from "./members";

/**
 * What a collection holds, as one short text: equal where nothing changed but who changed it last
 * and when.
 */
export function collectionDigest(items: readonly object[], ordered: boolean): string {
  const content = items.map((item) => without(item, "modified", "owner"));
  return sha256(canonicalItems(content, ordered));
}

/** JSON in which equal collections have the same text; `ordered`: the order of the items counts. */
export function canonicalItems(items: readonly object[], ordered: boolean): string {
  const texts = items.map(canonicalJson);
  return `[${(ordered ? texts : texts.sort()).join(",")}]`;
}

/** JSON in which equal values have the same text: members sorted, numbers as they were spelled. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (isExactNumber(value)) return value.value;
  if (typeof value !== "object" || value === null) return stringifyJson(value);
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`);
  return `{${members.join(",")}}`;
}

export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** The first 16 hex digits: enough to notice a change, for secrets of high entropy only. */
export function fingerprint(secret: string): string {
  return sha256(secret).slice(0, 16);
}
