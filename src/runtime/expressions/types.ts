import { ExactNumber, UNKNOWN, type Value } from "../../provider/values";
import { isList, Marked, SetValue, type Evaluated } from "./evaluated";

/** A Terraform type constraint. `any` accepts every value unchanged. */
export type Type =
  | PrimitiveType
  | { readonly kind: "list" | "set" | "map"; readonly element: Type }
  | { readonly kind: "tuple"; readonly elements: readonly Type[] }
  | { readonly kind: "object"; readonly attributes: { readonly [name: string]: AttributeType } };

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

/**
 * Gives the type of a value. Arrays are tuples and records are objects; null and unknown values
 * are `any`.
 */
export function typeOf(value: Evaluated): Type {
  if (value === null || value === UNKNOWN) return ANY;
  if (value instanceof Marked) return typeOf(value.value);
  if (value instanceof SetValue) {
    return { kind: "set", element: unify(value.elements.map(typeOf)) ?? ANY };
  }
  if (value instanceof ExactNumber) return NUMBER;
  if (isList(value)) return { kind: "tuple", elements: value.map(typeOf) };
  switch (typeof value) {
    case "string":
      return STRING;
    case "number":
      return NUMBER;
    case "boolean":
      return BOOL;
    default:
      return {
        kind: "object",
        attributes: Object.fromEntries(
          Object.entries(value).map(([name, member]) => [name, { type: typeOf(member) }]),
        ),
      };
  }
}

/** Gives the common type that values of all these types convert to by Terraform's rules, if any. */
export function unify(types: readonly Type[]): Type | undefined {
  const known = types.filter(({ kind }) => kind !== "any");
  const [first] = known;
  if (first === undefined) return ANY;
  if (known.every(isSequence)) return unifySequences(known);
  if (known.every(isKeyed)) return unifyKeyed(known);
  const kinds = new Set(known.map(({ kind }) => kind));
  if (![...kinds].every((kind) => kind === "string" || kind === "number" || kind === "bool")) {
    return undefined;
  }
  if (kinds.size === 1) return first;
  return kinds.has("string") ? STRING : undefined;
}

type Sequence = Extract<Type, { readonly kind: "list" | "set" | "map" | "tuple" }>;
type Keyed = Extract<Type, { readonly kind: "list" | "set" | "map" | "object" }>;

function isSequence(type: Type): type is Sequence {
  return type.kind === "list" || type.kind === "set" || type.kind === "tuple";
}

function isKeyed(type: Type): type is Keyed {
  return type.kind === "map" || type.kind === "object";
}

function unifySequences(types: readonly Sequence[]): Type | undefined {
  const tuples = types.map((type) => (type.kind === "tuple" ? type.elements : undefined));
  const length = tuples[0]?.length;
  if (tuples.every((elements) => elements !== undefined && elements.length === length)) {
    const columns = Array.from({ length: length ?? 0 }, (_, index) =>
      unify(tuples.map((elements) => elements?.[index] ?? ANY)),
    );
    if (columns.every((column) => column !== undefined)) {
      return { kind: "tuple", elements: columns };
    }
  }
  const element = unify(types.flatMap((t) => (t.kind === "tuple" ? t.elements : [t.element])));
  if (element === undefined) return undefined;
  return { kind: types.every(({ kind }) => kind === "set") ? "set" : "list", element };
}

function unifyKeyed(types: readonly Keyed[]): Type | undefined {
  const objects = types.map((type) => (type.kind === "object" ? type.attributes : undefined));
  const names = Object.keys(objects[0] ?? {});
  const alike = objects.every(
    (attributes) =>
      attributes !== undefined &&
      Object.keys(attributes).length === names.length &&
      names.every((name) => Object.hasOwn(attributes, name)),
  );
  if (alike) {
    const attributes: [string, AttributeType][] = [];
    for (const name of names) {
      const type = unify(objects.map((members) => members?.[name]?.type ?? ANY));
      if (type === undefined) return undefined;
      attributes.push([name, { type }]);
    }
    return { kind: "object", attributes: Object.fromEntries(attributes) };
  }
  const element = unify(
    types.flatMap((type) =>
      type.kind === "object"
        ? Object.values(type.attributes).map((attribute) => attribute.type)
        : [type.element],
    ),
  );
  return element && { kind: "map", element };
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
