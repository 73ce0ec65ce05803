import fc from "fast-check";
import {
  exactNumber,
  canonicalSet,
  compareStrings,
  UNKNOWN,
  valueAt,
  valuesEqual,
  withoutRepetitions,
  ExactNumber,
  type Value,
} from "../../src/core/values";

test("orders strings by their UTF-8 bytes", () => {
  const text = fc.string({ unit: "grapheme", maxLength: 6 });
  fc.assert(
    fc.property(text, text, (a, b) => {
      const bytes = Buffer.compare(Buffer.from(a), Buffer.from(b));
      expect(Math.sign(compareStrings(a, b))).toBe(bytes);
    }),
  );
  expect(compareStrings("\u{1f600}", "\uffee")).toBeGreaterThan(0);
});

test("sorts a set without repetitions, unknown elements last", () => {
  expect(canonicalSet(["b", UNKNOWN, "a", "b", UNKNOWN])).toEqual(["a", "b", UNKNOWN, UNKNOWN]);
});

test("keeps the elements of a set that have unknown parts, in Terraform's order", () => {
  const unknown: Value = { a: "b", b: UNKNOWN };
  const known = { a: "c", b: "x" };
  expect(canonicalSet([known, unknown, known, unknown])).toEqual([unknown, unknown, known]);
  expect(canonicalSet([[UNKNOWN], ["z"], [UNKNOWN], null])).toEqual([
    ["z"],
    [UNKNOWN],
    [UNKNOWN],
    null,
  ]);
});

test("keeps a zero and a negative zero of a set, at any depth", () => {
  expect(canonicalSet([0, -0, 0])).toEqual([-0, 0]);
  expect(canonicalSet([{ a: 0 }, { a: -0 }, { a: 0 }])).toEqual([{ a: -0 }, { a: 0 }]);
});

test("keeps the first of equal values", () => {
  const scalar = fc.constantFrom<Value>(
    "1",
    "a",
    "",
    1,
    2,
    true,
    null,
    UNKNOWN,
    new ExactNumber("1"),
  );
  const value = fc.oneof(
    scalar,
    fc.array(scalar, { maxLength: 2 }),
    fc.dictionary(fc.constantFrom("a", "b"), scalar, { maxKeys: 2 }),
  );
  fc.assert(
    fc.property(fc.array(value), (values) => {
      const first = (one: Value, at: number) =>
        values.findIndex((other) => valuesEqual(other, one)) === at;
      expect(withoutRepetitions(values)).toEqual(values.filter(first));
    }),
  );
});

test("finds an absent and a null member equal, and unknown values", () => {
  expect(valuesEqual({ a: 1, b: null }, { a: 1 })).toBe(true);
  expect(valuesEqual({ a: UNKNOWN }, { a: UNKNOWN })).toBe(true);
  expect(valuesEqual({ a: UNKNOWN }, { a: null })).toBe(false);
});

test("finds unknown inside an unknown, and null inside nothing", () => {
  expect(valueAt({ list: [{ a: 1 }, UNKNOWN] }, ["list", 0, "a"])).toBe(1);
  expect(valueAt({ list: [{ a: 1 }, UNKNOWN] }, ["list", 1, "a"])).toBe(UNKNOWN);
  expect(valueAt({ list: [] }, ["list", 3, "a"])).toBe(null);
});

test("keeps the digits of a number that no double holds", () => {
  expect(exactNumber("2.50")).toBe(2.5);
  for (const digits of ["1e400", "-1e400", "9007199254740993"]) {
    expect(exactNumber(digits)).toMatchObject({ value: digits });
  }
});
