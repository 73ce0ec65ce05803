import * as fc from "fast-check";
import { formatJson } from "../../../src/core/json/format-json";
import { isExactNumber, parseJson } from "../../../src/core/json/lossless-json";
import { inOrder, type Json } from "../../../src/core/documents/state-value";

const reread = (value: Json) => parseJson(formatJson(value, "  ")) as Json;

test("writes valid JSON in both layouts", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(JSON.parse(formatJson(value as Json))).toEqual(value);
      expect(JSON.parse(formatJson(value as Json, "  "))).toEqual(value);
    }),
  );
});

test("writes the same text again after reading it", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = formatJson(value as Json, "  ");
      expect(formatJson(reread(value as Json), "  ")).toBe(text);
    }),
  );
});

test.each([
  ["9007199254740993", true],
  ["1.50", true],
  ["1e400", true],
  ["-0", true],
  ["12", false],
  ["0.1", false],
])("keeps the digits of %s", (digits, exact) => {
  const number = parseJson(digits) as Json;
  expect(isExactNumber(number)).toBe(exact);
  expect(formatJson(number)).toBe(digits);
});

test.each([
  [1e21, "1000000000000000000000"],
  [-1.5e22, "-15000000000000000000000"],
  [1e-7, "0.0000001"],
  [-1.25e-10, "-0.000000000125"],
  [5e-324, `0.${"0".repeat(323)}5`],
])("writes %p without an exponent", (number, digits) => {
  expect(formatJson(number)).toBe(digits);
  expect(Number(digits)).toBe(number);
});

test("refuses values that are not JSON numbers", () => {
  expect(() => formatJson(Number.NaN)).toThrow(RangeError);
});

test("escapes as Go does", () => {
  expect(formatJson('<a href="x">&\u2028\u2029é\u0001\b\u007f')).toBe(
    String.raw`"\u003ca href=\"x\"\u003e\u0026\u2028\u2029é\u0001\b` + '\u007f"',
  );
});

test("sorts members by their bytes, unless an order is given", () => {
  const object = { "9": 1, b: 2, "10": 3, "\u{1f600}": 4, "\uffee": 5, B: 6 };
  expect(Object.keys(JSON.parse(formatJson(inOrder({ b: 1, a: 2 }))) as object)).toEqual([
    "b",
    "a",
  ]);
  expect(formatJson(object)).toBe('{"10":3,"9":1,"B":6,"b":2,"\uffee":5,"\u{1f600}":4}');
});
