import { z } from "zod";
import { computed, optional, string } from "../schema/attribute";

/** What every collection resource has. */
export function collectionId(id: string) {
  return computed(string(), `Always \`${id}\`: a console has one such collection.`, {
    plan: () => id,
  });
}

export function onDestroyAttribute() {
  return optional(
    string(z.enum(["restore", "clear", "keep"])),
    'What a destroy does, as last applied: `restore` puts back what the first apply (or the import) found, or, where the collection is shared with others, removes what is managed; `clear` empties the collection (with `ownership = "exclusive"` only); `keep` leaves it as it is.',
    { default: "restore" },
  );
}

/** `offered`: beside `exclusive`, the default. */
export function ownershipAttribute(
  offered: readonly ("prefix" | "suffix" | "shared")[],
  description: string,
) {
  return optional(string(z.enum(["exclusive", ...offered])), description, {
    default: "exclusive",
    requiresReplace: true,
  });
}
