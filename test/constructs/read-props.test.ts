import {
  DefaultTokenResolver,
  Fn,
  Lazy,
  StringConcat,
  TerraformIterator,
  TerraformStack,
  TerraformVariable,
  Testing,
  Token,
  Tokenization,
} from "cdktf";
import { readProps, SECRETS_OF_BLOCKS, type ReadProps } from "../../src/constructs/read-props";
import { Secret } from "../../src/constructs/secret";
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
} from "../../src/core/schema/attribute";
import { formatPath } from "../../src/core/diagnostics";
import { UNKNOWN } from "../../src/core/values";

const attributes = {
  id: computed(string(), ""),
  wait_timeout: optional(number(), ""),
  is_on: optional(bool(), ""),
  host_names: optional(set(string()), ""),
  checks: optional(map(bool()), ""),
  parts: optional(
    list(object({ part_name: required(string(), ""), sub_parts: optional(list(string()), "") })),
    "",
  ),
  api_key: optional(string(), "", { writeOnly: true }),
};

function read(props: object): ReadProps {
  return readProps(attributes, props, SECRETS_OF_BLOCKS, stack);
}

function findings(props: object): string[] {
  return read(props).findings.map(({ path, summary }) => `${formatPath(path ?? [])}: ${summary}`);
}

const stack = new TerraformStack(Testing.app(), "demo");
const variable = new TerraformVariable(stack, "any", {});

function resolve(value: unknown): unknown {
  const resolver = new DefaultTokenResolver(new StringConcat());
  return Tokenization.resolve(value, { scope: stack, resolver });
}

const UNSET = {
  id: null,
  wait_timeout: null,
  is_on: null,
  host_names: null,
  checks: null,
  parts: null,
  api_key: null,
};

test("converts names to snake_case at every depth, except keys of maps", () => {
  const props = {
    waitTimeout: 5,
    isOn: false,
    hostNames: ["a"],
    checks: { someKey: true },
    parts: [{ partName: "p", subParts: ["s"] }],
  };
  const attributes = {
    wait_timeout: 5,
    is_on: false,
    host_names: ["a"],
    checks: { someKey: true },
    parts: [{ part_name: "p", sub_parts: ["s"] }],
  };
  expect(read(props)).toEqual({
    attributes,
    config: { ...UNSET, ...attributes },
    findings: [],
  });
});

test("leaves unset props out of the JSON; they are null in checks", () => {
  expect(read({ other: undefined, parts: [{ partName: "p", subParts: null }] })).toEqual({
    attributes: { parts: [{ part_name: "p" }] },
    config: { ...UNSET, parts: [{ part_name: "p", sub_parts: null }] },
    findings: [],
  });
});

test.each<[string, string, unknown]>([
  ["a number", "waitTimeout", variable.numberValue],
  ["a string for a number", "waitTimeout", variable.stringValue],
  ["an IResolvable", "isOn", variable.booleanValue],
  ["a list", "hostNames", variable.listValue],
  ["a map", "checks", Token.asBooleanMap(variable.value)],
  ["a function", "hostNames", Fn.concat([["a"], variable.listValue])],
  ["an expression", "isOn", "${var.other}"],
  ["a list of objects", "parts", Token.asList(variable.value)],
])("keeps a token of %s, which is unknown in checks", (_, prop, token) => {
  const { attributes, config, findings } = read({ [prop]: token });
  expect(findings).toEqual([]);
  expect(Object.values(attributes)).toEqual([token]);
  expect(Object.values(config).filter((value) => value === UNKNOWN)).toHaveLength(1);
});

test.each<[string, object, unknown]>([
  [
    "a string",
    { parts: [{ partName: `p-${variable.stringValue}` }] },
    [{ part_name: UNKNOWN, sub_parts: null }],
  ],
  [
    "a string, as a number",
    { parts: [{ partName: `p-${String(variable.numberValue)}` }] },
    [{ part_name: UNKNOWN, sub_parts: null }],
  ],
  ["a list", { hostNames: ["a", variable.stringValue] }, ["a", UNKNOWN]],
  ["a map", { checks: { a: variable.booleanValue, b: true } }, { a: UNKNOWN, b: true }],
  ["the keys of a map", { checks: { [variable.stringValue]: true } }, UNKNOWN],
  [
    "a list of objects",
    { parts: [{ partName: "p" }, variable.value] },
    [{ part_name: "p", sub_parts: null }, UNKNOWN],
  ],
])("keeps the rest known beside a token in %s", (_, props, value) => {
  const { config, findings } = read(props);
  expect(findings).toEqual([]);
  expect(Object.values(config).filter((member) => member !== null)).toEqual([value]);
});

test("converts props in lazy values and iterators", () => {
  const iterator = TerraformIterator.fromList(variable.listValue);
  const lazy = Lazy.anyValue({ produce: () => [{ partName: "p", subParts: ["s"] }] });
  const dynamic: unknown = iterator.dynamic({ partName: iterator.getString("name") });

  expect(resolve(read({ parts: lazy }).attributes)).toEqual({
    parts: [{ part_name: "p", sub_parts: ["s"] }],
  });
  expect(resolve(read({ parts: dynamic }).attributes)).toEqual({
    parts: '${[ for key, val in toset(var.any): {"part_name" = val.name}]}',
  });
});

test.each([
  [{ waitTimeout: "5" }, "waitTimeout: Wrong type"],
  [{ waitTimeout: Number.NaN }, "waitTimeout: Wrong type"],
  [{ isOn: "true" }, "isOn: Wrong type"],
  [{ hostNames: "a" }, "hostNames: Wrong type"],
  [{ hostNames: ["a", 1] }, "hostNames[1]: Wrong type"],
  [{ checks: ["a"] }, "checks: Wrong type"],
  [{ checks: { a: "yes" } }, "checks.a: Wrong type"],
  [{ parts: [{ partName: variable }] }, "parts[0].partName: Wrong type"],
  [{ wait_timeout: 5 }, "wait_timeout: Unknown prop"],
  [{ id: "mine" }, "id: Unknown prop"],
  [{ parts: [{ partName: "p", size: 1 }] }, "parts[0].size: Unknown prop"],
  [{ apiKey: "literal" }, "apiKey: Secret as plain text"],
  [{ apiKey: "lit${eral" }, "apiKey: Secret as plain text"],
  [{ apiKey: "lit$${er}al" }, "apiKey: Secret as plain text"],
  [{ apiKey: Secret.fromEnv("NOT A NAME") }, "apiKey: Invalid name of an environment variable"],
  [
    { hostNames: [Secret.fromEnv("KEY")] },
    "hostNames[0]: Secret in a prop that is stored in the state",
  ],
])("refuses %p", (props, finding) => {
  expect(findings(props)).toEqual([finding]);
});

test("suggests the prop for Terraform's spelling", () => {
  expect(read({ wait_timeout: 5 }).findings[0]?.detail).toBe("Did you mean waitTimeout?");
});

test("leaves refused props out of the JSON; they are unknown in checks", () => {
  const { attributes, config } = read({ apiKey: "canary", waitTimeout: "5" });
  expect(attributes).toEqual({});
  expect(config).toEqual({ ...UNSET, api_key: UNKNOWN, wait_timeout: UNKNOWN });
});

test("accepts a secret or a token for a secret prop", () => {
  const { attributes } = read({ apiKey: Secret.fromEnv("KEY") });
  expect(resolve(attributes)).toEqual({ api_key: "${var.KEY}" });
  expect(read({ apiKey: variable.stringValue }).findings).toEqual([]);
});
