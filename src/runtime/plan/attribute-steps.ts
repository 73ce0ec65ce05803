import type { Attributes } from "../../core/schema/attribute";
import {
  isListValue,
  isObjectValue,
  isUnknownValue,
  type AttributePath,
  type ObjectValue,
  type Value,
} from "../../core/values";
import { memberOf } from "../../core/member-of";
import { valueKindAt } from "../evaluation/attributes";
import { plainStep, type TraversalStep } from "../../language";

/**
 * Returns the path of the steps of `ignore_changes` or `replace_triggered_by` in an object. Undefined if
 * a step does not fit the type of a value, such as the key of a map as an attribute: `triggers.key`
 * instead of `triggers["key"]`. Terraform accepts such an address, but it leads to no value.
 */
export function pathOfSteps(
  attributes: Attributes,
  object: ObjectValue,
  steps: readonly TraversalStep[],
): AttributePath | undefined {
  const path = steps.map(plainStep);
  const fits = steps.every((step, index) => {
    const parent = valueKindAt(attributes, object, path.slice(0, index));
    if (typeof step === "string") return parent === "object";
    if (typeof step === "number") return parent === "list" || parent === "tuple";
    return parent === "map";
  });
  return fits ? path : undefined;
}

/** Returns the value at a path; undefined if there is none. That within an unknown one is unknown. */
export function reach(value: Value, [step, ...rest]: AttributePath): Value | undefined {
  if (step === undefined || isUnknownValue(value)) return value;
  const member =
    isListValue(value) && typeof step === "number"
      ? value[step]
      : isObjectValue(value)
        ? memberOf(value, String(step))
        : undefined;
  return member === undefined ? undefined : reach(member, rest);
}
