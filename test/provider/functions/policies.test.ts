import fc from "fast-check";
import { cwpProvider } from "../../../src/provider/cwp-provider";
import { Provider } from "../../../src/core/provider";
import { Functions } from "../../../src/core/operations/function-operations";
import { canonicalSet, type KnownValue } from "../../../src/core/values";
import { STRING } from "../../../src/core/types";
import { defaultPolicies } from "../../../src/simulator/compliance-policies";

const { functions } = new Provider(cwpProvider);
const ALL = ["*"];
const EVERYTHING = {
  hosts: ALL,
  images: ALL,
  labels: ALL,
  containers: ALL,
  namespaces: ALL,
  account_ids: ALL,
};

const read = (text: string) => functions.call("policies_from_json", [text]);
const write = (policies: KnownValue) => functions.call("policies_to_json", [policies]);

function valueOf(result: ReturnType<typeof read>): KnownValue {
  if ("error" in result) throw new Error(result.error.text);
  return result.value;
}

function textOf(result: ReturnType<typeof read>): string {
  if ("value" in result) throw new Error("there is no error");
  expect(result.error.argument).toBe(0);
  return result.error.text;
}

describe("policies_from_json", () => {
  const exported = JSON.stringify(defaultPolicies(new Date(0)));

  test("reads policies in their order", () => {
    expect(valueOf(read(exported))).toEqual([
      {
        name: "Default - ignore own components",
        disabled: false,
        verbose: false,
        resources: EVERYTHING,
        checks: { 56: false, 57: false },
        collections: null,
        extra_json: null,
      },
      {
        name: "Default - alert on critical and high",
        disabled: false,
        verbose: false,
        resources: EVERYTHING,
        checks: { 41: false, 51: false },
        collections: null,
        extra_json: null,
      },
    ]);
  });

  test("reads policies in an envelope", () => {
    const enveloped = JSON.stringify({
      rules: JSON.parse(exported) as unknown,
      policyType: "containerCompliance",
    });
    expect(read(enveloped)).toEqual(read(exported));
  });

  test.each([
    ["[", /^The text is not JSON: /],
    [
      '{"policies": []}',
      /unlike the compliance policies that a console exports, at \$\.rules\. Give a file of GET/,
    ],
    ['[{"name": 5}]', / at \$\[0\]\.name\. Give/],
    ['"text"', / at \$\. Give/],
  ])("refuses %s with the cause", (text, why) => {
    expect(textOf(read(text))).toMatch(why);
  });
});

describe("policies_to_json", () => {
  test("fills in the defaults of the resource", () => {
    const json = valueOf(write([{ name: "One", checks: { 41: true } }]));
    expect(JSON.parse(json as string)).toEqual([
      {
        name: "One",
        disabled: false,
        verbose: false,
        resources: {
          hosts: ALL,
          images: ALL,
          labels: ALL,
          containers: ALL,
          namespaces: ALL,
          accountIDs: ALL,
        },
        condition: { vulnerabilities: [{ id: 41, block: true }] },
      },
    ]);
  });

  test.each([
    [{ name: "No list" }, [/^policies: list required$/]],
    [["no object"], [/^policies\[0\]: object required$/]],
    [[{ checks: {} }], [/^policies\[0\].name: The argument "policies\[0\].name" is required/]],
    [
      [{ name: "Typo", check: {}, checks: {} }],
      [/^policies\[0\].check: there is no such attribute/m],
    ],
    [
      [{ name: "Typo inside", checks: {}, resources: { host: ["a"] } }],
      [/^policies\[0\].resources.host: there is no such attribute$/m],
    ],
    // Without a full stop, which engines add.
    [[{ name: "No ID", checks: { abc: true } }], [/identified by a whole number$/]],
    [
      [
        { name: "Twice", checks: {} },
        { name: "Twice", checks: {} },
      ],
      [/^policies\[1\].name: Entries 1 and 2 of policies have the same name/],
    ],
    [
      [{ name: 1, checks: "all" }],
      [/^policies\[0\].name: string required$/m, /^policies\[0\].checks: map required$/m],
    ],
  ])("refuses %j with every path", (policies, texts) => {
    const text = textOf(write(policies));
    for (const part of texts) expect(text).toMatch(part);
  });
});

describe("both", () => {
  const scope = fc
    .uniqueArray(fc.string(), { maxLength: 3 })
    .map((values) => canonicalSet(values) as KnownValue);
  const policy = fc.record({
    name: fc.string({ minLength: 1 }),
    disabled: fc.boolean(),
    verbose: fc.boolean(),
    resources: fc.record({
      hosts: scope,
      images: scope,
      labels: scope,
      containers: scope,
      namespaces: scope,
      account_ids: scope,
    }),
    checks: fc.dictionary(fc.integer({ min: 1, max: 99_999 }).map(String), fc.boolean()),
    collections: fc.constant(null),
    extra_json: fc.constant(null),
  });

  test("keep policies in a round trip", () => {
    const policies = fc.uniqueArray(policy, { selector: ({ name }) => name, maxLength: 4 });
    fc.assert(
      fc.property(policies, (given) => {
        expect(read(valueOf(write(given)) as string)).toEqual({ value: given });
      }),
    );
  });
});

describe("functions of a provider", () => {
  const broken = new Functions([
    {
      name: "broken",
      summary: "",
      description: "",
      parameters: [],
      returns: STRING,
      call: () => {
        throw new Error("a bug");
      },
    },
  ]);

  test("return bugs as errors", () => {
    expect(broken.call("broken", [])).toEqual({
      error: { text: expect.stringContaining("This is a bug in the provider") as string },
    });
    expect(broken.call("missing", [])).toEqual({
      error: { text: 'There is no function "missing"' },
    });
  });
});
