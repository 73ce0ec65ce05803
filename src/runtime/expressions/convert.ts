import type { AttributePath } from "../../provider/values";
import { isNumberValue, memberOf, UNKNOWN } from "../../provider/values";
import type { Evaluated } from "./evaluated";
import { isList, isObject, mark, Marked, marksWithin, SetValue, unmark } from "./evaluated";
import { formatNumber, parseNumber } from "./numbers";
import type { Type } from "./types";
import { formatType, typeOf, unify } from "./types";

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
 * null values stay, and so do marks (a set takes the marks of its elements).
 */
export function convert(value: Evaluated, type: Type, path: AttributePath = []): Conversion {
  if (type.kind === "any" || value === null || value === UNKNOWN) return { value, problems: [] };
  if (value instanceof Marked) {
    const inner = convert(value.value, type, path);
    return { value: mark(inner.value, value), problems: inner.problems };
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
      const items = itemsOf(value);
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
  elementType: Type,
  path: AttributePath,
): Conversion {
  const items = itemsOf(value);
  if (!items) return mismatch({ kind, element: elementType }, path);
  const element = elementType.kind === "any" ? unify(items.map(typeOf)) : elementType;
  if (!element) return fail(path, `all ${kind} elements must have the same type`);
  return gather(
    items.map((item, index) => convert(item, element, [...path, index])),
    (converted) =>
      kind === "list"
        ? converted
        : mark(new SetValue(converted.map((item) => unmark(item).value)), marksWithin(converted)),
  );
}

function convertMap(value: Evaluated, elementType: Type, path: AttributePath): Conversion {
  if (!isObject(value)) return mismatch({ kind: "map", element: elementType }, path);
  const element =
    elementType.kind === "any" ? unify(Object.values(value).map(typeOf)) : elementType;
  if (!element) return fail(path, "all map elements must have the same type");
  const keys = Object.keys(value);
  return gather(
    keys.map((key) => convert(value[key] ?? null, element, [...path, key])),
    (converted) => toObject(keys, converted),
  );
}

function convertObject(
  value: Evaluated,
  type: Extract<Type, { readonly kind: "object" }>,
  path: AttributePath,
): Conversion {
  if (!isObject(value)) return mismatch(type, path);
  const names = Object.keys(type.attributes);
  const missing = names.filter(
    (name) => !Object.hasOwn(value, name) && !type.attributes[name]?.optional,
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
    Object.entries(type.attributes).map(([name, attribute]) =>
      convert(memberOf(value, name) ?? attribute.default ?? null, attribute.type, [...path, name]),
    ),
    (converted) => toObject(names, converted),
  );
}

function itemsOf(value: Evaluated): readonly Evaluated[] | undefined {
  if (value instanceof SetValue) return value.elements;
  return isList(value) ? value : undefined;
}

function toObject(keys: readonly string[], values: readonly Evaluated[]): Evaluated {
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

function mismatch(type: Type, path: AttributePath): Conversion {
  return fail(path, `${formatType(type)} required`);
}
