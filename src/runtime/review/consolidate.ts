import type { Diagnostic } from "../../provider/diagnostics";

/**
 * Warnings that say the same of several objects, as one that tells how many more there are, in
 * Terraform's words. Errors are never folded: each one has to be mended.
 */
export function consolidateWarnings(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const warnings = diagnostics.filter(({ severity }) => severity === "warning");
  return diagnostics.flatMap((diagnostic) => {
    if (diagnostic.severity === "error") return [diagnostic];
    const similar = warnings.filter(({ summary }) => summary === diagnostic.summary);
    if (similar[0] !== diagnostic) return [];
    const more = similar.length - 1;
    if (more === 0) return [diagnostic];
    const noun = more === 1 ? "warning" : "warnings";
    const detail = `${diagnostic.detail}\n\n(and ${more} more similar ${noun} elsewhere)`;
    return [{ ...diagnostic, detail }];
  });
}
