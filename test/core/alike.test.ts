import {
  isAlike,
  onceForEach,
  onceForPairs,
  ResultsByText,
  sharedForEach,
} from "../../src/core/alike";
import { withDynamicType } from "../../src/core/schema/dynamic";
import { STRING } from "../../src/core/types";

test("computes once for each object", () => {
  let computed = 0;
  const sizeOf = onceForEach((list: readonly string[]) => {
    computed += 1;
    return list.length;
  });
  const [one, other] = [["a"], ["a"]];
  expect([sizeOf(one), sizeOf(one), sizeOf(other)]).toEqual([1, 1, 1]);
  expect(computed).toBe(2);
});

test("keeps results that are undefined", () => {
  const compute = jest.fn(() => undefined);
  const memoized = onceForEach(compute);
  const key = {};
  memoized(key);
  memoized(key);
  expect(compute).toHaveBeenCalledTimes(1);
});

test("computes once for each pair, in its order", () => {
  const joined = onceForPairs((one: string[], other: string[]) => [...one, ...other]);
  const [a, b] = [["a"], ["b"]];
  expect(joined(a, b)).toBe(joined(a, b));
  expect(joined(b, a)).toEqual(["b", "a"]);
});

test("keeps a bounded number of texts", () => {
  const results = new ResultsByText<number>();
  for (let index = 0; index < 30_000; index++) results.set(`text ${index}`, index);
  expect(results.get("text 0")).toBeUndefined();
  expect(results.get("text 29999")).toBe(29_999);
});

test("compares lists and records down to the same primitives", () => {
  const unknown = Symbol("unknown");
  const value = { list: [1, { name: "a", value: unknown }], none: null };
  expect(isAlike(value, { ...value, list: [1, { value: unknown, name: "a" }] })).toBe(true);
  for (const other of [
    { ...value, list: [1] },
    { ...value, none: undefined },
    { ...value, list: { 0: 1, 1: { name: "a", value: unknown } } },
    { list: value.list },
    { ...value, list: [1, { name: "a", value: Symbol("other") }] },
  ]) {
    expect(isAlike(value, other)).toBe(false);
  }
  expect(isAlike({ zero: 0 }, { zero: -0 })).toBe(false);
  const typed = () => withDynamicType(["a"], { kind: "list", element: STRING });
  expect(isAlike({ value: typed() }, { value: ["a"] })).toBe(false);
  expect(isAlike(new Date(0), new Date(0))).toBe(false);
});

test("shares the first value of each object with values that are alike", () => {
  const shared = sharedForEach<{ readonly list: readonly number[] }>();
  const [plan, other, first] = [{}, {}, { list: [1] }];
  expect(shared(plan, first)).toBe(first);
  expect(shared(plan, { list: [1] })).toBe(first);
  expect(shared(plan, { list: [2] })).toEqual({ list: [2] });
  expect(shared(other, { list: [1] })).not.toBe(first);
});
