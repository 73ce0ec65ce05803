import type { Diagnostic } from "../provider/diagnostics";
import { consolidate } from "./consolidate";

/** What reviewers are told where there is no plan: errors first, what says the same once. */
export function failureDiagnostics(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const told = consolidate(diagnostics);
  const isError = ({ severity }: Diagnostic) => severity === "error";
  return [...told.filter(isError), ...told.filter((diagnostic) => !isError(diagnostic))];
}
