import { valueAt, valuesEqual, type AttributePath } from "../../provider/values";
import type { ResourceConfig } from "../config/stack-config";
import { formatSubject, type Reference } from "../expressions/reference";
import type { PreparedChange } from "./prepared";
import type { StackRun } from "./run";

/** Reports whether a reference of `replace_triggered_by` changes. */
export function isTriggered({ lifecycle }: ResourceConfig, run: StackRun): boolean {
  return lifecycle.replaceTriggeredBy.some((reference) => {
    const changes = run.changes.get(formatSubject(reference.subject)) ?? [];
    return changes.some((change) => changesWhat(reference, change));
  });
}

function changesWhat({ path }: Reference, { change }: PreparedChange): boolean {
  const rest = behindKey(path, change.key);
  if (!rest) return false;
  const { action, before, after } = change;
  // Of a whole resource only changes of objects that exist count, as in Terraform.
  if (rest.length === 0) {
    return (
      action === "update" || action === "delete-then-create" || action === "create-then-delete"
    );
  }
  return action !== "no-op" && !valuesEqual(valueAt(before, rest), valueAt(after, rest));
}

/** Returns the path inside the instance; undefined if it names another instance. */
function behindKey(
  path: AttributePath,
  key: string | number | undefined,
): AttributePath | undefined {
  if (key === undefined || path.length === 0) return path;
  return path[0] === key ? path.slice(1) : undefined;
}
