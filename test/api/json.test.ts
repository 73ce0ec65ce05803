import fc from "fast-check";
import { isLosslessNumber } from "lossless-json";
import { jsonNumber, parseBody, stringifyBody, toNumber } from "../../src/api/json";

test.each([
  "9007199254740993",
  "123456789012345678901234567890",
  "1.0",
  "1e3",
  "1E400",
  "-0",
  "0.10",
  "3.141592653589793238462643",
])("the number %s goes back as it was found", (spelling) => {
  const parsed = parseBody(`{"cap":${spelling}}`);
  expect(stringifyBody(parsed)).toBe(`{"cap":${spelling}}`);
});

test("a number that JavaScript prints as it was found is a plain number", () => {
  expect(parseBody("[1,-2,0.5,9007199254740991]")).toEqual([1, -2, 0.5, 9007199254740991]);
});

test("either kind of number can be computed with, and nothing else is one", () => {
  const kept = parseBody("41.0");
  expect(isLosslessNumber(kept)).toBe(true);
  expect(toNumber(jsonNumber.parse(kept))).toBe(41);
  expect(toNumber(jsonNumber.parse(41))).toBe(41);
  expect(jsonNumber.safeParse("41").success).toBe(false);
});

test("compact JSON of any value comes back byte for byte", () => {
  fc.assert(
    fc.property(fc.json({ noUnicodeString: false }), (json) => {
      const compact = JSON.stringify(JSON.parse(json));
      expect(stringifyBody(parseBody(compact))).toBe(compact);
    }),
  );
});

test("a member named __proto__ is a member like any other", () => {
  const text = '{"__proto__":{"polluted":true},"name":"a"}';
  expect(stringifyBody(parseBody(text))).toBe(text);
  expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
});

test("a text that is nested too deeply to be read is no JSON", () => {
  expect(() => parseBody("[".repeat(100_000))).toThrow(SyntaxError);
  expect(() => parseBody('{"a":'.repeat(100_000))).toThrow(SyntaxError);
});

test("the last of two members of one name counts, as in JSON.parse", () => {
  expect(parseBody('{"a":1,"a":2}')).toEqual({ a: 2 });
});

test.each(["", "{", "<html>", "[1,]", "nul"])("%j is no JSON", (text) => {
  expect(() => parseBody(text)).toThrow(SyntaxError);
});
