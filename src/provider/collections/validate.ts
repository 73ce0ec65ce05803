import { error, type Diagnostic } from "../diagnostics";
import { UNKNOWN, type ObjectValue } from "../values";
import { entriesOf } from "./contents";

/** Entries that stand for the same thing on the console: an error at each but the first. */
export function duplicateKeys(
  config: ObjectValue,
  list: string,
  members: readonly string[],
): readonly Diagnostic[] {
  const seen = new Map<string, number>();
  return entriesOf(config, list).flatMap((entry, index) => {
    const values = members.map((member) => entry[member] ?? null);
    if (values.includes(UNKNOWN) || values.includes(null)) return [];
    const key = JSON.stringify(values);
    const first = seen.get(key);
    if (first === undefined) {
      seen.set(key, index);
      return [];
    }
    return [
      error(
        `Duplicate ${members.join(", ")}`,
        `${list}[${first}] already has ${members.map((member) => `${member} ${JSON.stringify(entry[member])}`).join(", ")}. Each entry needs its own.`,
        [list, index, members.length === 1 ? (members[0] ?? "") : ""].filter((step) => step !== ""),
      ),
    ];
  });
}

/** `clear` would take away what others made. */
export function clearNeedsExclusive(config: ObjectValue): readonly Diagnostic[] {
  const { ownership, on_destroy: onDestroy } = config;
  const shared = typeof ownership === "string" && ownership !== "exclusive";
  if (onDestroy !== "clear" || !shared) return [];
  return [
    error(
      "Invalid attribute combination",
      `on_destroy = "clear" empties the whole collection, so it needs ownership = "exclusive"; with "${ownership}", use "restore" or "keep".`,
      ["on_destroy"],
    ),
  ];
}
