import { mapMembers, memberOf } from "./member-of";
import {
  ANY,
  BOOL,
  NUMBER,
  objectOf,
  STRING,
  typeAlone,
  type CollectionType,
  type Type,
} from "./types";
import {
  canonicalSet,
  ExactNumber,
  isListValue,
  isNullValue,
  isObjectValue,
  isUnknownValue,
  Marked,
  TypedNull,
  TypedUnknown,
  UNKNOWN,
  type Evaluated,
  type EvaluatedObject,
  type Value,
} from "./values";

/*
 * The types that values carry. An array is a tuple unless it carries another type (`listOf`, `setOf`),
 * and a record is an object unless it does (`mapOf`). The values of a schema need none: its
 * attributes have the types.
 */

const TYPE: unique symbol = Symbol.for("cdktf-console: collection type");

/** Makes a list, whose elements have the type already. */
export function listOf<V extends Evaluated>(elements: readonly V[], element: Type): readonly V[] {
  return carrying([...elements], { kind: "list", element: typeAlone(element) });
}

/** Makes a set, whose elements have the type already. A mark on an element is a mark on the set. */
export function setOf(elements: readonly Value[], element: Type = ANY): readonly Value[] {
  return carrying(canonicalSet(elements), { kind: "set", element: typeAlone(element) });
}

/** Makes a map, whose members have the type already. */
export function mapOf<V extends Evaluated>(
  members: { readonly [key: string]: V },
  element: Type,
): { readonly [key: string]: V } {
  return carrying({ ...members }, { kind: "map", element: typeAlone(element) });
}

function carrying<T extends object>(container: T, type: CollectionType): T {
  return Object.defineProperty(container, TYPE, { value: type });
}

/** Returns the type that a list, set or map carries; undefined for any other value. */
export function collectionTypeOf(value: Evaluated): CollectionType | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  return (value as { readonly [TYPE]?: CollectionType })[TYPE];
}

/** Reports whether a value is a set that carries its type. Its elements have no marks. */
export function isSet(value: Value): boolean;
export function isSet(value: Evaluated): value is readonly Value[];
export function isSet(value: Evaluated): boolean {
  return collectionTypeOf(value)?.kind === "set";
}

/** Makes a collection of the same type, or a tuple or an object, of new content. */
export function like<T extends readonly Evaluated[] | EvaluatedObject>(
  source: Evaluated,
  content: T,
): T {
  const type = collectionTypeOf(source);
  return type ? carrying(content, type) : content;
}

/** Returns the type of a value. A null or unknown value without a type is `any`. */
export function typeOf(value: Evaluated): Type {
  if (value === null || value === UNKNOWN) return ANY;
  if (value instanceof TypedNull || value instanceof TypedUnknown) return value.type;
  if (value instanceof Marked) return typeOf(value.value);
  if (value instanceof ExactNumber) return NUMBER;
  switch (typeof value) {
    case "string":
      return STRING;
    case "number":
      return NUMBER;
    case "boolean":
      return BOOL;
    default:
      break;
  }
  const type = collectionTypeOf(value);
  if (type) return type;
  if (isListValue(value)) return { kind: "tuple", elements: value.map(typeOf) };
  return objectOf(Object.entries(value).map(([name, member]) => [name, typeOf(member)]));
}

/** Returns the kind of a value's type, without the types of its members. */
export function kindOf(value: Evaluated): Type["kind"] {
  if (value instanceof Marked) return kindOf(value.value);
  if (isListValue(value)) return collectionTypeOf(value)?.kind ?? "tuple";
  if (isObjectValue(value)) return collectionTypeOf(value)?.kind ?? "object";
  return typeOf(value).kind;
}

/** Makes a null value of a type. */
export function nullOf(type: Type): Value {
  return type.kind === "any" ? null : new TypedNull(type);
}

/** Adds the types to a plain value of a type. */
export function withType(value: Value, type: Type): Value {
  if (isNullValue(value)) return nullOf(type);
  if (isUnknownValue(value)) return type.kind === "any" ? UNKNOWN : new TypedUnknown(type);
  if (isListValue(value)) {
    const inner = "element" in type ? type.element : undefined;
    const types = type.kind === "tuple" ? type.elements : [];
    const elements = value.map((one, index) => withType(one, inner ?? types[index] ?? ANY));
    if (type.kind === "set") return setOf(elements, type.element);
    return type.kind === "list" ? listOf(elements, type.element) : elements;
  }
  if (!isObjectValue(value)) return value;
  const attributes = type.kind === "object" ? type.attributes : {};
  const members = mapMembers(value, (member, name) =>
    withType(
      member,
      type.kind === "map" ? type.element : (memberOf(attributes, name)?.type ?? ANY),
    ),
  );
  return type.kind === "map" ? mapOf(members, type.element) : members;
}
