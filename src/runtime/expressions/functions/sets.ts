import type { Value } from "../../../provider/values";
import { isListValue, UNKNOWN, valuesEqual } from "../../../provider/values";
import { convert } from "../convert";
import type { Evaluated } from "../evaluated";
import { isList, mark, marksWithin, SetValue, unionMarks, unmark, unmarkRoot } from "../evaluated";
import { LIMITS, TOO_MANY } from "../limits";
import { ANY } from "../types";
import type { FunctionDefinition } from "./language-function";
import { define, defineVariadic, fail, named, raw, values } from "./language-function";

const sets = named("sets", values);

/** Converts the elements of all sets to their common type. */
function unified(lists: readonly (readonly Value[])[]): readonly SetValue[] {
  const all = convert(lists.flat(), { kind: "list", element: ANY });
  const { value } = unmark(all.value);
  if (all.problems.length > 0 || !isListValue(value)) {
    return fail("all sets must have elements of one type", "sets");
  }
  let start = 0;
  return lists.map((list) => {
    const part = value.slice(start, start + list.length);
    start += list.length;
    return new SetValue(part);
  });
}

function combine(
  lists: readonly (readonly Value[])[],
  join: (a: readonly Value[], b: readonly Value[]) => readonly Value[],
): Evaluated {
  const all = unified(lists);
  return new SetValue(all.map(({ elements }) => elements).reduce((a, b) => join(a, b)));
}

function has(list: readonly Value[], wanted: Value): boolean {
  return list.some((item) => valuesEqual(item, wanted));
}

/** Combines the elements of all arguments; the result is a set if all arguments are, else a list. */
function product(args: readonly Evaluated[]): Evaluated {
  const roots = args.map((arg) => unmarkRoot(arg).value);
  const marks = unionMarks(...args.map((arg) => unmarkRoot(arg).marks));
  if (roots.includes(UNKNOWN)) return mark(UNKNOWN, marks);
  const lists: (readonly Evaluated[])[] = [];
  for (const root of roots) {
    if (root instanceof SetValue) lists.push(root.elements);
    else if (isList(root)) lists.push(root);
    else return fail("a set or a list is required", "sets");
  }
  if (
    lists.reduce((size, list) => size * list.length, lists.length) > LIMITS.collectionSize.value
  ) {
    return fail(TOO_MANY);
  }
  const rows = lists.reduce<readonly (readonly Evaluated[])[]>(
    (all, list) => all.flatMap((row) => list.map((item) => [...row, item])),
    [[]],
  );
  return roots.every((root) => root instanceof SetValue)
    ? mark(new SetValue(rows.map((row) => unmark(row).value)), unionMarks(marks, marksWithin(rows)))
    : mark(rows, marks);
}

export const setFunctions: Readonly<Record<string, FunctionDefinition>> = {
  setintersection: defineVariadic(
    [],
    sets,
    (_, lists) => combine(lists, (a, b) => a.filter((item) => has(b, item))),
    { minimum: 1 },
  ),
  setproduct: defineVariadic([], raw, (_, args) => product(args), { minimum: 2 }),
  setsubtract: define([named("a", values), named("b", values)], (lists) =>
    combine(lists, (a, b) => a.filter((item) => !has(b, item))),
  ),
  setunion: defineVariadic([], sets, (_, lists) => combine(lists, (a, b) => [...a, ...b]), {
    minimum: 1,
  }),
};
