import { isListValue, isObjectValue, type ObjectValue, type Value } from "../core/values";
import { namesIn as namesOf } from "../provider/collections/named-collections";
import { parseJsonObject } from "../provider/resources/extra-json";
import { isToken } from "./tokens";

/** The names of all collections that a configuration names, in `extra_json` too, as far as they are known. */
export function collectionsNamedIn(config: ObjectValue): readonly string[] {
  const names = namesIn(config).filter((name) => !isToken(name));
  return [...new Set(names)];
}

function namesIn(value: Value): readonly string[] {
  if (isListValue(value)) return value.flatMap(namesIn);
  if (!isObjectValue(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    if (name === "collections") return namesOf({ collections: member }) ?? [];
    if (name !== "extra_json" || typeof member !== "string") return namesIn(member);
    return namesOf(parseJsonObject(member) ?? {}) ?? [];
  });
}
