import { memberOf } from "../member-of";
import type { AttributePath } from "../values";
import type { TerraformType } from "./terraform";

/** Returns the type at a path within a type; undefined if there is none. */
export function typeWithin(
  type: TerraformType | undefined,
  [step, ...rest]: AttributePath,
): TerraformType | undefined {
  if (step === undefined || type === undefined) return type;
  if (typeof type === "string") return undefined;
  const [kind, inner] = type;
  if (kind === "object") {
    const name = String(step);
    return typeWithin(Object.hasOwn(inner, name) ? memberOf(inner, name) : undefined, rest);
  }
  return typeWithin(kind === "tuple" ? inner[Number(step)] : inner, rest);
}

/** Replaces the type at a path that exists. The elements of a collection keep their type. */
export function withTypeWithin(
  type: TerraformType,
  [step, ...rest]: AttributePath,
  changed: TerraformType,
): TerraformType {
  if (step === undefined) return changed;
  if (typeof type === "string") return type;
  const [kind, inner] = type;
  const change = (member: TerraformType) => withTypeWithin(member, rest, changed);
  if (kind === "tuple") {
    return [kind, inner.map((member, index) => (index === step ? change(member) : member))];
  }
  if (kind !== "object") return type;
  const members = Object.entries(inner).map(
    ([name, member]) => [name, name === step ? change(member) : member] as const,
  );
  return [kind, Object.fromEntries(members)];
}
