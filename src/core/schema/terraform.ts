import type { Type } from "../types";
import type { Attribute } from "./attribute";

/** The attributes of the objects inside `type`, if it is an object or a collection of objects. */
export function nestedAttributes<A>(type: Type<A>): { readonly [name: string]: A } | undefined {
  const inner = "element" in type ? type.element : type;
  return inner.kind === "object" ? inner.attributes : undefined;
}

/** A default makes an attribute computed for Terraform, since the provider gives its value. */
export function isComputed(attribute: Attribute): boolean {
  return attribute.mode.endsWith("computed") || attribute.default !== undefined;
}

export function isConfigurable(attribute: Attribute): boolean {
  return attribute.mode !== "computed";
}

/** The flags of an attribute in Terraform's schema. */
export function schemaFlags(attribute: Attribute) {
  return {
    required: attribute.mode === "required",
    optional: attribute.mode.startsWith("optional"),
    computed: isComputed(attribute),
    sensitive: attribute.sensitive ?? false,
    writeOnly: attribute.writeOnly ?? false,
  };
}
