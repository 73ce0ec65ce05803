import fc from "fast-check";
import { readCollection, writeCollection } from "../../src/api/collection-body";
import { COLLECTIONS, type CollectionShape } from "../../src/api/collections";
import { credentialIDOf, foundList } from "../../src/api/bodies";
import { SchemaMismatchError } from "../../src/api/errors";
import { parseJson, stringifyJson } from "../../src/core/json/lossless-json";

function thrownBy(action: () => unknown): unknown {
  try {
    action();
  } catch (error) {
    return error;
  }
  return undefined;
}

function rewritten<Item>(kind: CollectionShape<Item>, text: string): string {
  return stringifyJson(writeCollection(readCollection(kind, parseJson(text))));
}

describe("a rewrite keeps the body", () => {
  test.each([
    ["a bare array", '[{"notes":"mine","name":"a","owner":null,"graceDays":1.0}]'],
    ["an envelope", '{"_id":"x","rules":[{"name":"a"}],"policyType":"container","size":1e3}'],
    ["null lists", '[{"name":"a","resources":{"hosts":null,"x":1},"condition":null}]'],
    ["big numbers", '[{"name":"a","condition":{"vulnerabilities":[{"id":99999999999999999}]}}]'],
  ])("compliance policies: %s", (_, text) => {
    expect(rewritten(COLLECTIONS.policies, text)).toBe(text);
  });

  test.each([
    ["an envelope", '{"harborScannerUrlSuffix":"s","specifications":[{"cap":5.0,"tag":"*"}]}'],
    ["a bare array", '[{"registry":"","credentialId":"c","credential":{"secret":null}}]'],
  ])("registry settings: %s", (_, text) => {
    expect(rewritten(COLLECTIONS.registry, text)).toBe(text);
  });

  test("of serverless scan scopes and auto-deploy specifications", () => {
    const scopes = '[{"scanLayers":true,"credentialID":"a","cap":5}]';
    expect(rewritten(COLLECTIONS.serverlessScan, scopes)).toBe(scopes);
    const specs = '[{"name":"a","runtimes":null,"consoleAddr":"c"}]';
    expect(rewritten(COLLECTIONS.serverlessAutoDeploy, specs)).toBe(specs);
  });

  test("with any members of a policy", () => {
    const known = new Set(
      "modified,owner,name,previousName,disabled,effect,resources,action,condition,group,verbose,allCompliance,alertThreshold,blockThreshold,graceDays".split(
        ",",
      ),
    );
    const unknownMembers = fc.dictionary(
      fc.string().filter((name) => !known.has(name)),
      fc.jsonValue(),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.string(), unknownMembers)), (policies) => {
        const text = JSON.stringify(policies.map(([name, rest]) => ({ ...rest, name })));
        expect(rewritten(COLLECTIONS.policies, text)).toBe(text);
      }),
    );
  });
});

describe("an absent list", () => {
  test.each([
    ["policies", COLLECTIONS.policies, "null", "[]"],
    ["policies", COLLECTIONS.policies, '{"rules":null,"_id":"x"}', '{"rules":[],"_id":"x"}'],
    ["registry settings", COLLECTIONS.registry, "null", '{"specifications":[]}'],
    ["registry settings", COLLECTIONS.registry, "{}", '{"specifications":[]}'],
    ["scopes", COLLECTIONS.serverlessScan, "null", "[]"],
  ] as const)("is an empty list of %s", (_, kind, text, back) => {
    expect(readCollection<unknown>(kind, parseJson(text)).items).toEqual([]);
    expect(rewritten<unknown>(kind, text)).toBe(back);
  });

  test("is an error in an object with other members", () => {
    expect(() => readCollection(COLLECTIONS.policies, { err: "try later" })).toThrow(
      SchemaMismatchError,
    );
    expect(() => readCollection(COLLECTIONS.serverlessScan, {})).toThrow(SchemaMismatchError);
  });
});

test("replaces items in the envelope that was found", () => {
  const { envelope } = readCollection(COLLECTIONS.policies, { a: 1, rules: [{ name: "x" }], z: 2 });
  expect(writeCollection({ envelope, items: [{ name: "y" }] })).toEqual({
    a: 1,
    rules: [{ name: "y" }],
    z: 2,
  });
});

test.each([
  [[{ name: "a" }, { name: 5 }], [1, "name"], "$[1].name"],
  [
    { rules: [{ name: "a", condition: { vulnerabilities: [{ id: "41" }] } }] },
    ["rules", 0, "condition", "vulnerabilities", 0, "id"],
    "$.rules[0].condition.vulnerabilities[0].id",
  ],
  ["<html>", [], "$"],
])("names the place of a body that does not match", (body, path, shown) => {
  const read = () => readCollection(COLLECTIONS.policies, body);
  expect(read).toThrow(SchemaMismatchError);
  expect(thrownBy(read)).toMatchObject({ path });
  expect(read).toThrow(`at ${shown}:`);
});

test("reads null as an empty list and an absent list as the default", () => {
  expect(foundList(null, ["*"])).toEqual([]);
  expect(foundList(undefined, ["*"])).toEqual(["*"]);
  expect(foundList([], ["*"])).toEqual([]);
});

test("reads a credential's ID under either spelling", () => {
  expect(credentialIDOf({ credentialID: "a" })).toBe("a");
  expect(credentialIDOf({ credentialId: "a" })).toBe("a");
  expect(credentialIDOf({ credentialID: null, credentialId: "a" })).toBe("a");
  expect(credentialIDOf({})).toBeUndefined();
});
