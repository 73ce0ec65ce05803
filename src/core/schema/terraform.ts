import type { Attribute } from "./attribute";
import type { Type } from "./fold";
import type { TerraformType } from "./terraform-type";

export { isTerraformType, type TerraformType } from "./terraform-type";

/** An attribute of which only the type is known. */
export interface Typed {
  readonly type: Type<Typed>;
}

/** Encodes a type constraint: `"string"`, `["list", "string"]`; `any` is `"dynamic"`. */
export function terraformType(type: Type<Typed>): TerraformType {
  switch (type.kind) {
    case "any":
      return "dynamic";
    case "object":
      return objectType(type.attributes);
    case "tuple":
      return ["tuple", type.elements.map(terraformType)];
    case "list":
    case "set":
    case "map":
      return [type.kind, terraformType(type.element)];
    default:
      return type.kind;
  }
}

export function objectType(attributes: { readonly [name: string]: Typed }): TerraformType {
  const members = Object.entries(attributes).map(([name, { type }]) => [name, terraformType(type)]);
  return ["object", Object.fromEntries(members) as { readonly [name: string]: TerraformType }];
}

/** Decodes a type constraint; the inverse of `terraformType`. */
export function parseType(json: TerraformType): Type<Typed> {
  if (typeof json === "string") return { kind: json === "dynamic" ? "any" : json };
  switch (json[0]) {
    case "object": {
      const members = Object.entries(json[1]);
      return {
        kind: "object",
        attributes: Object.fromEntries(
          members.map(([name, type]) => [name, { type: parseType(type) }]),
        ),
      };
    }
    case "tuple":
      return { kind: "tuple", elements: json[1].map(parseType) };
    default:
      return { kind: json[0], element: parseType(json[1]) };
  }
}

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
