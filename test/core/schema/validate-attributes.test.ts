import { z } from "zod";
import { formatPath } from "../../../src/core/diagnostics";
import {
  bool,
  computed,
  list,
  map,
  number,
  object,
  optional,
  required,
  set,
  string,
} from "../../../src/core/schema/attribute";
import { validateAttributes } from "../../../src/core/schema/validate-attributes";
import { compliancePolicySetAttributes } from "../../../src/provider/resources/compliance-policy-set";
import { UNKNOWN, type ObjectValue } from "../../../src/core/values";
import { complete } from "../../provider/support/engine";

const even = z.number().refine((n) => n % 2 === 0, "An even number is needed");

const attributes = {
  name: required(string(z.string().min(2, "Two letters at least")), "The name."),
  size: optional(number(even), "The size."),
  id: computed(string(), "The ID."),
  tags: optional(set(string(z.string().max(3, "Three letters at most"))), "Tags."),
  limits: optional(map(number(even), z.string().max(2, "Two letters at most")), "Limits."),
  parts: optional(
    list(
      object({
        label: required(string(), "Its label."),
        weights: optional(list(number(even)), "Its weights."),
      }),
      z.array(z.unknown()).max(2, "Two parts at most."),
    ),
    "Parts.",
  ),
};

function findings(config: ObjectValue): string[] {
  return validateAttributes(attributes, complete(attributes, config)).map(
    ({ severity, summary, detail, path }) =>
      `${severity} ${formatPath(path ?? [])}: ${summary} | ${detail}`,
  );
}

test("accepts a valid configuration", () => {
  expect(
    findings({
      name: "ab",
      size: 2,
      tags: ["abc"],
      limits: { a: 4 },
      parts: [{ label: "x", weights: [2, 4] }],
    }),
  ).toEqual([]);
  expect(findings({ name: "ab" })).toEqual([]);
});

test("checks every key of a map", () => {
  const limits: ObjectValue = { ["__proto__"]: 2, ok: UNKNOWN, long: UNKNOWN };
  expect(findings({ name: "ab", limits })).toEqual([
    "error limits.__proto__: Invalid attribute value | Two letters at most.",
    "error limits.long: Invalid attribute value | Two letters at most.",
  ]);
});

test("reports all findings with their paths", () => {
  expect(
    findings({
      name: "a",
      size: 3,
      id: "mine",
      tags: ["long", "ok"],
      limits: { a: 1, b: 2 },
      parts: [{ weights: [1, 2] }, { label: "x" }, { label: "y" }],
    }),
  ).toEqual([
    "error name: Invalid attribute value | Two letters at least.",
    "error size: Invalid attribute value | An even number is needed.",
    'error id: Value for unconfigurable attribute | Can\'t configure a value for "id": its value will be decided automatically based on the result of applying this configuration.',
    "error tags[0]: Invalid attribute value | Three letters at most.",
    "error limits.a: Invalid attribute value | An even number is needed.",
    "error parts: Invalid attribute value | Two parts at most.",
    'error parts[0].label: Missing required argument | The argument "parts[0].label" is required: Its label.',
    "error parts[0].weights[0]: Invalid attribute value | An even number is needed.",
  ]);
});

test("reports null elements", () => {
  expect(
    findings({ name: "ab", tags: [null], limits: { a: null }, parts: [null, { label: null }] }),
  ).toEqual([
    "error tags[0]: Null value found in set | Null values are not allowed for this attribute value.",
    "error limits.a: Null value found in map | Null values are not allowed for this attribute value.",
    "error parts[0]: Null value found in list | Null values are not allowed for this attribute value.",
    'error parts[1].label: Missing required argument | The argument "parts[1].label" is required: Its label.',
  ]);
});

test("skips unknown values only", () => {
  expect(
    findings({
      name: UNKNOWN,
      size: UNKNOWN,
      tags: [UNKNOWN, "long"],
      limits: { a: UNKNOWN, b: 1 },
      parts: [UNKNOWN, { label: UNKNOWN, weights: [UNKNOWN, 1] }, { label: "x" }],
    }),
  ).toEqual([
    "error tags[0]: Invalid attribute value | Three letters at most.",
    "error limits.b: Invalid attribute value | An even number is needed.",
    "error parts[1].weights[1]: Invalid attribute value | An even number is needed.",
  ]);
});

test("explains the expected keys of a map", () => {
  const config = complete(compliancePolicySetAttributes, {
    policies: [{ name: "a", checks: { high: true, 41: true } }],
  });
  expect(validateAttributes(compliancePolicySetAttributes, config)).toEqual([
    {
      severity: "error",
      summary: "Invalid attribute value",
      detail: expect.stringContaining("A compliance check is identified by") as string,
      path: ["policies", 0, "checks", "high"],
    },
  ]);
});

test("quotes no value", () => {
  const secret = {
    password: required(string(z.string().min(100)), "The password."),
    kind: required(string(z.enum(["a", "b"])), "The kind."),
    pin: required(string(z.string().regex(/^\d+$/)), "The PIN."),
    flag: optional(bool(), "A flag."),
  };
  const found = validateAttributes(secret, { password: "canary", kind: "canary", pin: "canary" });
  expect(found).toHaveLength(3);
  expect(JSON.stringify(found)).not.toContain("canary");
});
