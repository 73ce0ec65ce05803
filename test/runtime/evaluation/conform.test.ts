import type { Attributes } from "../../../src/core/schema/attribute";
import {
  bool,
  list,
  map,
  number,
  object,
  optional,
  set,
  string,
} from "../../../src/core/schema/attribute";
import { formatPath } from "../../../src/core/diagnostics";
import { mark } from "../../../src/core/marks";
import { setOf } from "../../../src/core/typed-values";
import { UNKNOWN, type Evaluated, type Value } from "../../../src/core/values";
import { conformBody } from "../../../src/runtime/evaluation/conform";
import { Expression } from "../../../src/language/expressions/expression";
import { EMPTY_SCOPE } from "../../../src/language/expressions/scope";

const attributes: Attributes = {
  text: optional(string(), "."),
  count: optional(number(), "."),
  flag: optional(bool(), "."),
  names: optional(set(string()), "."),
  order: optional(list(number()), "."),
  labels: optional(map(string()), "."),
  one: optional(object({ a: optional(string(), "."), b: optional(bool(), ".") }), "."),
  many: optional(list(object({ a: optional(number(), ".") })), "."),
  keyed: optional({ kind: "map", element: object({ a: optional(number(), ".") }) }, "."),
  token: optional(object({ value: optional(string(), ".", { writeOnly: true }) }), "."),
};

const EMPTY = Object.fromEntries(Object.keys(attributes).map((name) => [name, null]));

/** Conforms values as if expressions had given them. */
function conform(values: Record<string, Evaluated>) {
  const where = { address: "t.n", path: [] };
  const scope = { ...EMPTY_SCOPE, local: (name: string) => values[name] };
  const body = Object.keys(values).map((name) => {
    const reference = { subject: { kind: "local" as const, name }, path: [], indexed: false };
    const node = { kind: "reference" as const, reference, text: `local.${name}` };
    return [name, new Expression(node, { ...where, path: [name] })] as const;
  });
  return conformBody(new Map(body), attributes, scope, where);
}

test.each([
  [{}, {}],
  [
    { text: 5, count: "7", flag: "true" },
    { text: "5", count: 7, flag: true },
  ],
  [{ text: null, flag: UNKNOWN }, { flag: UNKNOWN }],
  [{ names: ["b", "a", "b"] }, { names: ["a", "b"] }],
  [{ names: setOf([2, 1]) }, { names: ["1", "2"] }],
  [{ names: ["b", UNKNOWN] }, { names: ["b", UNKNOWN] }],
  [{ order: ["2", 1] }, { order: [2, 1] }],
  [{ labels: { b: 1, a: true } }, { labels: { b: "1", a: "true" } }],
  [{ one: { a: 1 } }, { one: { a: "1", b: null } }],
  [{ many: [{ a: "1" }, {}] }, { many: [{ a: 1 }, { a: null }] }],
  [{ many: [{ a: UNKNOWN }, UNKNOWN] }, { many: [{ a: UNKNOWN }, UNKNOWN] }],
  [{ keyed: { x: { a: "1" } } }, { keyed: { x: { a: 1 } } }],
] as [Record<string, Evaluated>, Record<string, Value>][])(
  "%p becomes what the schema asks for",
  (given, expected) => {
    const { value, diagnostics } = conform(given);
    expect(diagnostics).toEqual([]);
    expect(value).toEqual({ ...EMPTY, ...expected });
  },
);

test.each([
  [{ txt: "x" }, "txt: Unsupported argument"],
  [{ text: ["x"] }, "text: Incorrect attribute value type"],
  [{ count: "many" }, "count: Incorrect attribute value type"],
  [{ names: "x" }, "names: Incorrect attribute value type"],
  [{ order: [1, "x"] }, "order[1]: Incorrect attribute value type"],
  [{ one: "x" }, "one: Incorrect attribute value type"],
  [{ one: { c: 1 } }, "one.c: Unsupported argument"],
  [{ many: { a: 1 } }, "many: Incorrect attribute value type"],
  [{ many: [{ a: 1 }, { a: [] }] }, "many[1].a: Incorrect attribute value type"],
  [{ keyed: [] }, "keyed: Incorrect attribute value type"],
  [{ keyed: { "a.b": { x: 1 } } }, 'keyed["a.b"].x: Unsupported argument'],
] as [Record<string, Evaluated>, string][])("%p is refused", (given, problem) => {
  const { diagnostics } = conform(given);
  expect(diagnostics.map(({ path, summary }) => `${formatPath(path ?? [])}: ${summary}`)).toEqual([
    problem,
  ]);
  expect(diagnostics).toMatchObject([{ address: "t.n" }]);
});

test("marks have the paths of the converted value", () => {
  const { value, marks } = conform({
    labels: { k: mark("v", { sensitive: true }) },
    many: [{ a: mark("1", { sensitive: true }) }],
    names: [mark("x", { sensitive: true }), "y"],
  });
  expect(value).toMatchObject({ labels: { k: "v" }, many: [{ a: 1 }], names: ["x", "y"] });
  expect(marks.map(({ path }) => formatPath(path)).sort()).toEqual([
    "labels.k",
    "many[0].a",
    "names",
  ]);
});

test("an ephemeral value is allowed in a write-only attribute only", () => {
  const secret = mark("s", { ephemeral: true });
  expect(conform({ token: { value: secret } }).diagnostics).toEqual([]);
  expect(conform({ token: mark({ value: "s" }, { ephemeral: true }) }).diagnostics).toMatchObject([
    { path: ["token"], summary: "Invalid use of ephemeral value" },
  ]);
});
