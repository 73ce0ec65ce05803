import fc from "fast-check";
import { ListSplitter } from "../../../src/core/json/list-splitter";
import { parseJson, stringifyJson } from "../../../src/core/json/lossless-json";

/** Splits a text that arrives in parts of so many bytes. */
function split(text: string, size: number, member?: string) {
  const elements: unknown[] = [];
  const list = new ListSplitter(member, (element) => elements.push(parseJson(element.toString())));
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) list.push(bytes.subarray(at, at + size));
  return { elements: list.isFound ? elements : undefined, rest: parseJson(list.end().toString()) };
}

const sizes = fc.integer({ min: 1, max: 40 });
const space = fc.constantFrom("", " ", "\n\t");

test("passes on the elements of a list, as they are in the whole text", () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), sizes, space, (list, size, pad) => {
      const text = `${pad}${JSON.stringify(list, undefined, pad)}${pad}`;
      expect(split(text, size)).toEqual({ elements: parseJson(text), rest: [] });
    }),
  );
});

test("passes on those of a member, and the other members", () => {
  const members = fc.dictionary(fc.string(), fc.jsonValue());
  fc.assert(
    fc.property(members, fc.array(fc.jsonValue()), fc.string(), sizes, (rest, list, name, size) => {
      const text = JSON.stringify({ ...rest, [name]: list, "": rest }, undefined, 1);
      const all = parseJson(text) as Record<string, unknown>;
      const elements = Array.isArray(all[name]) ? (all[name] as unknown[]) : undefined;
      expect(split(text, size, name)).toEqual({
        elements,
        rest: elements ? { ...all, [name]: [] } : all,
      });
    }),
  );
});

test.each(["null", "{}", '{"a":{"rules":[1]}}', '{"rules":null}', '"[1]"', '{"rules":{"a":[1]}}'])(
  "finds no list in %s",
  (text) => {
    expect(split(text, 3, "rules")).toEqual({ elements: undefined, rest: parseJson(text) });
  },
);

test("keeps the digits of numbers", () => {
  const text = '{"rules":[1.0,{"id":9007199254740993}],"n":1e3}';
  const { elements, rest } = split(text, 5, "rules");
  expect(stringifyJson(elements)).toBe('[1.0,{"id":9007199254740993}]');
  expect(stringifyJson(rest)).toBe('{"rules":[],"n":1e3}');
});

test.each(
  ["[1", "[1,]", "[,1]", "[1 2]", "[{]}", "[1}", "[1]]", "[] x", "{[1]}", '{"a":[1],', "[1", "]"]
    .concat([
      '{"a" [1]}',
      '{"a":[1] "b":1}',
      '{"\\x":[1]}',
      '["',
      "[tru]",
      "",
      "[1],[2]",
      '{"a":[01]}',
    ])
    .flatMap((text) => [1, 100].map((size) => [text, size] as const)),
)("refuses %j in parts of %j", (text, size) => {
  expect(() => split(text, size, "a")).toThrow(SyntaxError);
});
