import { formatPath, type Diagnostic } from "../../provider/diagnostics";
import type { Attributes } from "../../provider/schema/attribute";
import { Severity } from "../wire/messages";
import { encodePath } from "./attribute-path";

/** Encodes diagnostics of an object with these attributes. */
export function encodeDiagnostics(attributes: Attributes, diagnostics: readonly Diagnostic[]) {
  return diagnostics.map((diagnostic) => ({
    severity: diagnostic.severity === "error" ? Severity.ERROR : Severity.WARNING,
    summary: diagnostic.summary,
    detail: withPlace(diagnostic),
    attribute: encodePath(attributes, diagnostic.path ?? []),
  }));
}

/** Adds the path of a nested attribute, since Terraform shows none. */
function withPlace({ detail, path = [] }: Diagnostic): string {
  const place = formatPath(path);
  return path.length <= 1 || detail.includes(place) ? detail : `${place}: ${detail}`;
}
