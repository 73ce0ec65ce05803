import { error, type Diagnostic } from "../../core/diagnostics";
import { valuesEqual, type AttributePath, type ObjectValue } from "../../core/values";
import type { ManagedCollection } from "./managed-collection";

/** Reports a console that did not keep what was written: every plan would show a change. */
export function confirmWritten(
  { what, list }: Pick<ManagedCollection<object>, "what" | "list">,
  wanted: ObjectValue,
  reached: ObjectValue,
) {
  if (valuesEqual(wanted, reached)) return { state: wanted };
  return {
    state: reached,
    diagnostics: [
      error(
        `Console changed the ${what} that were written`,
        "The console accepted the request, but the entries read afterwards differ: it changed or dropped a value, or another run wrote the same collection at the same time. Run a plan to see the difference.",
        [list],
      ),
    ],
  };
}

/** Reports an entry whose planned secrets nothing provides. */
export function secretsUnknown(key: string, path: AttributePath): Diagnostic {
  return error(
    "Credential is not in the configuration",
    `Nothing was written, because the planned credential of ${JSON.stringify(key)} is new or changed, and the configuration has no such credential for this entry. Its secrets are write-only, so neither the state nor the console can provide them. If the entry is in "ignore_changes", remove it from there, or configure the entry as it is on the console.`,
    path,
  );
}
