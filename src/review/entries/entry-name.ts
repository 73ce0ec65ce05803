import { memberOf } from "../../core/member-of";
import { isListValue, isObjectValue, isWhollyKnown, type Value } from "../../core/values";
import type { EntriesReview } from "../../provider/review-hints";

type Key = EntriesReview["key"];

/** Equal for the entries of one name. Undefined where the name is not wholly known: it equals none. */
export function identityOfEntry(entry: Value, key: Key): string | undefined {
  const parts = partsOfName(entry, key);
  return parts && JSON.stringify(parts);
}

/** The name as text, such as `deny root` or `registry repository tag`; undefined as `identityOf`. */
export function nameOf(entry: Value, key: Key): string | undefined {
  return partsOfName(entry, key)
    ?.filter((part) => part !== "")
    .join(" ");
}

function partsOfName(entry: Value, key: Key): readonly string[] | undefined {
  if (!isObjectValue(entry)) return undefined;
  const parts = key
    .map((name) => memberOf(entry, name) ?? "")
    .flatMap((part) => partOfName(part) ?? []);
  return parts.length === key.length ? parts : undefined;
}

function partOfName(part: Value): string | undefined {
  if (typeof part === "string") return part;
  return isListValue(part) && isWhollyKnown(part) ? part.map(String).join(",") : undefined;
}
