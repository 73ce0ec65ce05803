import { memberOf } from "../../core/member-of";
import { formatPath, type Diagnostic } from "../../core/diagnostics";
import type { Attribute, Attributes, Kind } from "../../core/schema/attribute";
import type { AttributePath } from "../../core/values";
import { DiagnosticSeverity } from "../wire/messages";

/** A step of a path: an attribute of an object, or an element of a collection. */
type PathStep =
  | { readonly attributeName: string }
  | { readonly elementKeyString: string }
  | { readonly elementKeyInt: number };

/**
 * Encodes a path in a value of the schema; undefined if it names nothing of the schema. It ends at
 * a set, whose elements have no index.
 */
export function encodePath(
  attributes: Attributes,
  path: AttributePath,
): { readonly steps: readonly PathStep[] } | undefined {
  const steps: PathStep[] = [];
  let at: Kind = { kind: "object", attributes };
  for (const step of path) {
    if (at.kind === "object" && typeof step === "string") {
      const attribute: Attribute | undefined = memberOf(at.attributes, step);
      if (!attribute) break;
      steps.push({ attributeName: step });
      at = attribute.type;
    } else if (at.kind === "map" && typeof step === "string") {
      steps.push({ elementKeyString: step });
      at = at.element;
    } else if (at.kind === "list" && typeof step === "number") {
      steps.push({ elementKeyInt: step });
      at = at.element;
    } else break;
  }
  return steps.length > 0 ? { steps } : undefined;
}

/** Encodes diagnostics of an object with these attributes. */
export function encodeDiagnostics(attributes: Attributes, diagnostics: readonly Diagnostic[]) {
  return diagnostics.map((diagnostic) => ({
    severity:
      diagnostic.severity === "error" ? DiagnosticSeverity.ERROR : DiagnosticSeverity.WARNING,
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
