import { anything, optional } from "../../../src/core/schema/attribute";
import { UNKNOWN, type Value } from "../../../src/core/values";
import { compareResource } from "../../../src/formats/difference/compare";
import { PathTree } from "../../../src/formats/difference/path-tree";

const ATTRIBUTES = { trigger: optional(anything(), "Any value.") };

function forces(after: Value, sensitive: readonly string[] = []): boolean | undefined {
  const marks = new PathTree(sensitive.map((name) => [name]));
  const { content } = compareResource(ATTRIBUTES, {
    before: { trigger: "a" },
    after: { trigger: after },
    beforeSensitive: marks,
    afterSensitive: marks,
    replace: new PathTree([["trigger"]]),
  });
  return content.kind === "object" ? content.members.get("trigger")?.forcesReplacement : undefined;
}

test("a value of any type has a note of its replacement only if it is hidden or unknown", () => {
  expect(forces("b")).toBe(false);
  expect(forces({ a: "b" })).toBe(false);
  expect(forces("b", ["trigger"])).toBe(true);
  expect(forces(UNKNOWN)).toBe(true);
});
