import { memberOf } from "../../core/member-of";
import { compareStrings, type Value } from "../../core/values";

/** A Terraform type constraint. `any` accepts every value unchanged. */
export type Type =
  | PrimitiveType
  | CollectionType
  | { readonly kind: "tuple"; readonly elements: readonly Type[] }
  | { readonly kind: "object"; readonly attributes: { readonly [name: string]: AttributeType } };

export interface CollectionType {
  readonly kind: "list" | "set" | "map";
  readonly element: Type;
}

export interface PrimitiveType {
  readonly kind: "any" | "string" | "number" | "bool";
}

export interface AttributeType {
  readonly type: Type;
  readonly optional?: boolean;
  /** The value of an optional attribute that is absent or null; null by default. */
  readonly default?: Value;
}

export const ANY: Type = { kind: "any" };
export const STRING: Type = { kind: "string" };
export const NUMBER: Type = { kind: "number" };
export const BOOL: Type = { kind: "bool" };

/** Compares two types; the order and the defaults of attributes are no part of a type. */
export function sameType(a: Type, b: Type): boolean {
  if (a === b) return true;
  if ("element" in a) return "element" in b && a.kind === b.kind && sameType(a.element, b.element);
  if (a.kind === "tuple") {
    return b.kind === "tuple" && sameTypes(a.elements, b.elements);
  }
  if (a.kind === "object") {
    if (b.kind !== "object") return false;
    const names = namesOf(a);
    const others = namesOf(b);
    return (
      names.length === others.length &&
      names.every((name, index) => name === others[index]) &&
      sameTypes(
        names.map((name) => attributeOf(a, name)),
        names.map((name) => attributeOf(b, name)),
      )
    );
  }
  return a.kind === b.kind;
}

function sameTypes(a: readonly Type[], b: readonly Type[]): boolean {
  return a.length === b.length && a.every((type, index) => sameType(type, b[index] ?? ANY));
}

/** Gives the type that values have after a conversion: no attribute is optional. */
export function withoutOptional(type: Type): Type {
  if ("element" in type) return { kind: type.kind, element: withoutOptional(type.element) };
  if (type.kind === "tuple") return { kind: "tuple", elements: type.elements.map(withoutOptional) };
  if (type.kind !== "object") return type;
  return objectOf(
    Object.entries(type.attributes).map(([name, one]) => [name, withoutOptional(one.type)]),
  );
}

/** Reports whether a part of a type is open. */
export function isOpen(type: Type): boolean {
  if ("element" in type) return isOpen(type.element);
  if (type.kind === "tuple") return type.elements.some(isOpen);
  if (type.kind !== "object") return type.kind === "any";
  return Object.values(type.attributes).some((attribute) => isOpen(attribute.type));
}

export function objectOf(members: readonly (readonly [string, Type])[]): Type {
  return {
    kind: "object",
    attributes: Object.fromEntries(members.map(([name, type]) => [name, { type }])),
  };
}

type ObjectType = Extract<Type, { readonly kind: "object" }>;

function namesOf(type: ObjectType): readonly string[] {
  return Object.keys(type.attributes).sort(compareStrings);
}

function attributeOf(type: ObjectType, name: string): Type {
  return memberOf(type.attributes, name)?.type ?? ANY;
}

/** A type as users write it: `list(object({a=optional(string)}))`. */
export function formatType(type: Type): string {
  switch (type.kind) {
    case "list":
    case "set":
    case "map":
      return `${type.kind}(${formatType(type.element)})`;
    case "tuple":
      return `tuple([${type.elements.map(formatType).join(", ")}])`;
    case "object":
      return `object({${Object.entries(type.attributes)
        .map(([name, attribute]) => {
          const inner = formatType(attribute.type);
          return `${name}=${attribute.optional ? `optional(${inner})` : inner}`;
        })
        .join(", ")}})`;
    default:
      return type.kind;
  }
}
