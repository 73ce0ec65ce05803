import { formatPlace, type Diagnostic } from "../provider/diagnostics";

/**
 * What is told once though it was met several times: warnings of one kind, as the first one with
 * how many more there are, in Terraform's words, and errors that say the same word for word, with
 * all the objects that met it. An error that is at an attribute is mended there, so it stays.
 */
export function consolidate(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const groups = new Map<unknown, [Diagnostic, ...Diagnostic[]]>();
  for (const diagnostic of diagnostics) {
    const subject = subjectOf(diagnostic);
    const group = groups.get(subject);
    if (group) group.push(diagnostic);
    else groups.set(subject, [diagnostic]);
  }
  return [...groups.values()].map(([first, ...others]) => {
    if (others.length === 0) return first;
    const more = first.severity === "warning" ? moreWarnings(others) : moreObjects(others);
    return { ...first, detail: `${first.detail}\n\n${more}` };
  });
}

/** Equal for what is told once; nothing but itself for what stands alone. */
function subjectOf(diagnostic: Diagnostic): unknown {
  const { severity, summary, detail, path } = diagnostic;
  if (severity === "warning") return JSON.stringify([severity, summary]);
  return path === undefined ? JSON.stringify([severity, summary, detail]) : diagnostic;
}

function moreWarnings({ length }: readonly Diagnostic[]): string {
  return `(and ${length} more similar ${length === 1 ? "warning" : "warnings"} elsewhere)`;
}

function moreObjects(others: readonly Diagnostic[]): string {
  const places = others.flatMap((other) => formatPlace(other) ?? []);
  return ["The same was met by:", ...places.map((place) => `  ${place}`)].join("\n");
}
