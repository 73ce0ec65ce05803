import type { Attributes } from "../../provider/schema/attribute";
import type { AttributePath } from "../../provider/values";
import { kindAt } from "../evaluation/attributes";
import { plainStep, type TraversalStep } from "../expressions/template";

/**
 * Returns the path of the steps of `ignore_changes` or `replace_triggered_by`. Undefined where a step
 * does not fit the schema, such as the key of a map as an attribute: `triggers.key` instead of
 * `triggers["key"]`. Terraform accepts such an address, but it leads to no value.
 */
export function attributePath(
  attributes: Attributes,
  steps: readonly TraversalStep[],
): AttributePath | undefined {
  const path = steps.map(plainStep);
  const fits = steps.every((step, index) => {
    const parent = kindAt(attributes, path.slice(0, index))?.kind;
    if (typeof step === "string") return parent === "object";
    return parent === (typeof step === "number" ? "list" : "map");
  });
  return fits ? path : undefined;
}
