import { NO_MARKS } from "../../../src/core/marks";
import { computed, list, object, string } from "../../../src/core/schema/attribute";
import type { Attributes } from "../../../src/core/schema/attribute";
import { sensitivePaths } from "../../../src/runtime/evaluation/attributes";

const secret = { ...computed(string(), "S."), sensitive: true } as const;
const plain = computed(string(), "P.");

test.each<readonly [string, Attributes]>([
  ["an attribute", { a: secret }],
  ["a list", { rows: computed(list(object({ a: secret })), "R.") }],
  [
    "an object in a list",
    { rows: computed(list(object({ in: computed(object({ a: secret }), "I.") })), "R.") },
  ],
])("finds a sensitive attribute within %s", (_, attributes) => {
  const inner = { a: "x", in: { a: "x" } };
  const found = sensitivePaths(attributes, { a: "x", rows: [inner] });
  expect(found.map((path) => path.at(-1))).toEqual(["a"]);
});

test("finds none where the schema has none, but those of the configuration", () => {
  const attributes = { a: plain, rows: computed(list(object({ a: plain })), "R.") };
  const value = { a: "x", rows: [{ a: "y" }] };
  expect(sensitivePaths(attributes, value)).toEqual([]);
  const path = ["rows", 0, "a"];
  expect(sensitivePaths(attributes, value, [{ ...NO_MARKS, path, sensitive: true }])).toEqual([
    path,
  ]);
});
