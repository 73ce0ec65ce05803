import { z } from "zod";
import { computed, optional, string } from "../schema/attribute";

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
