import type { Attribute, Attributes, Kind } from "../../provider/schema/attribute";
import type { AttributePath } from "../../provider/values";

/** A step of a path: an attribute of an object, or an element of a collection. */
export type PathStep =
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
      const attribute: Attribute | undefined = at.attributes[step];
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
