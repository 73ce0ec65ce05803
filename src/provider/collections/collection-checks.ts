import { error, type Diagnostic } from "../diagnostics";
import { UNKNOWN, type ObjectValue } from "../values";
import { entriesOf } from "./contents";

/** An entry with the key of an earlier one. */
export interface Repetition {
  readonly key: string;
  readonly first: number;
  readonly index: number;
}

/** Finds entries with the same key. `keyOf` returns undefined for an unknown key. */
export function repetitions(
  config: ObjectValue,
  list: string,
  keyOf: (entry: ObjectValue) => string | undefined,
): readonly Repetition[] {
  const seen = new Map<string, number>();
  return entriesOf(config, list).flatMap((entry, index) => {
    const key = keyOf(entry);
    if (key === undefined) return [];
    const first = seen.get(key);
    if (first !== undefined) return [{ key, first, index }];
    seen.set(key, index);
    return [];
  });
}

/** Reports every entry that repeats the `members` of an earlier one. */
export function duplicateKeys(
  config: ObjectValue,
  list: string,
  members: readonly string[],
): readonly Diagnostic[] {
  const keyOf = (entry: ObjectValue) => {
    const values = members.map((member) => entry[member] ?? null);
    if (values.includes(UNKNOWN) || values.includes(null)) return undefined;
    return members.map((member, index) => `${member} ${JSON.stringify(values[index])}`).join(", ");
  };
  return repetitions(config, list, keyOf).map(({ key, first, index }) =>
    error(
      `Duplicate ${members.join(", ")}`,
      `${list}[${first}] already has ${key}. Each entry must be unique.`,
      [list, index, ...(members.length === 1 ? members : [])],
    ),
  );
}

/** Refuses `clear` for a shared collection, since it would remove unmanaged entries. */
export function clearNeedsExclusive(config: ObjectValue): readonly Diagnostic[] {
  const { ownership, on_destroy: onDestroy } = config;
  const shared = typeof ownership === "string" && ownership !== "exclusive";
  if (onDestroy !== "clear" || !shared) return [];
  return [
    error(
      "Invalid attribute combination",
      `on_destroy = "clear" empties the whole collection, so it requires ownership = "exclusive". With "${ownership}", use "restore" or "keep".`,
      ["on_destroy"],
    ),
  ];
}
