import { z } from "zod";
import type { Diagnostic } from "../../provider/diagnostics";
import type { AttributePath } from "../../provider/values";
import type { Where } from "../expressions/expression";
import { conditions, readConditions } from "./conditions";
import { readReferences, readTraversal } from "./references";
import { errorAt } from "./located";
import { checkShape, flag, single, whatever } from "./shape";
import type { Lifecycle } from "./stack-config";

const checks = { "//": whatever, precondition: conditions, postcondition: conditions };
const ofData = z.strictObject(checks);
const ofManaged = z.strictObject({
  ...checks,
  create_before_destroy: flag.optional(),
  prevent_destroy: flag.optional(),
  ignore_changes: z.union([z.literal("all"), z.array(z.string())]).optional(),
  replace_triggered_by: z.array(z.string()).optional(),
});

/** Reads the `lifecycle` block of a resource or data source; without one, its defaults. */
export async function readLifecycle(
  json: unknown,
  mode: "managed" | "data" | "ephemeral",
  block: Where,
  diagnostics: Diagnostic[],
): Promise<Lifecycle> {
  const where = { ...block, path: [...block.path, "lifecycle"] };
  const schema: z.ZodType<z.infer<typeof ofManaged>> = mode === "managed" ? ofManaged : ofData;
  const read = checkShape(single(schema), json ?? {}, where, diagnostics);
  return {
    createBeforeDestroy: read?.create_before_destroy ?? false,
    preventDestroy: read?.prevent_destroy ?? false,
    ignoreChanges: readIgnoredChanges(read?.ignore_changes ?? [], where, diagnostics),
    replaceTriggeredBy: readReferences(
      read?.replace_triggered_by ?? [],
      where,
      ["replace_triggered_by"],
      diagnostics,
    ),
    preconditions: await readConditions(read?.precondition, where, "precondition", diagnostics),
    postconditions: await readConditions(read?.postcondition, where, "postcondition", diagnostics),
  };
}

function readIgnoredChanges(
  given: "all" | readonly string[],
  where: Where,
  diagnostics: Diagnostic[],
): "all" | readonly AttributePath[] {
  if (given === "all" || (given.length === 1 && given[0] === "all")) return "all";
  return given.flatMap((text, index) => {
    const path = readTraversal(text);
    if (path) return [path];
    diagnostics.push(
      errorAt(
        where,
        "Invalid ignore_changes",
        `The name of an attribute is required, as in "triggers" or "policies[0].name"; not ${JSON.stringify(text)}.`,
        ["ignore_changes", index],
      ),
    );
    return [];
  });
}
