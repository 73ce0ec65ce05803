import fc from "fast-check";
import { LosslessNumber, parse, stringify } from "lossless-json";
import {
  JSON_DEPTH,
  isExactNumber,
  parseJson,
  stringifyJson,
  toNumber,
} from "../../../src/core/json/lossless-json";
import { jsonNumber } from "../../../src/core/json/json-number";

test.each([
  "9007199254740993",
  "123456789012345678901234567890",
  "1.0",
  "1e3",
  "1E400",
  "-0",
  "0.10",
  "3.141592653589793238462643",
])("keeps the digits of %s", (spelling) => {
  const parsed = parseJson(`{"cap":${spelling}}`);
  expect(stringifyJson(parsed)).toBe(`{"cap":${spelling}}`);
});

test("keeps digits at every place of a text", () => {
  const places = ["#", " #", "[#]", "[1,#]", "[1,\n#]", '{"a":#}', '{"a" :\t#}', '{"a":[[#]]}'];
  const numbers = ["1.0", "-0", "-2e3", "9007199254740993", "-12345678901234567"];
  for (const place of places) {
    for (const number of numbers) {
      const text = place.replace("#", number);
      expect(stringifyJson(parseJson(text))).toBe(text.replace(/\s/g, ""));
    }
  }
});

test("reads numbers that JavaScript prints alike as plain numbers", () => {
  expect(parseJson("[1,-2,0.5,9007199254740991]")).toEqual([1, -2, 0.5, 9007199254740991]);
});

test("converts both kinds of numbers and nothing else", () => {
  const kept = parseJson("41.0");
  expect(isExactNumber(kept)).toBe(true);
  expect(toNumber(jsonNumber.parse(kept))).toBe(41);
  expect(toNumber(jsonNumber.parse(41))).toBe(41);
  expect(jsonNumber.safeParse("41").success).toBe(false);
});

test("formats parsed JSON byte for byte", () => {
  fc.assert(
    fc.property(fc.json({ stringUnit: "binary" }), (json) => {
      const compact = JSON.stringify(JSON.parse(json));
      expect(stringifyJson(parseJson(compact))).toBe(compact);
    }),
  );
});

describe("texts with unusual numbers", () => {
  const unusual = fc.constantFrom("1.0", "-0", "1e3", "-1.5E-7", "9007199254740993", "0.10", "1.5");
  const invalid = fc.constantFrom("01", "1.", ".5", "1e", "--1", "1.2.3", "+1", "1-2", "-");
  const { json } = fc.letrec<{ json: string }>((tie) => ({
    json: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      unusual,
      fc.constantFrom("1", "null", '"x"', '"1.0"', '"\\ue0001.0"', '"\ue0001.0"', '"\\"1.0"'),
      fc.array(tie("json"), { maxLength: 4 }).map((all) => `[${all.join(", ")}]`),
      fc
        .array(fc.tuple(fc.constantFrom('"a"', '"__proto__"', '"\ue0001.0"'), tie("json")))
        .map((all) => `{${all.map((member) => member.join(":")).join(",")}}`),
    ),
  }));
  const reference = (text: string) =>
    parse(text, undefined, {
      parseNumber: (digits) =>
        String(Number(digits)) === digits ? Number(digits) : new LosslessNumber(digits),
      onDuplicateKey: ({ newValue }) => newValue,
    });

  test("are read as a parser reads them that keeps all digits", () => {
    fc.assert(
      fc.property(json, (text) => {
        expect(parseJson(text)).toEqual(reference(text));
        expect(stringifyJson(parseJson(text))).toBe(stringifyJson(reference(text)));
      }),
    );
  });

  test("are refused with the position of what is no JSON", () => {
    fc.assert(
      fc.property(json, invalid, (text, fault) => {
        for (const whole of [`[${text},${fault}]`, `{${fault}:${text}}`, `[${fault} ${text}]`]) {
          expect(() => parseJson(whole)).toThrow(/position \d+/);
        }
      }),
    );
    expect(() => parseJson('{1.0:"a"}')).toThrow(/position 1/);
  });
});

test("reads __proto__ as an ordinary member", () => {
  const text = '{"__proto__":{"polluted":true},"name":"a"}';
  expect(stringifyJson(parseJson(text))).toBe(text);
  expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
});

test("refuses text that is nested too deeply", () => {
  expect(() => parseJson("[".repeat(100_000))).toThrow(SyntaxError);
  expect(() => parseJson('{"a":'.repeat(100_000))).toThrow(SyntaxError);
});

test("reads the levels of the bound, and ignores brackets in strings", () => {
  const nested = (levels: number) => "[".repeat(levels) + "]".repeat(levels);
  expect(() => parseJson(nested(JSON_DEPTH))).not.toThrow();
  expect(() => parseJson(nested(JSON_DEPTH + 1))).toThrow("nested too deeply");
  const mixed = (pairs: number) => `${'{"a":['.repeat(pairs)}${"]}".repeat(pairs)}`;
  expect(() => parseJson(mixed(JSON_DEPTH / 2))).not.toThrow();
  expect(() => parseJson(`[${mixed(JSON_DEPTH / 2)}]`)).toThrow("nested too deeply");
  const text = JSON.stringify({ "[": `"\\\\${"[".repeat(1000)}` });
  expect(stringifyJson(parseJson(text))).toBe(text);
});

test("keeps the last of two members of one name", () => {
  expect(parseJson('{"a":1,"a":2}')).toEqual({ a: 2 });
});

test.each(["", "{", "<html>", "[1,]", "nul"])("refuses %j", (text) => {
  expect(() => parseJson(text)).toThrow(SyntaxError);
});

test("writes any value as the writer of exact numbers does", () => {
  const leaf = fc.oneof(
    fc.string(),
    fc.constantFrom(0, -0, 1.5, NaN, true, null, undefined, 2n ** 70n, "isLosslessNumber"),
    fc.constantFrom(new LosslessNumber("1.0"), new Date(0), Symbol("none")),
  );
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4 },
      leaf,
      fc.array(tie("tree"), { maxLength: 3 }),
      fc.dictionary(fc.string(), tie("tree"), { maxKeys: 3 }),
    ),
  }));
  fc.assert(
    fc.property(tree, (value) => {
      expect(stringifyJson(value)).toBe(stringify(value) ?? "null");
    }),
    { numRuns: 300 },
  );
  expect(stringifyJson({ a: [{}, [], 1] }, "  ")).toBe(
    stringify({ a: [{}, [], 1] }, undefined, "  "),
  );
});
