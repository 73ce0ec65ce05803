import { memberOf } from "../member-of";
import type { Type } from "../types";
import type { AttributePath } from "../values";

/** Returns the type at a path within a type; undefined if there is none. */
export function typeWithin(
  type: Type | undefined,
  [step, ...rest]: AttributePath,
): Type | undefined {
  if (step === undefined || type === undefined) return type;
  if ("element" in type) return typeWithin(type.element, rest);
  if (type.kind === "tuple") return typeWithin(type.elements[Number(step)], rest);
  return type.kind === "object"
    ? typeWithin(memberOf(type.attributes, step)?.type, rest)
    : undefined;
}

/** Replaces the type at a path that exists. The elements of a collection keep their type. */
export function withTypeWithin(type: Type, [step, ...rest]: AttributePath, changed: Type): Type {
  if (step === undefined) return changed;
  const change = (member: Type) => withTypeWithin(member, rest, changed);
  if (type.kind === "tuple") {
    const { kind, elements } = type;
    return { kind, elements: elements.map((one, index) => (index === step ? change(one) : one)) };
  }
  const member = type.kind === "object" ? memberOf(type.attributes, step) : undefined;
  if (type.kind !== "object" || !member) return type;
  return { ...type, attributes: { ...type.attributes, [step]: { type: change(member.type) } } };
}
