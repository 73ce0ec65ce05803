import { createHash } from "node:crypto";
import { isExactNumber, stringifyJson } from "../../api/json";
import { without } from "./members";

/** A hash of a collection's content, without the author and the time of the last change. */
export function collectionDigest(items: readonly object[], ordered: boolean): string {
  const content = items.map((item) => without(item, "modified", "owner"));
  return sha256(canonicalItems(content, ordered));
}

/** JSON with one spelling for equal collections. The order of items counts if `ordered`. */
export function canonicalItems(items: readonly object[], ordered: boolean): string {
  const texts = items.map(canonicalJson);
  return `[${(ordered ? texts : texts.sort()).join(",")}]`;
}

/** JSON with one spelling for equal values: members sorted, numbers as spelled in the source. */
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

/** The first 16 hex digits of a hash, which show a change. For secrets of high entropy only. */
export function fingerprint(secret: string): string {
  return sha256(secret).slice(0, 16);
}
