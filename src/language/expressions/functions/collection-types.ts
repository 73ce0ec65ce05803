import { unmarkRoot } from "../../../core/marks";
import { typeOf } from "../../../core/typed-values";
import {
  isListValue,
  isNumberValue,
  isObjectValue,
  sortedKeys,
  type Evaluated,
  type Unmarked,
} from "../../../core/values";
import { boundsOf, isNull, isUnknown } from "../ranges";
import { memberOf } from "../../../core/member-of";
import { convert } from "../convert";
import { ANY, NUMBER, objectOf, sameType, STRING, type Type } from "../../../core/types";
import { unify } from "../unify";
import { fail } from "./language-function";

/** Returns the type of a function's result, by the types of its arguments and what is known of them. */
export type ResultType = (args: readonly Evaluated[]) => Type;

const LIST: Type = { kind: "list", element: ANY };

function at(args: readonly Evaluated[], index: number): Evaluated {
  return args[index] ?? null;
}

/** Returns the type of an argument that the function takes as a list of one type. */
function listType(arg: Evaluated): Type {
  const { value, problems } = convert(arg, LIST);
  return problems.length === 0 ? typeOf(value) : ANY;
}

function known(arg: Evaluated, type: Type): Unmarked | undefined {
  return isUnknown(arg) ? undefined : unmarkRoot(convert(arg, type).value).value;
}

function concatenated(args: readonly Evaluated[]): Type {
  const types = args.map(typeOf);
  if (types.every(({ kind }) => kind === "list")) {
    const list = unify(types);
    if (list?.kind === "list") return list;
  }
  const elements: Type[] = [];
  for (const [index, type] of types.entries()) {
    if (type.kind === "tuple") elements.push(...type.elements);
    else if (type.kind === "list") {
      const { value } = unmarkRoot(at(args, index));
      if (!isListValue(value)) return ANY;
      elements.push(...value.map(() => type.element));
    } else if (type.kind === "any") return ANY;
    else return fail("all arguments must be lists or tuples", "seqs");
  }
  return { kind: "tuple", elements };
}

function elementAt([list = null, position = null]: readonly Evaluated[]): Type {
  const type = typeOf(list);
  if (type.kind === "list") return type.element;
  const index = known(position, NUMBER);
  if (type.kind !== "tuple" || typeof index !== "number" || index < 0) return ANY;
  return type.elements[index % type.elements.length] ?? ANY;
}

function keys([map = null]: readonly Evaluated[]): Type {
  const type = typeOf(map);
  if (type.kind === "object") {
    return { kind: "tuple", elements: Object.keys(type.attributes).map(() => STRING) };
  }
  return type.kind === "map" ? { kind: "list", element: STRING } : ANY;
}

function lookedUp([map = null, key = null, fallback]: readonly Evaluated[]): Type {
  const type = typeOf(map);
  if (type.kind === "map") {
    const { problems } = convert(fallback ?? null, type.element);
    if (problems.length > 0) {
      return fail("the default value must have the type of the map's elements", "default");
    }
    return type.element;
  }
  const name = known(key, STRING);
  if (type.kind !== "object" || typeof name !== "string") return ANY;
  const attribute = memberOf(type.attributes, name);
  return attribute?.type ?? (fallback === undefined ? ANY : typeOf(fallback));
}

function matched([list = null, names = null, wanted = null]: readonly Evaluated[]): Type {
  return unify([listType(names), listType(wanted)])
    ? listType(list)
    : fail("keys and searchset must have elements of one type");
}

function merged(args: readonly Evaluated[]): Type {
  const types = args.map(typeOf);
  for (const { kind } of types) {
    if (kind === "any") return ANY;
    if (kind !== "map" && kind !== "object") return fail("map or object required", "maps");
  }
  const [first = objectOf([])] = types;
  if (types.every((type) => sameType(type, first))) return first;
  const members = new Map<string, Type>();
  for (const [index, type] of types.entries()) {
    const arg = at(args, index);
    if (isNull(arg)) continue;
    if (type.kind === "object") {
      for (const [name, one] of Object.entries(type.attributes)) members.set(name, one.type);
    } else if (type.kind === "map") {
      const { value } = unmarkRoot(arg);
      if (!isObjectValue(value)) return ANY;
      for (const name of Object.keys(value)) members.set(name, type.element);
    }
  }
  return objectOf([...members]);
}

function only([list = null]: readonly Evaluated[]): Type {
  const type = typeOf(list);
  if ("element" in type) return type.element;
  return type.kind === "tuple" ? (type.elements[0] ?? ANY) : ANY;
}

