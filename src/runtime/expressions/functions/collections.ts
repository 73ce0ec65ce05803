import { compareStrings, memberOf, UNKNOWN, valuesEqual } from "../../../provider/values";
import { convert } from "../convert";
import type { Evaluated, EvaluatedObject } from "../evaluated";
import {
  isList,
  isObject,
  isWhollyKnown,
  mark,
  SetValue,
  sortedKeys,
  unmarkRoot,
} from "../evaluated";
import { typeOf, unify } from "../types";
import type { FunctionDefinition, Parameter } from "./language-function";
import {
  anything,
  define,
  defineVariadic,
  FunctionFailure,
  integer,
  items,
  members,
  named,
  nullableStrings,
  raw,
  sequence,
  string,
  strings,
  values,
} from "./language-function";
import { graphemes } from "./strings";

const sized: Parameter<string | readonly Evaluated[] | EvaluatedObject> = {
  ...items,
  name: "value",
  read: (value) => {
    if (value instanceof SetValue) return value.elements;
    if (typeof value === "string" || isList(value) || isObject(value)) return value;
    return new FunctionFailure("string, list, set or map required");
  },
};
const optionalMembers: Parameter<EvaluatedObject> = {
  ...members,
  nullable: true,
  read: (value) => (value === null ? {} : members.read(value)),
};

/** Gives the first value that is neither null nor empty, converted to the common type of all. */
function coalesce(args: readonly Evaluated[]): Evaluated | FunctionFailure {
  const type = unify(args.map(typeOf));
  if (!type) return new FunctionFailure("all arguments must have the same type");
  for (const arg of args) {
    const { value } = unmarkRoot(arg);
    if (value === UNKNOWN) return arg;
    if (value !== null && value !== "") return convert(arg, type).value;
  }
  return new FunctionFailure("no non-null, non-empty-string arguments");
}

function coalesceList(args: readonly Evaluated[]): Evaluated | FunctionFailure {
  for (const arg of args) {
    const { value } = unmarkRoot(arg);
    if (value === UNKNOWN) return arg;
    if (isList(value) && value.length > 0) return arg;
    if (value instanceof SetValue && value.elements.length > 0) return arg;
  }
  return new FunctionFailure("no non-empty arguments");
}

/** Flattens nested lists; unknown if a nested value is. */
function flatten(list: readonly Evaluated[]): Evaluated {
  const flat: Evaluated[] = [];
  let result: Evaluated = flat;
  for (const item of list) {
    const { value, marks } = unmarkRoot(item);
    if (value === UNKNOWN) return mark(UNKNOWN, marks);
    const inner = value instanceof SetValue ? value.elements : value;
    if (!isList(inner)) {
      flat.push(item);
      continue;
    }
    const below = unmarkRoot(flatten(inner));
    if (!isList(below.value)) return below.value;
    flat.push(...below.value);
    result = mark(mark(result, marks), below.marks);
  }
  return result;
}

function slice(list: readonly Evaluated[], from: number, to: number): Evaluated | FunctionFailure {
  if (from < 0 || from > list.length) {
    return new FunctionFailure("start index must not be negative or behind the end of the list");
  }
  if (to < from || to > list.length) {
    return new FunctionFailure(
      "end index must not be before the start or behind the end of the list",
    );
  }
  return list.slice(from, to);
}

function zipmap(keys: readonly string[], list: readonly Evaluated[]): Evaluated | FunctionFailure {
  if (keys.length !== list.length) {
    return new FunctionFailure(
      `number of keys (${keys.length}) does not match number of values (${list.length})`,
    );
  }
  return Object.fromEntries(keys.map((key, index) => [key, list[index] ?? null]));
}

function chunk(list: readonly Evaluated[], size: number): Evaluated | FunctionFailure {
  if (size < 0) return new FunctionFailure("the size argument must be positive", "size");
  if (size === 0) return [list];
  const count = Math.ceil(list.length / size);
  return Array.from({ length: count }, (_, index) => list.slice(index * size, (index + 1) * size));
}

