import { mark, unmark } from "../../../src/core/marks";
import { setOf, typeOf } from "../../../src/core/typed-values";
import { UNKNOWN, type Evaluated, type Value } from "../../../src/core/values";
import { convert } from "../../../src/language/expressions/convert";
import { encodeType } from "../../../src/core/type-json";
import { STRING } from "../../../src/core/types";
import { unify } from "../../../src/language/expressions/unify";
import { parseTypeConstraint } from "../../../src/language/config/type-constraint";

async function converted(value: Evaluated, constraint: string) {
  const parsed = await parseTypeConstraint(constraint);
  if ("problem" in parsed) throw new Error(parsed.problem);
  return convert(value, parsed.type);
}

describe("conversion", () => {
  test.each<[Evaluated, string, Value]>([
    [1.5, "string", "1.5"],
    [true, "string", "true"],
    ["010", "number", 10],
    ["1", "bool", true],
    [null, "string", null],
    [UNKNOWN, "list(string)", UNKNOWN],
    [[1, UNKNOWN, "a"], "list(string)", ["1", UNKNOWN, "a"]],
    [["b", "a", "b"], "set(string)", ["a", "b"]],
    [{ a: 1 }, "map(string)", { a: "1" }],
    [[1, "x"], "list(any)", ["1", "x"]],
    [[1, "2"], "tuple([string, number])", ["1", 2]],
    [{ a: 1, extra: 2 }, "object({a=string})", { a: "1" }],
    [{}, "object({a=optional(string)})", { a: null }],
    [{}, 'object({a=optional(number, 3), b=optional(list(string), ["x"])})', { a: 3, b: ["x"] }],
    [{ a: null }, 'object({a=optional(string, "d")})', { a: "d" }],
    [
      [{ a: 1 }],
      "list(object({a=string, b=optional(object({c=optional(bool,true)}),{})}))",
      [{ a: "1", b: { c: true } }],
    ],
    [["x"], "any", ["x"]],
  ])("of %j to %s", async (given, constraint, expected) => {
    const { value, problems } = await converted(given, constraint);
    expect({ value: unmark(value).value, problems }).toEqual({ value: expected, problems: [] });
  });

  test.each<[Evaluated, string, unknown]>([
    [null, "string", "string"],
    [UNKNOWN, "list(string)", ["list", "string"]],
    [[1, UNKNOWN, "a"], "list(any)", ["list", "string"]],
    [[], "set(any)", ["set", "dynamic"]],
    [{ a: [1], b: ["x"] }, "map(list(any))", ["map", ["list", "string"]]],
    [{}, "object({a=optional(number)})", ["object", { a: "number" }]],
    [[{ a: 1 }, null], "any", ["tuple", [["object", { a: "number" }], "dynamic"]]],
  ])("of %j to %s gives the type", async (given, constraint, expected) => {
    const { value } = await converted(given, constraint);
    expect(encodeType(typeOf(value))).toEqual(expected);
  });

  test("keeps marks in place, and moves those of elements to their set", async () => {
    const marked = mark(1, { sensitive: true });
    expect((await converted([marked], "list(string)")).value).toEqual([
      mark("1", { sensitive: true }),
    ]);
    expect((await converted([marked], "set(string)")).value).toEqual(
      mark(setOf(["1"], STRING), { sensitive: true }),
    );
  });

  test.each<[Evaluated, string, unknown]>([
    ["x", "number", [{ path: [], message: "number required" }]],
    ["yes", "bool", [{ path: [], message: "bool required" }]],
    ["", "number", [{ path: [], message: "number required" }]],
    [
      ["a", [], {}],
      "list(string)",
      [
        { path: [1], message: "string required" },
        { path: [2], message: "string required" },
      ],
    ],
    [
      { toString: 1 },
      "object({a=string, b=string})",
      [{ path: [], message: 'attributes "a", "b" are required' }],
    ],
    [{}, "object({toString=string})", [{ path: [], message: 'attribute "toString" is required' }]],
    ["a", "list(string)", [{ path: [], message: "list(string) required" }]],
    [["a", {}], "list(any)", [{ path: [], message: "all list elements must have the same type" }]],
    [[1], "tuple([string, number])", [{ path: [], message: "tuple([string, number]) required" }]],
  ])("of %j to %s fails", async (value, constraint, problems) => {
    expect((await converted(value, constraint)).problems).toEqual(problems);
  });
});

describe("parseTypeConstraint", () => {
  test.each([
    ["list", { kind: "list", element: { kind: "any" } }],
    [
      " map( list ( number ) ) ",
      { kind: "map", element: { kind: "list", element: { kind: "number" } } },
    ],
    [
      "object({\n  a = string\n  b : bool, # flag\n})",
      {
        kind: "object",
        attributes: { a: { type: { kind: "string" } }, b: { type: { kind: "bool" } } },
      },
    ],
  ])("%j", async (text, type) => {
    expect(await parseTypeConstraint(text)).toEqual({ type });
  });

  test.each([
    ["strin", /"strin" is not a valid type specification/],
    ["list(string", /./],
    ["list(optional(string))", /modifier for object type attributes/],
    ["string string", /extra characters/],
    ["object({a})", /./],
    ['object({a=optional(number, "x")})', /type constraint: number required/],
    ["", /Expected the start of an expression/],
  ])("%j is refused", async (text, problem) => {
    expect(await parseTypeConstraint(text)).toMatchObject({
      problem: expect.stringMatching(problem) as string,
    });
  });
});

describe("types", () => {
  test("are encoded as in state files", () => {
    expect(encodeType(typeOf({ a: ["x", 1], b: setOf(["s"], STRING), c: null }))).toEqual([
      "object",
      { a: ["tuple", ["string", "number"]], b: ["set", "string"], c: "dynamic" },
    ]);
  });

  test("have no common type if they are too different", () => {
    expect(unify([typeOf(1), typeOf(true)])).toBeUndefined();
    expect(unify([typeOf("a"), typeOf([])])).toBeUndefined();
    expect(unify([typeOf(1), typeOf(null), typeOf("a")])).toEqual({ kind: "string" });
  });
});
