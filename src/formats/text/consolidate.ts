import { joined, type Printed } from "../../core/printed";
import { formatPlace, withParagraph, type Diagnostic } from "../../core/diagnostics";
import { groupBy } from "../../core/group-by";

/**
 * Combines diagnostics that are alike. Warnings with one summary become the first of them with the
 * number of the others, as in Terraform; errors with one text become one that lists the other
 * objects. Errors at an attribute stay separate, because each is fixed at its attribute.
 */
export function consolidate(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return groupBy(diagnostics, subjectOf).map(([first, ...others]) => {
    if (others.length === 0) return first;
    const more = first.severity === "warning" ? moreWarnings(others) : moreObjects(others);
    return withParagraph(first, more);
  });
}

/** A key that diagnostics of several stacks share which are shown once: warnings by their summaries. */
export function keyInStacks(diagnostic: Diagnostic): string {
  const { severity, summary, detail, address = "", path = [] } = diagnostic;
  return JSON.stringify(
    isAlikeBySummary(diagnostic) ? [severity, summary] : [severity, summary, detail, address, path],
  );
}

/** Warnings are alike by their summaries. Each result of a check is shown, as in Terraform. */
function isAlikeBySummary({ severity, address }: Diagnostic): boolean {
  return severity === "warning" && address?.startsWith("check.") !== true;
}

function subjectOf(diagnostic: Diagnostic): unknown {
  const { severity, summary, detail, path } = diagnostic;
  if (isAlikeBySummary(diagnostic)) return JSON.stringify([severity, summary]);
  if (severity === "warning") return diagnostic;
  return path === undefined ? JSON.stringify([severity, summary, detail]) : diagnostic;
}

function moreWarnings({ length }: readonly Diagnostic[]): string {
  return `(and ${length} more similar ${length === 1 ? "warning" : "warnings"} elsewhere)`;
}

function moreObjects(others: readonly Diagnostic[]): Printed {
  const places = others.flatMap((other) => formatPlace(other) ?? []);
  return joined(
    ["Other objects with the same error:", ...places.map((place) => `  ${place}`)],
    "\n",
  );
}

/** The diagnostics of a run without a plan, combined, errors first. */
export function failureDiagnostics(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const rank = ({ severity }: Diagnostic) => (severity === "error" ? 0 : 1);
  // Validation reports a warning of a block before its plan does.
  const distinct = groupBy(diagnostics, (one) => JSON.stringify({ ...one, entry: undefined }));
  const combined = consolidate(distinct.map(([first]) => first));
  return [...combined].sort((a, b) => rank(a) - rank(b));
}
