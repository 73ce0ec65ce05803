import { mark, marksWithin, unionMarks, unmark, unmarkRoot } from "../../../core/marks";
import { collectionTypeOf, kindOf, typeOf } from "../../../core/typed-values";
import {
  compareStrings,
  isListValue,
  isObjectValue,
  isWhollyKnown,
  sortedKeys,
  UNKNOWN,
  withoutRepetitions,
  type Evaluated,
  type EvaluatedObject,
  type Marks,
  type Value,
} from "../../../core/values";
import {
  DYNAMIC,
  elementsOf,
  hasLength,
  isNull,
  isSequence,
  isUnknown,
  NOT_NULL,
  unknownOf,
} from "../ranges";
import { memberOf } from "../../../core/member-of";
import { convert } from "../convert";
import { equal } from "../equality";
import { ANY } from "../../../core/types";
import { unify } from "../unify";
import type { LanguageFunction, Parameter } from "./language-function";
import {
  anything,
  define,
  defineVariadic,
  fail,
  integer,
  items,
  measured,
  members,
  withName,
  nullableStrings,
  raw,
  sequence,
  string,
  strings,
  values,
} from "./language-function";
import { membershipIn } from "./membership";
import { mapKeys, lengthOf } from "./sizes";

const wanted = withName("value", { ...anything, nullable: false, deep: false });
/** A list whose elements are converted to one type. */
const unified: Parameter<readonly Evaluated[]> = { ...items, type: { kind: "list", element: ANY } };
const sameType = { ...values, type: unified.type };
/** Like `sequence`, but its type is checked last. */
const indexed: Parameter<readonly Evaluated[]> = {
  ...items,
  read: (value) => sequence.read(value),
};
const lists = { ...members, type: { kind: "map", element: strings.type } } as const;
const optionalMembers: Parameter<EvaluatedObject> = {
  ...members,
  nullable: true,
  read: (value) => (value === null ? {} : members.read(value)),
};

/** Returns the first value that is neither null nor empty, converted to the common type of all. */
function coalesce(args: readonly Evaluated[]): Evaluated {
  const type = unify(args.map(typeOf));
  if (!type) return fail("all arguments must have the same type");
  for (const arg of args) {
    const { value } = unmarkRoot(arg);
    if (value === UNKNOWN) return unknownOf(type, NOT_NULL);
    if (value !== null && value !== "") return convert(arg, type).value;
  }
  return fail("no non-null, non-empty-string arguments");
}

function coalesceList(args: readonly Evaluated[]): Evaluated {
  for (const arg of args) {
    if (isUnknown(arg)) break;
    const kind = kindOf(arg);
    if (kind !== "list" && kind !== "tuple") return fail("lists or tuples required", "vals");
  }
  const found = args.find((arg) => !isNull(arg) && elementsOf(unmarkRoot(arg).value)?.length !== 0);
  if (found === undefined) return fail("no non-empty arguments");
  return isUnknown(found) ? DYNAMIC : found;
}

/** A list, or a map or an object with unknown members: Terraform checks the type of known values. */
const flattened: Parameter<readonly Evaluated[]> = {
  ...measured,
  read: (value) =>
    isObjectValue(value) && !isWhollyKnown(value)
      ? sortedKeys(value).map((key) => memberOf(value, key) ?? null)
      : measured.read(value),
};

/** Flattens nested lists; unknown if the length of one is. */
function flatten(list: readonly Evaluated[]): Evaluated {
  const flat: Evaluated[] = [];
  const found: Marks[] = [];
  let isKnown = true;
  for (const item of list) {
    const { value, marks } = unmarkRoot(item);
    if (value === null || !(isSequence(item) || kindOf(item) === "any")) {
      flat.push(item);
      continue;
    }
    found.push(marks);
    const inner = unmarkRoot(hasLength(value) ? flatten(elementsOf(value) ?? []) : UNKNOWN);
    found.push(inner.marks);
    if (isListValue(inner.value)) flat.push(...inner.value);
    else isKnown = false;
  }
  return mark(isKnown ? flat : UNKNOWN, unionMarks(...found));
}

function isStrings(value: Value): value is readonly string[] {
  return isListValue(value) && value.every((item) => typeof item === "string");
}

/** Selects the elements whose keys are wanted, after a conversion of all keys to one type. */
function matchKeys(
  list: readonly Evaluated[],
  keys: readonly Evaluated[],
  wanted: readonly Evaluated[],
): Evaluated {
  if (list.length !== keys.length) {
    return fail("length of keys and values should be equal");
  }
  if (wanted.length === 0) return [];
  if (!isWhollyKnown(list) || !isWhollyKnown(keys)) return UNKNOWN;
  const all = convert([...keys, ...wanted], unified.type);
  if (all.problems.length > 0 || !isListValue(all.value)) {
    return fail("keys and searchset must have elements of one type");
  }
  const converted = all.value;
  const searched = converted.slice(keys.length);
  // An unknown key leaves nothing, also in Terraform.
  if (keys.length > 0 && !isWhollyKnown(searched)) return [];
  const isWanted = membershipIn(searched, (one, key) => equal(one, key) === true);
  return list.filter((_, at) => isWanted(converted[at] ?? null));
}

function slice(list: readonly Evaluated[], from: number, to: number): Evaluated {
  if (from < 0 || from > list.length) {
    return fail("must not be negative or behind the end of the list", "start_index");
  }
  if (to < 0 || to > list.length) {
    return fail("must not be negative or behind the end of the list", "end_index");
  }
  if (to < from) return fail("must not be behind the end index", "start_index");
  return list.slice(from, to);
}

