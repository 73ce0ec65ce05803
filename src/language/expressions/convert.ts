import { formatNumber } from "../../core/json/format-number";
import { mark, unionMarks, unmarkTyped } from "../../core/marks";
import {
  collectionTypeOf,
  isSet,
  listOf,
  mapOf,
  nullOf,
  setOf,
  typeOf,
} from "../../core/typed-values";
import {
  isListValue,
  isNumberValue,
  isObjectValue,
  Marked,
  TypedNull,
  TypedUnknown,
  UNKNOWN,
  type AttributePath,
  type Evaluated,
  type EvaluatedObject,
} from "../../core/values";
import { elementsOf, hasLength, isNull, unknownOf, type Bounds } from "./ranges";
import { memberOf } from "../../core/member-of";
import { parseNumber } from "./numbers";
import type { Constraint, ConstraintAttribute } from "./constraint";
import type { ObjectType, Type } from "../../core/types";
import { ANY, formatType, isOpen, sameType, typeAlone } from "../../core/types";
import { isConvertible, unify } from "./unify";

/** The reason of a failed conversion. It never contains the value, which may be a secret. */
export interface ConversionProblem {
  readonly path: AttributePath;
  readonly message: string;
}

export interface Conversion {
  readonly value: Evaluated;
  readonly problems: readonly ConversionProblem[];
}

/**
 * Converts a value by Terraform's rules: between string, number and bool if the text allows it,
 * tuple to list or set, object to map, and object to the attributes of an object type. Unknown and
 * null values get the type, and marks stay (a set takes the marks of its elements).
 */
export function convert(value: Evaluated, type: Constraint, path: AttributePath = []): Conversion {
  if (type.kind === "any") return done(value);
  if (value instanceof Marked) {
    const inner = convert(value.value, type, path);
    return inner.value === value.value
      ? done(value)
      : { value: mark(inner.value, value), problems: inner.problems };
  }
  if (value === null) return done(nullOf(typeAlone(type)));
  if (value === UNKNOWN) return done(unknownOf(typeAlone(type)));
  if (value instanceof TypedNull || value instanceof TypedUnknown) {
    return convertTyped(value, type, path);
  }
  switch (type.kind) {
    case "string":
    case "number":
    case "bool":
      return convertPrimitive(value, type.kind, path);
    case "list":
    case "set":
      return convertSequence(value, type.kind, type.element, path);
    case "map":
      return convertMap(value, type.element, path);
    case "tuple": {
      const items = isListValue(value) && !collectionTypeOf(value) ? value : undefined;
      if (items?.length !== type.elements.length) return mismatch(type, path);
      return gather(
        items.map((item, index) => convert(item, type.elements[index] ?? type, [...path, index])),
        (converted) => converted,
      );
    }
    case "object":
      return convertObject(value, type, path);
  }
}

/** Converts a null or unknown value by its type. */
function convertTyped(
  value: TypedNull | TypedUnknown,
  type: Constraint,
  path: AttributePath,
): Conversion {
  const { type: from } = value;
  if (!isConvertible(from, type)) return mismatch(type, path);
  if (sameType(from, type)) return done(value);
  const target = resolved(from, typeAlone(type));
  if (value instanceof TypedNull) return done(nullOf(target));
  const { range } = value;
  const kept =
    from.kind === target.kind
      ? range
      : { notNull: range.notNull === true, ...sizeIn(from, target) };
  return done(unknownOf(target, kept));
}

/** Returns the bounds of the length of a tuple as a list or set. Elements of a set may be equal. */
function sizeIn(from: Type, to: Type): Bounds {
  if (from.kind !== "tuple") return {};
  const { length } = from.elements;
  const isKnown = to.kind === "list" || (to.kind === "set" && length < 2);
  return isKnown ? { minimum: length, maximum: length } : {};
}

/** Replaces the open elements of a collection type by what a value of another type gives. */
function resolved(from: Type, to: Type): Type {
  if (!("element" in to) || to.element.kind !== "any") return to;
  if ("element" in from) return { kind: to.kind, element: from.element };
  if (from.kind === "tuple") return { kind: to.kind, element: unify(from.elements) ?? ANY };
  if (from.kind !== "object") return to;
  const types = Object.values(from.attributes).map((attribute) => attribute.type);
  return { kind: to.kind, element: unify(types) ?? ANY };
}

function convertPrimitive(
  value: Evaluated,
  kind: "string" | "number" | "bool",
  path: AttributePath,
): Conversion {
  if (kind === "string") {
    if (typeof value === "string") return done(value);
    if (isNumberValue(value)) return done(formatNumber(value));
    if (typeof value === "boolean") return done(String(value));
  } else if (kind === "number") {
    const number = typeof value === "string" ? parseNumber(value) : value;
    if (isNumberValue(number)) return done(number);
  } else {
    if (typeof value === "boolean") return done(value);
    if (value === "true" || value === "1") return done(true);
    if (value === "false" || value === "0") return done(false);
  }
  return fail(path, `${kind} required`);
}

