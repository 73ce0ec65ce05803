import { formatPath, type Diagnostic } from "../../provider/diagnostics";
import type { Attributes } from "../../provider/schema/attribute";
import { Severity } from "../wire/messages";
import { encodePath } from "./attribute-path";

/** Diagnostics as the protocol has them; their paths lead into an object of these attributes. */
export function encodeDiagnostics(attributes: Attributes, diagnostics: readonly Diagnostic[]) {
  return diagnostics.map((diagnostic) => ({
    severity: diagnostic.severity === "error" ? Severity.ERROR : Severity.WARNING,
    summary: diagnostic.summary,
    detail: withPlace(diagnostic),
    attribute: encodePath(attributes, diagnostic.path ?? []),
  }));
}

/** Of what is inside an attribute Terraform shows the first line of the resource, and no path. */
function withPlace({ detail, path = [] }: Diagnostic): string {
  const place = formatPath(path);
  return path.length <= 1 || detail.includes(place) ? detail : `${place}: ${detail}`;
}
