import { ConfigurationError, SchemaMismatchError } from "../../../src/api/errors";
import { parseJson } from "../../../src/core/json/lossless-json";
import { readComplianceStats } from "../../../src/api/areas/compliance-statistics";
import { imageSchema, layerTimes } from "../../../src/api/areas/images";
import { scopeCredentialIDs, scopeWithCredentialIDs } from "../../../src/api/serverless-scope";
import { scripted } from "../support/scripted-console";

describe("layer times", () => {
  const times = (image: object) => layerTimes(imageSchema.parse(image));
  const expected = [{ name: "app", path: "/app", layerTime: 1_600_000_000 }];
  const found = { name: "app", path: "/app", layerTime: 1_600_000_000, md5: "x" };

  test.each([
    ["binaries", { binaries: [found, { name: "other" }] }],
    ["a list of applications", { applications: [found] }],
    ["an object of applications by name", { applications: { app: { ...found, name: null } } }],
    ["one application as an object", { applications: found }],
    ["both: the deprecated one gives way", { binaries: [{ layerTime: 1 }], applications: [found] }],
    ["applications that have none", { binaries: [found], applications: [{ name: "app" }] }],
  ])("of %s", (_, image) => {
    expect(times(image)).toEqual(expected);
  });

  test.each([{}, { binaries: null, applications: null }, { applications: {} }])(
    "there are none in %j",
    (image) => {
      expect(times(image)).toEqual([]);
    },
  );
});

describe("compliance statistics", () => {
  test("of today's form are returned as JSON", () => {
    const data = { daily: [{ total: 3 }], ids: null };
    expect(readComplianceStats(data)).toEqual({ kind: "current", data });
    expect(readComplianceStats(null)).toEqual({ kind: "current", data: null });
  });

  test("of the announced form are read as lists", () => {
    const body = parseJson(
      '{"regulations":[{"name":"PCI","rate":80.0,"x":1}],"trend":[{"date":"2021-01-01","failed":4}],' +
        '"checks":[{"id":41,"title":"No root","rate":99.5}],"benchmarks":null,"more":true}',
    );
    expect(readComplianceStats(body)).toEqual({
      kind: "announced",
      regulations: [{ name: "PCI", rate: 80, x: 1 }],
      benchmarks: [],
      rules: [],
      trend: [{ date: "2021-01-01", failed: 4 }],
      checks: [{ id: "41", title: "No root", rate: 99.5 }],
      more: true,
    });
  });

  test("of neither form are an error", () => {
    expect(() => readComplianceStats({ rules: "many" })).toThrow(SchemaMismatchError);
  });

  test("name their form", async () => {
    const { client } = scripted(() => ({ body: { rules: [{ name: "all", rate: 1 }] } }));
    const stats = await client.complianceStats.get();
    expect(stats.kind === "announced" && stats.rules).toEqual([{ name: "all", rate: 1 }]);
  });
});

describe("a serverless scan scope's credentials", () => {
  test.each([
    [{ credentialID: "a" }, ["a"]],
    [{ credentialId: "a" }, ["a"]],
    [{ credentialIDs: ["a", "b"] }, ["a", "b"]],
    [{ credentialID: "", credentialIDs: null }, []],
    [{ credentialID: "a", credentialIDs: [] }, ["a"]],
    [{}, []],
  ])("in %j", (scope, expected) => {
    expect(scopeCredentialIDs(scope)).toEqual(expected);
  });

  test("are written in the form of the release, with all other members", () => {
    const scope = { provider: "aws", credentialIDs: ["x"], free: 1 };
    expect(scopeWithCredentialIDs(scope, ["a"], "20.12")).toEqual({
      provider: "aws",
      free: 1,
      credentialID: "a",
    });
    expect(scopeWithCredentialIDs(scope, ["a", "b"], "next")).toEqual({
      provider: "aws",
      free: 1,
      credentialIDs: ["a", "b"],
    });
    expect(scopeWithCredentialIDs({ region: "", pattern: null }, [], "next")).toEqual({
      credentialIDs: [],
    });
    expect(scopeWithCredentialIDs({ region: "r" }, [], "20.09")).toEqual({ region: "r" });
  });

  test.each([
    ["several before next", {}, ["a", "b"], "20.12"],
    ["a region in next", { region: "eu" }, ["a"], "next"],
    ["a pattern in next", { pattern: "*" }, ["a"], "next"],
  ] as const)("%s are refused", (_, scope, ids, release) => {
    expect(() => scopeWithCredentialIDs(scope, ids, release)).toThrow(ConfigurationError);
  });
});
