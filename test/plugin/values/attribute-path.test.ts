import { encodePath } from "../../../src/plugin/values/diagnostics";
import { bool, list, map, object, optional, set, string } from "../../../src/core/schema/attribute";
import type { AttributePath } from "../../../src/core/values";

const attributes = {
  name: optional(string(), ""),
  policies: optional(
    list(object({ checks: optional(map(bool()), ""), hosts: optional(set(string()), "") })),
    "",
  ),
  scope: optional(object({ name: optional(string(), "") }), ""),
};

test.each<[AttributePath, object | undefined]>([
  [["name"], [{ attributeName: "name" }]],
  [
    ["scope", "name"],
    [{ attributeName: "scope" }, { attributeName: "name" }],
  ],
  [
    ["policies", 1, "checks", "41"],
    [
      { attributeName: "policies" },
      { elementKeyInt: 1 },
      { attributeName: "checks" },
      { elementKeyString: "41" },
    ],
  ],
  // Elements of a set have no index.
  [
    ["policies", 0, "hosts", 2],
    [{ attributeName: "policies" }, { elementKeyInt: 0 }, { attributeName: "hosts" }],
  ],
  // Ends at an unknown attribute.
  [["scope", "missing"], [{ attributeName: "scope" }]],
  [["missing"], undefined],
  [[], undefined],
])("%j", (path, steps) => {
  expect(encodePath(attributes, path)?.steps).toEqual(steps);
});
