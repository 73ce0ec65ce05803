import { differingPaths } from "../../core/differing-paths";
import { error, formatPath, type Diagnostic } from "../../core/diagnostics";
import { memberOf } from "../../core/member-of";
import { joined, printed } from "../../core/printed";
import {
  canonicalSet,
  isListValue,
  valuesEqual,
  type AttributePath,
  type ObjectValue,
  type Value,
} from "../../core/values";
import type { ManagedCollection } from "./managed-collection";
import type { EntryCodec } from "./ownership";

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

/** Reports entries that the console stored under another spelling. A repair would add them again. */
export function storedOtherwise<Item>(
  { keyOfItem }: Pick<EntryCodec<Item>, "keyOfItem">,
  written: readonly Item[],
  after: readonly Item[],
): Diagnostic | undefined {
  const [keys, found] = [written, after].map(
    (items) => new Set(items.map((one) => keyOfItem(one))),
  );
  if (!keys || !found) return undefined;
  const others = [...found].filter((key) => !keys.has(key));
  const names = [...keys].flatMap((key) => {
    const other = others.find((one) => spelling(one) === spelling(key));
    return found.has(key) || other === undefined ? [] : [{ key, other }];
  });
  if (names.length === 0) return undefined;
  const lines = names.map(({ key, other }) => printed`  - ${key} as ${other}`);
  return error(
    "Console gave entries another name",
    printed`It stored:\n${joined(lines, "\n")}\nWrite these names in the configuration: with another one, each apply adds an entry.`,
  );
}

/** A name without what consoles change in names: letter case, a scheme, blanks and slashes at the end. */
function spelling(name: string): string {
  const bare = name.toLowerCase().replaceAll(/[a-z][a-z0-9+.-]*:\/\//g, "");
  return bare
    .replaceAll(/\/+(?=\s|$)/g, "")
    .replaceAll(/\s+/g, " ")
    .trim();
}

/** Reports an entry whose planned secrets nothing provides. */
export function secretsUnknown(key: string, path: AttributePath): Diagnostic {
  return error(
    "Credential is not in the configuration",
    `Nothing was written, because the planned credential of ${JSON.stringify(key)} is new or changed, and the configuration has no such credential for this entry. Its secrets are write-only, so neither the state nor the console can provide them. If the entry is in "ignore_changes", remove it from there, or configure the entry as it is on the console.`,
    path,
  );
}
