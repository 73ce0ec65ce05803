import { mark, unionMarks, unmarkRoot } from "../../../core/marks";
import { isSet, setOf, typeOf } from "../../../core/typed-values";
import {
  isWhollyKnown,
  UNKNOWN,
  valuesEqual,
  type Evaluated,
  type Value,
} from "../../../core/values";
import { elementsOf, hasLength } from "../ranges";
import { convert } from "../convert";
import { LIMITS, TOO_MANY } from "../limits";
import { ANY, sameType } from "../../../core/types";
import { product, unitedSets } from "./collection-types";
import type { LanguageFunction, Parameter } from "./language-function";
import { define, defineVariadic, fail, refuse, withName, raw } from "./language-function";
import { membershipIn } from "./membership";

type Join = (a: readonly Value[], b: readonly Value[]) => readonly Value[];

const set: Parameter<readonly Value[]> = {
  name: "sets",
  type: { kind: "set", element: ANY },
  deep: false,
  read: (value) => (isSet(value) ? value : fail("set required")),
};

/** Combines sets after a conversion to their common type, if it is closed or theirs already. */
function combine(sets: readonly (readonly Value[])[], join: Join): Evaluated {
  const type = unitedSets(sets);
  const converted = sets.map((one) => convert(one, type).value);
  const types = converted.map(typeOf);
  if (!types.every((one) => sameType(one, types[0] ?? one))) {
    return fail("the sets have elements of different types");
  }
  return setOf(converted.map((one) => (isSet(one) ? one : [])).reduce(join));
}

/** Combines sets whose unknown elements may be equal to others. */
function combineKnown(sets: readonly (readonly Value[])[], join: Join): Evaluated {
  return sets.every(isWhollyKnown) ? combine(sets, join) : UNKNOWN;
}

/** Combines the elements of all arguments; the result is a set if one of them is, else a list. */
function multiply(args: readonly Evaluated[]): Evaluated {
  const type = product(args);
  const roots = args.map((arg) => unmarkRoot(arg));
  const marks = unionMarks(...roots.map((root) => root.marks));
  if (roots.some(({ value }) => value === null)) return fail("argument must not be null", "sets");
  const lists = roots.map(({ value }) =>
    isSet(value) && !hasLength(value) ? undefined : elementsOf(value),
  );
  let rows: readonly (readonly Evaluated[])[] = [[]];
  for (const list of lists) {
    if (!list) return mark(UNKNOWN, marks);
    if (rows.length * list.length * lists.length > LIMITS.collectionSize.value) {
      return refuse(TOO_MANY);
    }
    rows = rows.flatMap((row) => list.map((item) => [...row, item]));
  }
  return mark(convert(rows, type).value, marks);
}

export const setFunctions: Readonly<Record<string, LanguageFunction>> = {
  setintersection: defineVariadic(
    [],
    set,
    (_, sets) => combineKnown(sets, (a, b) => a.filter(membershipIn(b, valuesEqual))),
    { minimum: 1 },
  ),
  setproduct: defineVariadic([], raw, (_, args) => multiply(args), { minimum: 2 }),
  setsubtract: define([withName("a", set), withName("b", set)], (sets) =>
    combineKnown(sets, (a, b) => {
      const isRemoved = membershipIn(b, valuesEqual);
      return a.filter((item) => !isRemoved(item));
    }),
  ),
  setunion: defineVariadic([], set, (_, sets) => combine(sets, (a, b) => [...a, ...b]), {
    minimum: 1,
  }),
};
