import { memberOf } from "../../core/member-of";
import type { Constraint } from "./constraint";
import { ANY, objectOf, sameType, type Type } from "../../core/types";

/**
 * Returns the type that values of all these types convert to, by cty's `convert.UnifyUnsafe`;
 * undefined if there is none. Structures next to an open type give an open type.
 */
export function unify(types: readonly Type[]): Type | undefined {
  const [first] = types;
  if (!first) return ANY;
  if (types.every((type) => sameType(type, first))) return first;
  const kinds = new Set(types.map(({ kind }) => kind));
  const isOpen = kinds.delete("any");
  const [kind] = kinds;
  if (kinds.size === 1) {
    if (kind === "list" || kind === "set" || kind === "map") {
      return isOpen ? ANY : collectionOf(kind, types);
    }
    if (kind === "object") return isOpen ? ANY : unifyObjects(types);
    if (kind === "tuple") return isOpen ? ANY : unifyTuples(types);
  }
  if (kinds.has("object") && kinds.has("tuple")) return undefined;
  if (consistsOf(kinds, "list", "tuple")) {
    const unified = collectionOf("list", types);
    if (unified) return unified;
  }
  if (consistsOf(kinds, "map", "object")) {
    const unified = collectionOf("map", types);
    if (unified) return unified;
  }
  return preferred(types).find((wanted) => types.every((type) => isConvertible(type, wanted)));
}

function consistsOf(kinds: ReadonlySet<Type["kind"]>, ...wanted: readonly Type["kind"][]): boolean {
  return kinds.size === wanted.length && wanted.every((kind) => kinds.has(kind));
}

/** Returns the types of all elements of collections, tuples and objects. */
function elementTypes(types: readonly Type[]): readonly Type[] {
  return types.flatMap((type) => {
    if ("element" in type) return [type.element];
    if (type.kind === "tuple") return type.elements;
    return type.kind === "object" ? Object.values(type.attributes).map((one) => one.type) : [];
  });
}

function collectionOf(kind: "list" | "set" | "map", types: readonly Type[]): Type | undefined {
  const element = unify(elementTypes(types));
  return element && { kind, element };
}

function unifyTuples(types: readonly Type[]): Type | undefined {
  const rows = types.map((type) => (type.kind === "tuple" ? type.elements : []));
  const length = rows[0]?.length ?? 0;
  if (rows.some((row) => row.length !== length)) return collectionOf("list", types);
  const columns = Array.from({ length }, (_, at) => unify(rows.map((row) => row[at] ?? ANY)));
  return columns.every((column) => column !== undefined)
    ? { kind: "tuple", elements: columns }
    : undefined;
}

function unifyObjects(types: readonly Type[]): Type | undefined {
  const objects = types.map((type) => (type.kind === "object" ? type.attributes : {}));
  const names = Object.keys(objects[0] ?? {});
  const alike = objects.every(
    (one) =>
      Object.keys(one).length === names.length && names.every((name) => Object.hasOwn(one, name)),
  );
  if (!alike) return collectionOf("map", types);
  const members: [string, Type][] = [];
  for (const name of names) {
    const type = unify(objects.map((one) => memberOf(one, name)?.type ?? ANY));
    if (!type) return undefined;
    members.push([name, type]);
  }
  return objectOf(members);
}

const PREFERENCE: readonly Type["kind"][] = [
  "string",
  "number",
  "bool",
  "list",
  "set",
  "map",
  "tuple",
  "object",
  "any",
];

/** Sorts types, the most general first; an open type is last. */
function preferred(types: readonly Type[]): readonly Type[] {
  const rank = (type: Type): number =>
    PREFERENCE.indexOf(type.kind) * 10 + ("element" in type ? Math.min(9, rank(type.element)) : 0);
  return [...types].sort((a, b) => rank(a) - rank(b));
}

/** Reports whether some values of a type convert to another, by cty's unsafe conversions. */
export function isConvertible(from: Type, to: Constraint): boolean {
  if (from.kind === "any" || to.kind === "any" || from === to) return true;
  switch (to.kind) {
    case "string":
      return from.kind === "string" || from.kind === "number" || from.kind === "bool";
    case "number":
    case "bool":
      return from.kind === to.kind || from.kind === "string";
    case "list":
    case "set":
      if (from.kind === "tuple") return allConvertible(from.elements, to.element);
      return (
        (from.kind === "list" || from.kind === "set") && isConvertible(from.element, to.element)
      );
    case "map":
      if (from.kind === "object") return allConvertible(elementTypes([from]), to.element);
      return from.kind === "map" && isConvertible(from.element, to.element);
    case "tuple":
      return (
        from.kind === "tuple" &&
        from.elements.length === to.elements.length &&
        from.elements.every((type, index) => isConvertible(type, to.elements[index] ?? ANY))
      );
    case "object":
      if (from.kind === "map") {
        const { element } = from;
        return Object.values(to.attributes).every(({ type }) => isConvertible(element, type));
      }
      if (from.kind !== "object") return false;
      return Object.entries(to.attributes).every(([name, { type, optional }]) => {
        const given = memberOf(from.attributes, name)?.type;
        return given ? isConvertible(given, type) : optional === true;
      });
  }
}

function allConvertible(types: readonly Type[], element: Constraint): boolean {
  return element.kind === "any"
    ? unify(types) !== undefined
    : types.every((type) => isConvertible(type, element));
}
