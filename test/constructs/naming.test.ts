import { inPropNames, propName, propPath } from "../../src/constructs/naming";
import { bool, list, map, object, required, string } from "../../src/core/schema/attribute";

const attributes = {
  wait_timeout: required(string(), ""),
  policies: required(
    list(
      object({
        checks: required(map(bool()), ""),
        resources: required(object({ account_ids: required(list(string()), "") }), ""),
      }),
    ),
    "",
  ),
};

test.each([
  ["id", "id"],
  ["wait_timeout", "waitTimeout"],
  ["content_sha256", "contentSha256"],
  ["use_aws_role", "useAwsRole"],
])("converts %s to the prop %s", (attribute, prop) => {
  expect(propName(attribute)).toBe(prop);
});

test.each([
  [["wait_timeout"], ["waitTimeout"]],
  [
    ["policies", 2, "resources", "account_ids", 0],
    ["policies", 2, "resources", "accountIds", 0],
  ],
  [
    ["policies", 0, "checks", "my_key"],
    ["policies", 0, "checks", "my_key"],
  ],
  [["policies"], ["policies"]],
  [["not_known"], ["not_known"]],
  [[], []],
])("converts the path %j to %j, and keeps keys of maps", (path, props) => {
  expect(propPath(attributes, path)).toEqual(props);
});

test("replaces attributes by props in sentences, and keeps other words", () => {
  expect(inPropNames(attributes, "Set account_ids, not the other_thing of cwp_license.")).toBe(
    "Set accountIds, not the other_thing of cwp_license.",
  );
});

test.each([
  [["auth"], 'Must be one of "basic", "wait_timeout".', 'Must be one of "basic", "wait_timeout".'],
  [
    ["wait_timeout"],
    'The argument "wait_timeout" is required.',
    'The argument "waitTimeout" is required.',
  ],
  [
    ["account_ids"],
    '"policies[0].account_ids" is required.',
    '"policies[0].accountIds" is required.',
  ],
])("keeps quoted words as values, unless they name %j", (path, sentence, expected) => {
  expect(inPropNames(attributes, sentence, path)).toBe(expected);
});