function reversed([list = null]: readonly Evaluated[]): Type {
  const type = typeOf(list);
  if (type.kind === "tuple") return { kind: "tuple", elements: [...type.elements].reverse() };
  if (type.kind === "any") return ANY;
  return "element" in type && type.kind !== "map"
    ? { kind: "list", element: type.element }
    : fail("list, set or tuple required", "list");
}

/** Returns the common type of sets; those that are empty and have no type do not count. */
export function unitedSets(args: readonly Evaluated[]): Type {
  const types = args.flatMap((arg) => {
    const { value } = convert(arg, { kind: "set", element: ANY });
    const type = typeOf(value);
    if (type.kind !== "set") return [];
    const { value: root } = unmarkRoot(value);
    const isEmpty = isListValue(root) && root.length === 0;
    return isEmpty && type.element.kind === "any" ? [] : [type.element];
  });
  const element = unify(types);
  return element
    ? { kind: "set", element }
    : fail("given sets must all have compatible element types");
}

/** Returns the type of a product: a set if one argument is a set, else a list. */
export function product(args: readonly Evaluated[]): Type {
  const types = args.map(typeOf);
  if (types.some(({ kind }) => kind === "any")) return ANY;
  const elements = types.map((type): Type => {
    if (type.kind === "list" || type.kind === "set") return type.element;
    if (type.kind !== "tuple") return fail("a set or a list is required", "sets");
    return unify(type.elements) ?? fail("all elements must be of the same type", "sets");
  });
  const isSet = types.some(({ kind }) => kind === "set");
  return { kind: isSet ? "set" : "list", element: { kind: "tuple", elements } };
}

function sliced([list = null, from = null, to = null]: readonly Evaluated[]): Type {
  const type = typeOf(list);
  const [start, end] = [known(from, NUMBER), known(to, NUMBER)];
  const { maximum } = type.kind === "tuple" ? { maximum: type.elements.length } : boundsOf(list);
  checkSlice(Number(maximum ?? Infinity), start, end);
  if (type.kind !== "tuple") return type.kind === "list" ? type : ANY;
  return typeof start === "number" && typeof end === "number"
    ? { kind: "tuple", elements: type.elements.slice(start, end) }
    : ANY;
}

/** Checks the known bounds of a slice, also of a list that is unknown. */
function checkSlice(length: number, start: unknown, end: unknown): void {
  for (const [index, name] of [
    [start, "start_index"],
    [end, "end_index"],
  ] as const) {
    if (!isNumberValue(index)) continue;
    if (!Number.isInteger(index) || Number(index) < 0 || Number(index) > length) {
      fail("a whole number within the list is required", name);
    }
  }
  if (typeof start === "number" && typeof end === "number" && start > end) {
    fail("end index must not be before the start", "end_index");
  }
}

function values([map = null]: readonly Evaluated[]): Type {
  const type = typeOf(map);
  if (type.kind === "map") return { kind: "list", element: type.element };
  if (type.kind !== "object") return ANY;
  const { attributes } = type;
  const names = sortedKeys(attributes);
  return { kind: "tuple", elements: names.map((name) => memberOf(attributes, name)?.type ?? ANY) };
}

function zipped([names = null, list = null]: readonly Evaluated[]): Type {
  const type = typeOf(list);
  if (type.kind === "list") return { kind: "map", element: type.element };
  if (type.kind === "any") return ANY;
  if (type.kind !== "tuple") return fail("a list or tuple is required", "values");
  const strings = known(names, { kind: "list", element: STRING });
  const plain = strings !== undefined && isListValue(strings) ? strings : undefined;
  const members: [string, Type][] = [];
  for (const [index, name] of (plain ?? []).entries()) {
    const { value } = unmarkRoot(name);
    if (typeof value !== "string") return ANY;
    members.push([value, type.elements[index] ?? ANY]);
  }
  return plain ? objectOf(members) : ANY;
}

export const COLLECTION_TYPES: Readonly<Record<string, ResultType>> = {
  chunklist: (args) => ({ kind: "list", element: listType(at(args, 0)) }),
  concat: concatenated,
  distinct: (args) => listType(at(args, 0)),
  element: elementAt,
  keys,
  lookup: lookedUp,
  matchkeys: matched,
  merge: merged,
  one: only,
  reverse: reversed,
  setintersection: unitedSets,
  setproduct: product,
  setsubtract: unitedSets,
  setunion: unitedSets,
  slice: sliced,
  values,
  zipmap: zipped,
};
