import type { Attribute, Attributes, Kind, ObjectKind } from "./attribute";

/** Terraform's type constraint, as its JSON formats spell it. */
export type TerraformType =
  | "string"
  | "number"
  | "bool"
  | "dynamic"
  | readonly ["list" | "set" | "map", TerraformType]
  | readonly ["object", { readonly [name: string]: TerraformType }]
  | readonly ["tuple", readonly TerraformType[]];

export function terraformType(kind: Kind): TerraformType {
  switch (kind.kind) {
    case "string":
    case "number":
    case "bool":
      return kind.kind;
    case "object":
      return objectType(kind.attributes);
    case "list":
    case "set":
    case "map":
      return [kind.kind, terraformType(kind.element)];
  }
}

export function objectType(attributes: Attributes): TerraformType {
  return [
    "object",
    Object.fromEntries(
      Object.entries(attributes).map(([name, { type }]) => [name, terraformType(type)]),
    ),
  ];
}

/** The attributes of the objects inside `kind`, where it is an object or a collection of objects. */
export function nestedAttributes(kind: Kind): Attributes | undefined {
  if (kind.kind === "object") return kind.attributes;
  if ("element" in kind && isObjectKind(kind.element)) return kind.element.attributes;
  return undefined;
}

function isObjectKind(kind: Kind): kind is ObjectKind {
  return kind.kind === "object";
}

/** A default makes an attribute computed in Terraform's eyes: the provider gives its value. */
export function isComputed(attribute: Attribute): boolean {
  return (
    attribute.mode === "computed" ||
    attribute.mode === "optional_computed" ||
    attribute.default !== undefined
  );
}

export function isConfigurable(attribute: Attribute): boolean {
  return attribute.mode !== "computed";
}
