/**
 * Plans as files: what `plan --out` writes, and `show` and `apply` read.
 */
import { encodePlan } from "./encode";
import { formatFile } from "./file";
import type { SavedPlan } from "./model";

export { readSavedPlan } from "./decode";

/**
 * The bytes of a plan file.
 *
 * @param program The version of this program, for people.
 */
export function formatSavedPlan(
  saved: SavedPlan,
  options: { readonly workingDirectory: string; readonly program: string },
): Buffer {
  return formatFile(encodePlan(saved, options.workingDirectory), options.program);
}
