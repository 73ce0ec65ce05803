import type { ObjectValue } from "../../../src/core/values";
import { RELEASES } from "../../../src/api/release";
import { releasesWith } from "../../../src/provider/release-changes";
import { resources } from "../../../src/provider/resources";
import { fresh, ready } from "../support/consoles";
import { Engine, errorsOf, provider, summaries } from "../support/engine";

const POLICIES = "cwp_compliance_policy_set";
const REGISTRY = "cwp_registry_scan";
const SERVERLESS = "cwp_serverless_auto_deploy";

const policy = (name: string) => ({ name, checks: { 41: true } });
const item = (name: string) => ({
  name,
  notes: "kept",
  condition: { vulnerabilities: [{ id: 41, block: true }] },
});

describe("the policy set", () => {
  test.each<[string, ObjectValue, string[]]>([
    ["container", {}, ["a", "b", "c"]],
    ["container:prefix:2", { ownership: "prefix" }, ["a", "b"]],
    ["container:suffix:1", { ownership: "suffix" }, ["c"]],
  ])("%s: has nothing to change for an equal configuration", async (id, more, names) => {
    const { console, connection, writes } = await ready();
    await console.edit({ policies: ["a", "b", "c"].map(item) });
    const before = console.policies();
    const engine = new Engine(connection, POLICIES);
    expect(await engine.import(id)).toEqual([]);
    const config = { ...more, policies: names.map(policy) };
    expect(await engine.isConverged(config)).toBe(true);
    // A destroy restores the imported policies.
    await engine.applied({ ...more, policies: [policy("new")] });
    expect(console.policies().map(({ name }) => name)).toContain("new");
    await engine.applied(null);
    const left =
      Object.keys(more).length === 0
        ? ["a", "b", "c"]
        : "abc".split("").filter((one) => !names.includes(one));
    expect(console.policies().map(({ name }) => name)).toEqual(left);
    expect(console.policies().map(({ notes }) => notes)).toEqual(left.map(() => "kept"));
    expect(before).toHaveLength(3);
    expect(writes()).toHaveLength(2);
  });

  test.each([
    "",
    "containers",
    "container:",
    "container:prefix",
    "container:prefix:0",
    "container:prefix:-1",
    "container:prefix:x",
    "container:shared:1",
    "container:prefix:1:2",
    "host:prefix:1",
  ])("refuses %j, and names the valid IDs", async (id) => {
    const { connection } = await ready();
    const engine = new Engine(connection, POLICIES);
    const diagnostics = await engine.import(id);
    expect(summaries(diagnostics)).toEqual(["Invalid import ID"]);
    for (const known of ["container", "container:prefix:N", "container:suffix:N"]) {
      expect(diagnostics[0]?.detail).toContain(`"${known}"`);
    }
    expect(engine.stored).toBeUndefined();
  });

  test("refuses more policies than the console has", async () => {
    const { connection } = await ready();
    const diagnostics = await new Engine(connection, POLICIES).import("container:prefix:3");
    expect(summaries(diagnostics)).toEqual(["Cannot import more entries than exist"]);
    expect(diagnostics[0]?.detail).toContain("2");
  });
});

test.each(RELEASES)("imports registry settings of %s", async (release) => {
  const { console, connection } = await ready({ release });
  await console.load({
    registry: [
      { registry: "r", repository: "app", tag: "", cap: 5, credentialId: "stored", more: 1 },
      { registry: "", repository: "base/*", tag: "1.*", versionPattern: null },
    ],
  });
  const engine = new Engine(connection, REGISTRY);
  expect(await engine.import("registry")).toEqual([]);
  expect(engine.state).toMatchObject({
    ownership: "exclusive",
    specifications: [
      { registry: "r", cap: 5, credential_id: "stored", os: null, credential: null },
      { registry: "", tag: "1.*", cap: null },
    ],
  });
  const config = {
    specifications: [
      { registry: "r", repository: "app", tag: "", cap: 5, credential_id: "stored" },
      { registry: "", repository: "base/*", tag: "1.*" },
    ],
  };
  expect(await engine.isConverged(config)).toBe(true);
});

test("imports serverless auto-deploy settings", async () => {
  const { console, connection } = await ready();
  await console.load({
    serverlessAutoDeploy: [{ name: "one", credentialId: "c", runtimes: ["b", "a"] }],
  });
  const engine = new Engine(connection, SERVERLESS);
  expect(await engine.import("serverless-auto-deploy")).toEqual([]);
  const spec = { name: "one", credential_id: "c", runtimes: ["a", "b"] };
  expect(await engine.isConverged({ specs: [spec] })).toBe(true);
});

test.each([
  [REGISTRY, "registry:prefix:1", '"registry"'],
  [SERVERLESS, "specs", '"serverless-auto-deploy"'],
])("%s: refuses %s", async (type, id, known) => {
  const { connection } = await ready();
  const [diagnostic] = await new Engine(connection, type).import(id);
  expect(diagnostic?.summary).toBe("Invalid import ID");
  expect(diagnostic?.detail).toContain(known);
  expect(diagnostic?.detail).not.toContain("prefix:N");
});

test.each([
  ["cwp_bootstrap", "An apply adopts a console that was signed up before"],
  ["cwp_license", "An apply installs the key"],
  ["cwp_container_scan", "an apply starts one"],
  ["cwp_defender_artifact", "An apply downloads the file"],
])("%s cannot be imported, and says what to do", async (type, instead) => {
  const { connection } = await ready();
  const diagnostics = await new Engine(connection, type).import("x");
  expect(summaries(diagnostics)).toEqual(["Resource does not support import"]);
  expect(diagnostics[0]?.detail).toContain(instead);
  expect(provider.importId(type)).toBeUndefined();
});

test.each([
  [POLICIES, "container"],
  [REGISTRY, "registry"],
  [SERVERLESS, "serverless-auto-deploy"],
])("%s: has the default import ID %s", (type, id) => {
  expect(provider.importId(type)).toBe(id);
});

test.each(resources.flatMap((one) => (one.collection ? [[one.type, one] as const] : [])))(
  "%s: manages an imported collection",
  async (type, resource) => {
    const { sample, importExample = "", importId = importExample } = resource;
    const config = { ...sample, ownership: null };
    for (const release of releasesWith(resource)) {
      const { connection } = await ready({ release });
      await new Engine(connection, type).applied(config);
      const engine = new Engine(connection, type);
      expect(await engine.import(importId)).toEqual([]);
      await engine.applied(config);
      expect(await engine.isConverged(config)).toBe(true);
    }
  },
);

test("refuses to import from a console that is not set up", async () => {
  const { console, connection } = fresh();
  await console.addUser("admin", "canary-password");
  const engine = new Engine(connection, POLICIES);
  expect(summaries(errorsOf(await engine.import("container")))).toEqual(["Console has no license"]);
  expect(engine.stored).toBeUndefined();
});