function zipmap(keys: readonly string[], list: readonly Evaluated[]): Evaluated {
  if (keys.length !== list.length) {
    return fail(`number of keys (${keys.length}) does not match number of values (${list.length})`);
  }
  return Object.fromEntries(keys.map((key, index) => [key, list[index] ?? null]));
}

function chunk(list: readonly Evaluated[], size: number): Evaluated {
  if (size < 0) return fail("the size argument must be positive", "size");
  if (size === 0) return list.length === 0 ? [] : [list];
  const count = Math.ceil(list.length / size);
  return Array.from({ length: count }, (_, index) => list.slice(index * size, (index + 1) * size));
}

function transpose(map: EvaluatedObject): Evaluated {
  const result = new Map<string, string[]>();
  for (const key of sortedKeys(map)) {
    const entry = memberOf(map, key) ?? null;
    if (!isWhollyKnown(entry)) return UNKNOWN;
    const list = unmark(convert(entry, strings.type).value).value;
    if (!isStrings(list)) return fail("list of string required");
    for (const value of list) result.set(value, [...(result.get(value) ?? []), key]);
  }
  return Object.fromEntries([...result].map(([key, list]) => [key, list.sort(compareStrings)]));
}

/** Marks a result as a whole with all marks of its arguments. */
function withMarksOf(args: Evaluated, result: Evaluated): Evaluated {
  return mark(result, marksWithin(args));
}

const some = { minimum: 1 };

export const collectionFunctions: Readonly<Record<string, LanguageFunction>> = {
  chunklist: define([unified, withName("size", integer)], ([list, size]) => chunk(list, size)),
  coalesce: defineVariadic([], raw, (_, args) => withMarksOf(args, coalesce(args)), some),
  coalescelist: defineVariadic([], raw, (_, args) => withMarksOf(args, coalesceList(args)), some),
  compact: define([nullableStrings], ([list]) =>
    list.filter((item) => item !== null && item !== ""),
  ),
  concat: defineVariadic([], withName("seqs", { ...sequence }), (_, lists) => lists.flat(), {
    minimum: 1,
  }),
  contains: define([items, wanted], ([list, value]) => {
    const results = list.map((item) => equal(item, value));
    const result = results.includes(true) ? true : results.includes(UNKNOWN) ? UNKNOWN : false;
    return mark(result, unionMarks(marksWithin(list), marksWithin(value)));
  }),
  distinct: define([sameType], ([list]) => withoutRepetitions(list)),
  element: define([sequence, withName("index", integer)], ([list, position]) => {
    if (list.length === 0) {
      return fail("cannot use element function with an empty list");
    }
    const rest = position % list.length;
    if (rest >= 0) return list[rest] ?? null;
    // A list goes round backwards; of a tuple, Terraform does not find the type.
    return collectionTypeOf(list)
      ? (list[rest + list.length] ?? null)
      : fail("cannot use a negative index with a tuple", "index");
  }),
  flatten: define([flattened], ([list]) => flatten(list)),
  index: define([indexed, wanted], ([list, value]) => {
    for (const [position, item] of list.entries()) {
      const result = equal(item, value);
      if (result === false) continue;
      const marks = unionMarks(marksWithin(list), marksWithin(value));
      return mark(result === true ? position : UNKNOWN, marks);
    }
    return fail("item not found");
  }),
  keys: define([raw], ([map]) => mark(mapKeys(map), unmarkRoot(map).marks)),
  length: define([raw], ([value]) => mark(lengthOf(value), unmarkRoot(value).marks)),
  lookup: defineVariadic(
    [members, withName("key", string)],
    withName("default", raw),
    ([map, key], fallback) =>
      memberOf(map, key) ??
      (Object.hasOwn(map, key) ? null : fallback[0]) ??
      (Object.hasOwn(map, key) || fallback.length > 0
        ? null
        : fail("lookup failed to find the given key in the map", "key")),
    { maximum: 3 },
  ),
  matchkeys: define(
    [unified, withName("keys", unified), withName("searchset", unified)],
    ([list, keys, wanted]) =>
      mark(matchKeys(list, keys, wanted), marksWithin([list, keys, wanted])),
  ),
  merge: defineVariadic([], withName("maps", optionalMembers), (_, maps) =>
    Object.fromEntries(maps.flatMap((map) => Object.entries(map))),
  ),
  one: define([{ ...measured, kinds: ["list", "set", "tuple"] }], ([list]) =>
    list.length > 1
      ? fail("must be a list, set or tuple with either zero or one elements", "list")
      : mark(list[0] ?? null, marksWithin(list)),
  ),
  reverse: define([items], ([list]) => [...list].reverse()),
  slice: define(
    [sequence, withName("start_index", integer), withName("end_index", integer)],
    ([list, from, to]) => slice(list, from, to),
  ),
  sort: define([{ ...items, type: strings.type }], ([list]) => {
    if (!isWhollyKnown(list)) return list.map(() => UNKNOWN);
    const plain = unmark(list);
    return isStrings(plain.value)
      ? mark([...plain.value].sort(compareStrings), unionMarks(...plain.marks))
      : fail("a list of strings is required", "list");
  }),
  transpose: define([lists], ([map]) => withMarksOf(map, transpose(map))),
  values: define([members], ([map]) => sortedKeys(map).map((key) => memberOf(map, key) ?? null)),
  zipmap: define([withName("keys", strings), withName("values", items)], ([keys, list]) =>
    zipmap(keys, list),
  ),
};
