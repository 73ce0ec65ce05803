import { mapMembers, memberOf } from "../../core/member-of";
import { graphemes } from "./graphemes";
import {
  ExactNumber,
  isListValue,
  isNullValue,
  isNumberValue,
  isObjectValue,
  isUnknownValue,
  TypedNull,
  TypedUnknown,
  UNKNOWN,
  type NumberValue,
  type Range,
  type Value,
} from "../../core/values";
import {
  collectionTypeOf,
  isList,
  isObject,
  isSet,
  isWhollyKnown,
  listOf,
  mapOf,
  Marked,
  setOf,
  unmarkRoot,
  withoutMarks,
  type Evaluated,
  type Root,
} from "./evaluated";
import { compareNumbers } from "./numbers";
import {
  ANY,
  BOOL,
  NUMBER,
  objectOf,
  STRING,
  type CollectionType,
  type Type,
} from "../../core/types";

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
  if (isList(value)) return { kind: "tuple", elements: value.map(typeOf) };
  return objectOf(Object.entries(value).map(([name, member]) => [name, typeOf(member)]));
}

/** Returns the kind of a value's type, without the types of its members. */
export function kindOf(value: Evaluated): Type["kind"] {
  const { value: root } = unmarkRoot(value);
  if (root === null || root === UNKNOWN) return typeOf(value).kind;
  if (isList(root)) return collectionTypeOf(root)?.kind ?? "tuple";
  if (isObject(root)) return collectionTypeOf(root)?.kind ?? "object";
  return typeOf(root).kind;
}

/** Reports whether a value is a list, a set or a tuple, also where it is unknown. */
export function isSequence(value: Evaluated): boolean {
  return ["list", "set", "tuple"].includes(kindOf(value));
}

/** Makes a null value of a type. */
export function nullOf(type: Type): Value {
  return type.kind === "any" ? null : new TypedNull(type);
}

export const NOT_NULL: Range = { notNull: true };

/**
 * The result of a function of which an argument has no type yet: it has no type either, although
 * the function always gives the same one.
 */
export const DYNAMIC = new TypedUnknown(ANY);

/** Returns the start of a string that stays the same if text follows: the last letter may combine. */
export function safePrefix(text: string): string {
  if (/[!"#$%&'()*+,\-./:;?@[\\\]^_{|}~ \t]$/.test(text)) return text;
  const last = graphemes(text).at(-1) ?? "";
  return text.slice(0, text.length - last.length);
}

/** Makes an unknown value of a type. */
export function unknownOf(type: Type, range: Range = {}): Value {
  if (type.kind === "any") return UNKNOWN;
  const { notNull, minimum, maximum } = range;
  if (notNull && minimum !== undefined && maximum !== undefined) {
    const isExact = compareNumbers(minimum, maximum) === 0;
    if (type.kind === "number" && isExact) return minimum;
    const known = "element" in type && isExact && ofSize(type, Number(minimum));
    if (known) return known;
  }
  return new TypedUnknown(type, range);
}

/** Makes a collection of known length, whose elements are unknown. */
function ofSize(type: CollectionType, size: number): Value | undefined {
  const { kind, element } = type;
  if (kind === "list") {
    const elements = Array.from({ length: size }, () => unknownOf(element));
    return listOf(elements, element);
  }
  if (kind === "set" && size < 2) return setOf(size === 0 ? [] : [unknownOf(element)], element);
  return size === 0 ? mapOf({}, element) : undefined;
}

/** Makes an integer with which Terraform calculates in 64 bits. */
export function shortInteger(value: number): Evaluated {
  return new Marked(value, false, false, true);
}

export function isShortInteger(value: Evaluated): boolean {
  return value instanceof Marked && value.short;
}

/** Returns the known part of an unknown value; nothing of any other value. */
export function rangeOf(value: Evaluated): Range {
  const root = withoutMarks(value);
  return root instanceof TypedUnknown ? root.range : {};
}

export function isUnknown(value: Evaluated): boolean {
  return unmarkRoot(value).value === UNKNOWN;
}

export function isNull(value: Evaluated): boolean {
  return unmarkRoot(value).value === null;
}

/** Reports whether a value is certainly not null. */
export function isNotNull(value: Evaluated): boolean {
  const root = unmarkRoot(value).value;
  return root === UNKNOWN ? rangeOf(value).notNull === true : root !== null;
}

/** The bounds of a number, or of the length of a collection. */
export type Bounds = Pick<Range, "minimum" | "maximum">;

export function boundsOf(value: Evaluated): Bounds {
  const root = unmarkRoot(value).value;
  if (root === UNKNOWN) return rangeOf(value);
  const size = sizeOf(root);
  return size === undefined ? {} : { minimum: size, maximum: size };
}

/** Reports whether the number of elements is known: unknown elements of a set may equal others. */
export function hasLength(value: Root): boolean {
  return isSet(value) ? value.length < 2 || isWhollyKnown(value) : isList(value);
}

/** Returns a known number, or the length of a known collection or tuple. */
function sizeOf(value: Root): NumberValue | undefined {
  if (isNumberValue(value)) return value;
  if (isList(value)) return hasLength(value) ? value.length : undefined;
  return isObject(value) ? Object.keys(value).length : undefined;
}

/** Adds the types to a plain value of a type. */
export function withType(value: Value, type: Type): Value {
  if (isNullValue(value)) return nullOf(type);
  if (isUnknownValue(value)) return unknownOf(type);
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

/** Returns the elements of a list, tuple or set; undefined for any other value. */
export function elementsOf(value: Evaluated): readonly Evaluated[] | undefined {
  return isList(value) ? value : undefined;
}
