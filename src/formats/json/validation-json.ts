import { hasErrors, type Diagnostic } from "../../core/diagnostics";
import { formatJson, struct } from "../../core/json/format-json";
import { describeDiagnostic } from "../ui-stream/message";

/** Renders the result of a validation as `terraform validate -json` does, on one line. */
export function renderValidationJson(diagnostics: readonly Diagnostic[]): string {
  const count = (severity: Diagnostic["severity"]) =>
    diagnostics.filter((one) => one.severity === severity).length;
  return formatJson(
    struct([
      ["format_version", "1.0"],
      ["valid", !hasErrors(diagnostics)],
      ["error_count", count("error")],
      ["warning_count", count("warning")],
      ["diagnostics", diagnostics.map(describeDiagnostic)],
    ]),
  );
}