function convertSequence(
  value: Evaluated,
  kind: "list" | "set",
  wanted: Constraint,
  path: AttributePath,
): Conversion {
  const items = elementsOf(value);
  if (!items) return mismatch({ kind, element: wanted }, path);
  const own = collectionTypeOf(value)?.element;
  const isKind = (kind === "set") === isSet(value);
  if (own && isKind && (wanted.kind === "any" || sameType(own, wanted))) return done(value);
  if (kind === "list" && own && !hasLength(items)) {
    return done(
      unknownOf(
        { kind, element: wanted.kind === "any" ? own : wanted },
        { notNull: true, minimum: 1, maximum: items.length },
      ),
    );
  }
  const steps = items.map((_, index) => index);
  const build = (converted: readonly Evaluated[], element: Type): Evaluated => {
    if (kind === "list") return listOf(converted, element);
    const plain = converted.map(unmarkTyped);
    const elements = plain.map((one) => one.value);
    return mark(setOf(elements, element), unionMarks(...plain.flatMap((one) => one.marks)));
  };
  return convertElements(items, steps, { kind, wanted, own, build }, path);
}

function convertMap(value: Evaluated, wanted: Constraint, path: AttributePath): Conversion {
  if (!isObjectValue(value)) return mismatch({ kind: "map", element: wanted }, path);
  const own = collectionTypeOf(value)?.element;
  if (own && (wanted.kind === "any" || sameType(own, wanted))) return done(value);
  const keys = Object.keys(value);
  const members = keys.map((key) => memberOf(value, key) ?? null);
  const build = (converted: readonly Evaluated[], element: Type) =>
    mapOf(toObject(keys, converted), element);
  return convertElements(members, keys, { kind: "map", wanted, own, build }, path);
}

interface Wanted {
  readonly kind: "list" | "set" | "map";
  /** The element type to convert to; open parts become what the elements have in common. */
  readonly wanted: Constraint;
  /** The element type of the value, if it has one. */
  readonly own: Type | undefined;
  readonly build: (converted: readonly Evaluated[], element: Type) => Evaluated;
}

function convertElements(
  items: readonly Evaluated[],
  steps: readonly (string | number)[],
  { kind, wanted, own, build }: Wanted,
  path: AttributePath,
): Conversion {
  if (own && !isConvertible(own, wanted)) return mismatch({ kind, element: wanted }, path);
  const different = () => fail(path, `all ${kind} elements must have the same type`);
  const first = wanted.kind === "any" ? (own ?? commonType(items, kind)) : wanted;
  if (!first) return different();
  const convertAll = (values: readonly Evaluated[], element: Constraint): readonly Conversion[] =>
    values.map((item, index) => convert(item, element, [...path, steps[index] ?? index]));
  const converted = convertAll(items, first);
  if (!isOpen(first) || items.length === 0) {
    return gather(converted, (all) => build(all, first));
  }
  const values = converted.map((one) => one.value);
  // Terraform unifies what the elements of these became; those of others must have one type then.
  const isUnified = own ? false : kind === "list" || (kind === "map" && first.kind !== "tuple");
  const element = isUnified ? commonType(values, "map") : (closedTypes(values)[0] ?? first);
  if (!element) return different();
  const unified = isUnified
    ? converted.map(({ value, problems }, index): Conversion => {
        const { value: alike } = convert(value, element, [...path, steps[index] ?? index]);
        return { value: alike, problems };
      })
    : converted;
  const types = closedTypes(unified.map((one) => one.value));
  return types.every((type) => sameType(type, types[0] ?? type))
    ? gather(unified, (all) => build(all, types[0] ?? element))
    : different();
}

/** The types of values that have one. */
function closedTypes(values: readonly Evaluated[]): readonly Type[] {
  return values.map(typeOf).filter(({ kind }) => kind !== "any");
}

/**
 * Returns the type that all values convert to. In maps, null and unknown values of any type do not
 * count. In lists and sets there is none where they are next to structures, as in cty.
 */
function commonType(items: readonly Evaluated[], kind: Wanted["kind"]): Type | undefined {
  const types = items.map(typeOf);
  const type = unify(types);
  if (type?.kind !== "any") return type;
  const closed = closedTypes(items);
  return kind === "map" || closed.length === 0 ? unify(closed) : undefined;
}

function convertObject(
  value: Evaluated,
  type: ObjectType<ConstraintAttribute>,
  path: AttributePath,
): Conversion {
  if (!isObjectValue(value)) return mismatch(type, path);
  const names = Object.keys(type.attributes);
  const missing = names.filter(
    (name) => !Object.hasOwn(value, name) && !memberOf(type.attributes, name)?.optional,
  );
  if (missing.length > 0) {
    const quoted = missing.sort().map((name) => JSON.stringify(name));
    return fail(
      path,
      quoted.length === 1
        ? `attribute ${quoted.join()} is required`
        : `attributes ${quoted.join(", ")} are required`,
    );
  }
  return gather(
    Object.entries(type.attributes).map(([name, attribute]) => {
      const member = memberOf(value, name) ?? null;
      const given = isNull(member) ? (attribute.default ?? member) : member;
      return convert(given, attribute.type, [...path, name]);
    }),
    (converted) => toObject(names, converted),
  );
}

function toObject(keys: readonly string[], values: readonly Evaluated[]): EvaluatedObject {
  return Object.fromEntries(keys.map((key, index) => [key, values[index] ?? null]));
}

function gather(
  parts: readonly Conversion[],
  build: (converted: readonly Evaluated[]) => Evaluated,
): Conversion {
  return {
    value: build(parts.map(({ value }) => value)),
    problems: parts.flatMap(({ problems }) => problems),
  };
}

function done(value: Evaluated): Conversion {
  return { value, problems: [] };
}

function fail(path: AttributePath, message: string): Conversion {
  return { value: UNKNOWN, problems: [{ path, message }] };
}

function mismatch(type: Constraint, path: AttributePath): Conversion {
  return fail(path, `${formatType(type)} required`);
}
