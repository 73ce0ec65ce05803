import { toAttributePath, toSensitivePath } from "../../../src/core/documents/sensitive-paths";

const path = ["policies", 2, "labels", "team"];
const stored = [
  { type: "get_attr", value: "policies" },
  { type: "index", value: { value: 2, type: "number" } },
  { type: "get_attr", value: "labels" },
  { type: "index", value: { value: "team", type: "string" } },
] as const;

test("distinguishes keys of a map from attributes, by the schema", () => {
  const isMap = (prefix: readonly unknown[]) => prefix.at(-1) === "labels";
  expect(toSensitivePath(path, isMap)).toEqual(stored);
});

test("reads a stored path back", () => {
  expect(toAttributePath(stored)).toEqual(path);
});

test("has no attribute path for an element of a set", () => {
  const element = { type: "index", value: { value: { a: 1 }, type: ["object", {}] } } as const;
  expect(toAttributePath([{ type: "get_attr", value: "set" }, element])).toBeUndefined();
});
