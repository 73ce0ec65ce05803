import type { Noted } from "../../core/notes";
import { quote } from "../../core/printed";
import { memberOf } from "../../core/member-of";
import { z } from "zod";
import { computed, optional, string } from "../../core/schema/attribute";
import { error, type Diagnostic } from "../../core/diagnostics";
import { UNKNOWN, type ObjectValue } from "../../core/values";
import { entriesOf, onDestroyOf } from "./contents";
import { reviewed, type EntriesReview } from "../review-hints";

/** The `id` of a collection resource. */
export function collectionId(id: string) {
  return computed(string(), `Always \`${id}\`: a console has one such collection.`, {
    plan: () => id,
  });
}

export function onDestroyAttribute() {
  return optional(
    string(z.enum(["restore", "clear", "keep"])),
    'Effect of a destroy, as last applied: `restore` puts back the content that the first apply (or the import) found, or removes only the managed entries if `ownership` is not `exclusive`; `clear` empties the collection (with `ownership = "exclusive"` only); `keep` leaves it unchanged.',
    { default: "restore" },
  );
}

/** Offers `exclusive`, the default, and the modes `offered`. */
export function ownershipAttribute(
  offered: readonly ("prefix" | "suffix" | "shared")[],
  description: string,
) {
  return optional(string(z.enum(["exclusive", ...offered])), description, {
    default: "exclusive",
    requiresReplace: true,
  });
}

/** An entry with the key of an earlier one. */
interface Repetition {
  readonly key: string;
  readonly first: number;
  readonly index: number;
}

/** Finds entries with the same key. `keyOfEntry` returns undefined for an unknown key. */
export function repetitions(
  config: ObjectValue,
  list: string,
  keyOfEntry: (entry: ObjectValue) => string | undefined,
): readonly Repetition[] {
  const seen = new Map<string, number>();
  return entriesOf(config, list).flatMap((entry, index) => {
    const key = keyOfEntry(entry);
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
  const keyOfEntry = (entry: ObjectValue) => {
    const values = members.map((member) => memberOf(entry, member) ?? null);
    if (values.includes(UNKNOWN) || values.includes(null)) return undefined;
    return members.map((member, index) => `${member} ${shown(values[index])}`).join(", ");
  };
  return repetitions(config, list, keyOfEntry).map(({ key, first, index }) =>
    error(
      `Duplicate ${members.join(", ")}`,
      `Entries ${first + 1} and ${index + 1} of ${list} have the same ${key}. Each entry must be unique.`,
      [list, index, ...(members.length === 1 ? members : [])],
    ),
  );
}

function shown(value: unknown): string {
  return typeof value === "string" ? quote(value) : JSON.stringify(value);
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

/** The facet of the entries of a collection for reviews, which is named by the end of its path. */
export function entriesReview(
  collection: string,
  [noun, nouns]: readonly [string, string],
  key: readonly string[],
  special: Partial<EntriesReview> = {},
): Noted {
  const base = { noun, nouns, key, collection, ordered: false, onDestroy: onDestroyOf };
  return reviewed({ kind: "entries", ...base, ...special });
}
