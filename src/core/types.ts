import { mapMembers, memberOf } from "./member-of";

/**
 * A type: the kinds of a schema's attributes, the constraints of variables and functions, and what a
 * value carries are all made of it. `any` accepts every value unchanged. `A` describes an attribute
 * of an object.
 */
export type Type<A = Typed> =
  | PrimitiveType
  | CollectionType<A>
  | { readonly kind: "tuple"; readonly elements: readonly Type<A>[] }
  | ObjectType<A>;

export interface PrimitiveType {
  readonly kind: "any" | "string" | "number" | "bool";
}

export interface CollectionType<A = Typed> {
  readonly kind: "list" | "set" | "map";
  readonly element: Type<A>;
}

export interface ObjectType<A = Typed> {
  readonly kind: "object";
  readonly attributes: { readonly [name: string]: A };
}

/** An attribute of which only the type is known. */
export interface Typed {
  readonly type: Type;
}

export const ANY: PrimitiveType = { kind: "any" };
export const STRING: PrimitiveType = { kind: "string" };
export const NUMBER: PrimitiveType = { kind: "number" };
export const BOOL: PrimitiveType = { kind: "bool" };

export function objectOf(members: readonly (readonly [string, Type])[]): ObjectType {
  return {
    kind: "object",
    attributes: Object.fromEntries(members.map(([name, type]) => [name, { type }])),
  };
}

/** Compares two types by the types of their parts, regardless of the order of attributes. */
export function sameType(a: Type, b: Type): boolean {
  if (a === b) return true;
  if ("element" in a) return "element" in b && a.kind === b.kind && sameType(a.element, b.element);
  if (a.kind === "tuple") {
    return (
      b.kind === "tuple" &&
      a.elements.length === b.elements.length &&
      a.elements.every((type, index) => sameType(type, b.elements[index] ?? ANY))
    );
  }
  if (a.kind !== "object") return a.kind === b.kind;
  if (b.kind !== "object") return false;
  const attributes = Object.entries(a.attributes);
  return (
    attributes.length === Object.keys(b.attributes).length &&
    attributes.every(([name, { type }]) => {
      const other = memberOf(b.attributes, name);
      return other !== undefined && sameType(type, other.type);
    })
  );
}

/** Returns the type that values have: without the facets and defaults of attributes. */
export function typeAlone(type: Type): Type {
  if ("element" in type) return { kind: type.kind, element: typeAlone(type.element) };
  if (type.kind === "tuple") return { kind: "tuple", elements: type.elements.map(typeAlone) };
  if (type.kind !== "object") return type;
  return {
    kind: "object",
    attributes: mapMembers(type.attributes, (one) => ({ type: typeAlone(one.type) })),
  };
}

/** Reports whether a part of a type is open. */
export function isOpen(type: Type): boolean {
  if ("element" in type) return isOpen(type.element);
  if (type.kind === "tuple") return type.elements.some(isOpen);
  if (type.kind !== "object") return type.kind === "any";
  return Object.values(type.attributes).some((attribute) => isOpen(attribute.type));
}

interface Formatted {
  readonly type: Type<Formatted>;
  readonly optional?: boolean;
}

/** Formats a type as users write it: `list(object({a=optional(string)}))`. */
export function formatType(type: Type<Formatted>): string {
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
