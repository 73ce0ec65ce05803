import { refereePlan, refereeResult } from "../../../src/core/planning/referee";
import {
  bool,
  computed,
  list,
  map,
  object,
  optional,
  optionalComputed,
  required,
  set,
  string,
} from "../../../src/core/schema/attribute";
import { formatPath, type Diagnostic } from "../../../src/core/diagnostics";
import { withDynamicType } from "../../../src/core/schema/dynamic";
import { UNKNOWN, type ObjectValue, type Value } from "../../../src/core/values";
import { complete } from "../../provider/support/engine";

const attributes = {
  id: computed(string(), ""),
  user: optionalComputed(string(), ""),
  name: required(string(), ""),
  note: optional(string(), ""),
  on: optional(bool(), "", { default: true }),
  key: optional(string(), "", { writeOnly: true }),
  tags: optional(set(string()), ""),
  limits: optional(map(string()), ""),
  one: optional(object({ label: required(string(), "") }), ""),
  parts: optional(
    list(
      object({
        label: required(string(), ""),
        on: optional(bool(), "", { default: false }),
        secret: optional(string(), "", { writeOnly: true }),
      }),
    ),
    "",
  ),
};

const given = complete(attributes, {
  name: "n",
  key: "k",
  tags: ["a"],
  limits: { x: "1" },
  one: { label: "o" },
  parts: [{ label: "a", secret: "s" }, { label: "b" }],
});
const honest: ObjectValue = {
  ...given,
  id: UNKNOWN,
  user: "somebody",
  on: true,
  key: null,
  parts: [
    { label: "a", on: false, secret: null },
    { label: "b", on: false, secret: null },
  ],
};
const part = { label: "a", on: false, secret: null };

const places = (diagnostics: readonly Diagnostic[]) =>
  diagnostics.map(({ path }) => formatPath(path ?? []));

test("accepts a correct plan", () => {
  expect(refereePlan(attributes, null, given, honest)).toEqual([]);
});

test.each<[string, Value, ObjectValue | null, readonly string[]]>([
  ["name", "other", null, ["name"]],
  ["name", null, null, ["name"]],
  ["name", UNKNOWN, null, ["name"]],
  ["note", "invented", null, ["note"]],
  ["note", UNKNOWN, null, ["note"]],
  ["key", "k", null, ["key"]],
  ["key", UNKNOWN, null, ["key"]],
  ["tags", ["a", "b"], null, ["tags"]],
  ["tags", null, null, ["tags"]],
  ["limits", { x: "2" }, null, ["limits"]],
  ["limits", { x: "1", y: "2" }, null, ["limits"]],
  ["one", null, null, ["one"]],
  ["one", { label: "p" }, null, ["one.label"]],
  ["parts", [part], null, ["parts"]],
  ["parts", UNKNOWN, null, ["parts"]],
  ["parts", [part, UNKNOWN], null, ["parts[1]"]],
  ["parts", [part, null], null, ["parts[1]"]],
  ["parts", [part, { ...part, label: "b", secret: "s" }], null, ["parts[1].secret"]],
  ["parts", [{ ...part, label: "x" }, part], null, ["parts[0].label", "parts[1].label"]],
  // A prior value does not justify a value that is not configured.
  ["note", "before", { ...honest, note: "before" }, ["note"]],
])("finds the fault %s = %p", (name, planted, prior, expected) => {
  expect(places(refereePlan(attributes, prior, given, { ...honest, [name]: planted }))).toEqual(
    expected,
  );
});

test("accepts a prior value that means the same", () => {
  const prior = { ...honest, name: "N", parts: [{ ...part, label: "A" }, part] };
  const planned = {
    ...honest,
    name: "N",
    parts: [
      { ...part, label: "A" },
      { ...part, label: "b" },
    ],
  };
  expect(refereePlan(attributes, prior, given, planned)).toEqual([]);
});

describe("an unknown configured value", () => {
  const open: ObjectValue = {
    ...given,
    name: UNKNOWN,
    tags: UNKNOWN,
    parts: UNKNOWN,
    one: UNKNOWN,
  };
  const planned: ObjectValue = {
    ...honest,
    name: UNKNOWN,
    tags: UNKNOWN,
    parts: UNKNOWN,
    one: UNKNOWN,
  };

  test("is unknown in the plan", () => {
    expect(refereePlan(attributes, null, open, planned)).toEqual([]);
  });

  test("must not be guessed", () => {
    const guessed = { ...planned, name: "guess", tags: ["a"], parts: [], one: null };
    expect(places(refereePlan(attributes, null, open, guessed))).toEqual([
      "name",
      "tags",
      "one",
      "parts",
    ]);
  });

  test("may keep its prior value", () => {
    const prior = { ...honest, name: "before" };
    expect(refereePlan(attributes, prior, open, { ...planned, name: "before" })).toEqual([]);
  });

  test("differs for an empty list and null", () => {
    const empty = { ...given, parts: [], one: null };
    const kept = { ...honest, parts: [], one: null };
    expect(refereePlan(attributes, null, empty, kept)).toEqual([]);
    expect(places(refereePlan(attributes, null, empty, { ...kept, parts: null }))).toEqual([
      "parts",
    ]);
  });
});

test("finds a value without attribute", () => {
  expect(places(refereePlan(attributes, null, given, { ...honest, extra: "x" }))).toEqual([
    "extra",
  ]);
});

describe("the result of an apply", () => {
  const set = (elements: readonly Value[]) =>
    withDynamicType(elements, { kind: "set", element: { kind: "any" } });

  test.each<[string, Value, Value, readonly string[]]>([
    ["as planned", { a: "x", b: [1] }, { a: "x", b: [1] }, []],
    ["what was open is known now", { a: UNKNOWN, b: [UNKNOWN] }, { a: "x", b: [{ c: 1 }] }, []],
    ["a set sorts again", { a: set(["k", UNKNOWN]) }, { a: set(["a", "k"]) }, []],
    ["a set is left open", { a: set(["k", UNKNOWN]) }, { a: set(["k", UNKNOWN]) }, ["a"]],
    ["another value", { a: "x" }, { a: "y" }, ["a"]],
    ["a value where null was planned", { a: null }, { a: "y" }, ["a"]],
    ["null where a value was planned", { a: "x" }, { a: null }, ["a"]],
    ["left open", { a: "x", b: 1 }, { a: UNKNOWN, b: 1 }, ["a"]],
    ["inside a list", { a: [{ b: 1 }, { b: 2 }] }, { a: [{ b: 1 }, { b: 3 }] }, ["a[1].b"]],
    ["a longer list", { a: [1] }, { a: [1, 2] }, ["a"]],
    ["another member", { a: { x: 1 } }, { a: { x: 1, y: 2 } }, ["a.y"]],
    ["still unknown", { a: UNKNOWN }, { a: UNKNOWN }, ["a"]],
    ["unknown inside what was open, in a list", [UNKNOWN], [{ b: UNKNOWN }], ["[0]"]],
    ["unknown inside what was open", { a: UNKNOWN }, { a: [{ b: UNKNOWN }] }, ["a"]],
  ])("%s", (_, planned, result, expected) => {
    expect(places(refereeResult(planned, result))).toEqual(expected);
  });
});
