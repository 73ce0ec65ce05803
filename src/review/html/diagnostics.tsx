import type { Diagnostic } from "../../core/diagnostics";
import { renderDiagnostic } from "../../formats/text/diagnostic-text";
import { FILE_TEXT } from "../../formats/text/style";

export function DiagnosticText({ diagnostic }: { readonly diagnostic: Diagnostic }) {
  return <pre>{renderDiagnostic(diagnostic, FILE_TEXT).trim()}</pre>;
}

export function Diagnostics({ diagnostics }: { readonly diagnostics: readonly Diagnostic[] }) {
  return (
    <ul>
      {diagnostics.map((diagnostic) => (
        <li class={diagnostic.severity}>
          <DiagnosticText diagnostic={diagnostic} />
        </li>
      ))}
    </ul>
  );
}
