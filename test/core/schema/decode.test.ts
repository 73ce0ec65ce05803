import {
  bool,
  list,
  map,
  number,
  object,
  optional,
  required,
  set,
  string,
} from "../../../src/core/schema/attribute";
import { decodeObject } from "../../../src/core/schema/decode";
import { formatPath } from "../../../src/core/diagnostics";
import type { KnownObject } from "../../../src/core/values";

const attributes = {
  name: required(string(), "name"),
  size: optional(number(), "size"),
  on: optional(bool(), "on"),
  tags: optional(set(string()), "tags"),
  limits: optional(map(number()), "limits"),
  one: optional(object({ label: required(string(), "label") }), "one"),
  many: optional(list(object({ label: required(string(), "label") })), "many"),
};
const nothing = { size: null, on: null, tags: null, limits: null, one: null, many: null };

test.each<[string, KnownObject, KnownObject]>([
  ["sets missing attributes to null", { name: "a" }, { ...nothing, name: "a" }],
  ["drops unknown members", { name: "a", old: 1 }, { ...nothing, name: "a" }],
  ["sorts sets", { name: "a", tags: ["b", "a", "b"] }, { ...nothing, name: "a", tags: ["a", "b"] }],
  [
    "completes nested objects",
    { name: "a", one: {}, many: [{ label: "x", old: true }] },
    { ...nothing, name: "a", one: { label: null }, many: [{ label: "x" }] },
  ],
  [
    "keeps primitives",
    { name: "", size: 0, on: false, limits: { x: 1 } },
    { ...nothing, name: "", size: 0, on: false, limits: { x: 1 } },
  ],
])("%s", (_, stored, expected) => {
  expect(decodeObject(attributes, stored)).toEqual({ value: expected, diagnostics: [] });
});

test.each<[string, KnownObject]>([
  ["name", { name: 1 }],
  ["size", { size: "1" }],
  ["on", { on: "true" }],
  ["tags", { tags: { a: "b" } }],
  ["tags[1]", { tags: ["a", 2] }],
  ["limits", { limits: ["a"] }],
  ["limits.x", { limits: { x: "y" } }],
  ["one", { one: "text" }],
  ["one", { one: [{ label: "x" }] }],
  ["many", { many: { label: "x" } }],
  ["many[0]", { many: [["x"]] }],
  ["many[0].label", { many: [{ label: [] }] }],
])("reports another type at %s", (path, stored) => {
  const { diagnostics } = decodeObject(attributes, stored);
  expect(diagnostics.map((one) => formatPath(one.path ?? []))).toEqual([path]);
  expect(diagnostics[0]?.severity).toBe("error");
});
