import { differingPaths } from "../../core/differing-paths";
import { error, formatPath, type Diagnostic } from "../../core/diagnostics";
import { memberOf } from "../../core/member-of";
import { printed } from "../../core/printed";
import {
  canonicalSet,
  isListValue,
  valuesEqual,
  type AttributePath,
  type ObjectValue,
  type Value,
} from "../../core/values";
import type { ManagedCollection } from "./managed-collection";

const MOST_PATHS = 5;

/** Reports a console that did not keep what was written: every plan would show a change. */
export function confirmWritten(
  { what, list, attributes }: Pick<ManagedCollection<object>, "what" | "list" | "attributes">,
  wanted: ObjectValue,
  reached: ObjectValue,
) {
  if (valuesEqual(wanted, reached)) return { state: wanted };
  const paths = differingPaths(wanted, reached).map(formatPath);
  const shown = paths.slice(0, MOST_PATHS).join(", ");
  const more = paths.length > MOST_PATHS ? ` and ${paths.length - MOST_PATHS} more` : "";
  const unordered = attributes.order ? ', or set order to "none"' : "";
  const detail = valuesEqual(entriesIn(wanted, list), entriesIn(reached, list))
    ? `The console accepted the request, but keeps the entries in its own order. Run a plan to see that order, and write the entries in it${unordered}.`
    : printed`The console accepted the request, but what is read afterwards differs at ${shown}${more}: it changed or dropped a value, or another run wrote the same collection at the same time. Run a plan to see the difference.`;
  const changed = error(`Console changed the ${what} that were written`, detail, [list]);
  return { state: reached, diagnostics: [changed] };
}

/** The entries in a canonical order. */
function entriesIn(state: ObjectValue, list: string): Value {
  const entries = memberOf(state, list) ?? null;
  return isListValue(entries) ? canonicalSet(entries) : entries;
}

/** Reports an entry whose planned secrets nothing provides. */
export function secretsUnknown(key: string, path: AttributePath): Diagnostic {
  return error(
    "Credential is not in the configuration",
    `Nothing was written, because the planned credential of ${JSON.stringify(key)} is new or changed, and the configuration has no such credential for this entry. Its secrets are write-only, so neither the state nor the console can provide them. If the entry is in "ignore_changes", remove it from there, or configure the entry as it is on the console.`,
    path,
  );
}
