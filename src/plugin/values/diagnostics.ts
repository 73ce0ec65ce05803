import { formatPath, type Diagnostic } from "../../provider/diagnostics";
import type { Attributes } from "../../provider/schema/attribute";
import { Severity } from "../wire/messages";
import { encodePath } from "./attribute-path";

/** Diagnostics as the protocol has them; their paths lead into an object of these attributes. */
export function encodeDiagnostics(attributes: Attributes, diagnostics: readonly Diagnostic[]) {
  return diagnostics.map(({ severity, summary, detail, path = [] }) => ({
    severity: severity === "error" ? Severity.ERROR : Severity.WARNING,
    summary,
    // Of what is inside an attribute Terraform shows the first line of the resource, and no path.
    detail: path.length > 1 ? `${formatPath(path)}: ${detail}` : detail,
    attribute: encodePath(attributes, path),
  }));
}