function transpose(map: EvaluatedObject): Evaluated | FunctionFailure {
  const result = new Map<string, string[]>();
  for (const key of sortedKeys(map)) {
    const entry = memberOf(map, key) ?? null;
    if (!isWhollyKnown(entry)) return UNKNOWN;
    const list = strings.read(convert(entry, strings.type).value);
    if (list instanceof FunctionFailure) return new FunctionFailure("list of string required");
    for (const value of list) result.set(value, [...(result.get(value) ?? []), key]);
  }
  return Object.fromEntries([...result].map(([key, list]) => [key, list.sort(compareStrings)]));
}

export const collectionFunctions: Readonly<Record<string, FunctionDefinition>> = {
  chunklist: define([items, named("size", integer)], ([list, size]) => chunk(list, size)),
  coalesce: defineVariadic([], raw, (_, args) => coalesce(args), { minimum: 1 }),
  coalescelist: defineVariadic([], raw, (_, args) => coalesceList(args), { minimum: 1 }),
  compact: define([nullableStrings], ([list]) =>
    list.filter((item) => item !== null && item !== ""),
  ),
  concat: defineVariadic([], named("seqs", sequence), (_, lists) => lists.flat(), { minimum: 1 }),
  contains: define([values, anything], ([list, wanted]) =>
    list.some((item) => valuesEqual(item, wanted)),
  ),
  distinct: define([values], ([list]) =>
    list.filter((item, at) => list.findIndex((other) => valuesEqual(other, item)) === at),
  ),
  element: define([items, named("index", integer)], ([list, position]) => {
    if (list.length === 0) {
      return new FunctionFailure("cannot use element function with an empty list");
    }
    if (position < 0) {
      return new FunctionFailure("cannot use element function with a negative index", "index");
    }
    return list[position % list.length] ?? null;
  }),
  flatten: define([items], ([list]) => flatten(list)),
  index: define([values, anything], ([list, wanted]) => {
    const position = list.findIndex((item) => valuesEqual(item, wanted));
    return position < 0 ? new FunctionFailure("item not found") : position;
  }),
  keys: define([members], ([map]) => sortedKeys(map)),
  length: define([sized], ([value]) => {
    if (typeof value === "string") return graphemes(value).length;
    return isList(value) ? value.length : Object.keys(value).length;
  }),
  lookup: defineVariadic(
    [members, named("key", string)],
    named("default", raw),
    ([map, key], fallback) =>
      memberOf(map, key) ??
      fallback[0] ??
      (fallback.length > 0
        ? null
        : new FunctionFailure("lookup failed to find the given key in the map", "key")),
    { maximum: 3 },
  ),
  matchkeys: define(
    [items, named("keys", values), named("searchset", values)],
    ([list, keys, wanted]) =>
      list.length === keys.length
        ? list.filter((_, at) => wanted.some((key) => valuesEqual(key, keys[at] ?? null)))
        : new FunctionFailure("length of keys and values should be equal"),
  ),
  merge: defineVariadic([], named("maps", optionalMembers), (_, maps) =>
    Object.fromEntries(maps.flatMap((map) => Object.entries(map))),
  ),
  one: define([items], ([list]) =>
    list.length > 1
      ? new FunctionFailure("must be a list, set or tuple with either zero or one elements", "list")
      : (list[0] ?? null),
  ),
  reverse: define([items], ([list]) => [...list].reverse()),
  slice: define(
    [sequence, named("start_index", integer), named("end_index", integer)],
    ([list, from, to]) => slice(list, from, to),
  ),
  sort: define([strings], ([list]) => [...list].sort(compareStrings)),
  transpose: define([members], ([map]) => transpose(map)),
  values: define([members], ([map]) => sortedKeys(map).map((key) => memberOf(map, key) ?? null)),
  zipmap: define([named("keys", strings), named("values", items)], ([keys, list]) =>
    zipmap(keys, list),
  ),
};
