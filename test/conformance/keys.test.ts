import { describeWithTerraform } from "../support/terraform";
import { conforms } from "./support/conform";
import { policy, stackOf } from "./support/stacks";

const KEYS = ["__proto__", "constructor", "toString"];
const keyed = (value: unknown) => Object.fromEntries(KEYS.map((key) => [key, value]));

const NULL_RESOURCES = {
  constructor: { triggers: "${var.toString}" },
  each: { for_each: "${var.toString}", triggers: { key: "${each.key}" } },
};
const keysAre = (value: string) =>
  stackOf(
    { null_resource: NULL_RESOURCES },
    {
      variable: { toString: { type: "map(string)", default: keyed(value) } },
      locals: { valueOf: '${{for k, v in var.toString : k => "${v}!"}}' },
      output: {
        constructor: { value: "${null_resource.constructor.triggers}" },
        object: { value: keyed(value) },
        merged: { value: "${merge(local.valueOf, {a = 1})}" },
        listed: { value: "${[local.valueOf, local.valueOf]}" },
        json: { value: "${jsondecode(jsonencode(var.toString))}" },
        one: { value: '${var.toString["__proto__"]}' },
        absent: { value: '${lookup({a = "b"}, "valueOf", "none")}' },
      },
    },
  );
const CHANGING = ["constructor", "json", "listed", "merged", "object", "one"];

describeWithTerraform("both engines accept the names of JavaScript's object members", () => {
  conforms("as keys of maps, and as names", [
    {
      does: "when they are added",
      stack: keysAre("x"),
      plans: [
        "null_resource.constructor create",
        ...KEYS.map((key) => `null_resource.each[${JSON.stringify(key)}] create`),
        ...[...CHANGING, "absent"].sort().map((name) => `output.${name} create`),
      ],
    },
    {
      does: "when they change",
      stack: keysAre("y"),
      plans: [
        "null_resource.constructor delete create",
        ...CHANGING.map((name) => `output.${name} update`),
      ],
    },
    {
      does: "when they are removed",
      stack: stackOf({}),
      plans: [
        "null_resource.constructor delete",
        ...KEYS.map((key) => `null_resource.each[${JSON.stringify(key)}] delete`),
        ...[...CHANGING, "absent"].sort().map((name) => `output.${name} delete`),
      ],
    },
  ]);

  for (const key of KEYS) {
    conforms(`and refuse ${key} where it is invalid`, [
      {
        does: "as a check",
        stack: stackOf({
          cwp_compliance_policy_set: {
            all: { policies: [policy("a", { checks: { [key]: true } })] },
          },
        }),
        errors: ["Invalid attribute value"],
      },
    ]);
  }
});
