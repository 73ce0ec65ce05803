import type { ObjectValue } from "../../../../src/core/values";
import { ready, storing } from "../../support/consoles";
import { Engine, errorsOf, summaries } from "../../support/engine";

const TYPE = "cwp_registry_scan";
const key = { registry: "ghcr.io", repository: "org/*", tag: "*" };
const specs = (...list: ObjectValue[]): ObjectValue => ({
  specifications: list.map((one) => ({ ...key, ...one })),
});
const shared = (...list: ObjectValue[]) => ({ ownership: "shared", ...specs(...list) });

async function console_(...registry: object[]) {
  const simulated = await ready();
  const { console, connection } = simulated;
  await console.load({ registry: registry.map((one) => ({ ...key, ...one })) });
  const credentials = () => console.collection("registry").map((one) => one.credentialID);
  return { ...simulated, engine: new Engine(connection, TYPE), credentials };
}

test("manages one registry with several credentials and operating systems", async () => {
  const { engine, console } = await console_();
  const config = specs(
    { credential_id: "a", os: "linux" },
    { credential_id: "a", os: "windows" },
    { credential_id: "b", cap: 5 },
  );
  await engine.applied(config);
  await console.load({ registry: [...console.collection("registry")].reverse() });
  expect(await engine.isConverged(config)).toBe(true);
  const less = specs({ credential_id: "a", os: "windows" }, { credential_id: "b", cap: 6 });
  await engine.applied(less);
  expect(console.collection("registry")).toMatchObject([
    { credentialID: "a", os: "windows" },
    { credentialID: "b", cap: 6 },
  ]);
});

test("refuses two specifications that differ in nothing that identifies them", async () => {
  const { engine } = await console_();
  const found = engine.validate(specs({ credential_id: "a", cap: 1 }, { credential_id: "a" }));
  expect(summaries(found)).toEqual(["Duplicate registry, repository, tag, os and credential"]);
});

test("changes the credential of a specification in place", async () => {
  const { engine, console } = await console_();
  await engine.applied(specs({ credential_id: "old" }));
  await console.load({ registry: [{ ...console.collection("registry")[0], scanners: 7 }] });
  await engine.applied(specs({ credential_id: "new" }));
  expect(console.collection("registry")).toMatchObject([{ credentialID: "new", scanners: 7 }]);
});

test.each([specs, shared])("shows a credential that was changed on the console", async (form) => {
  const { engine, console } = await console_();
  await engine.applied(form({ credential_id: "ours" }));
  await console.load({ registry: [{ ...key, credentialID: "changed" }] });
  await engine.refresh();
  expect(engine.state?.specifications).toMatchObject([{ credential_id: "changed" }]);
  await engine.applied(form({ credential_id: "ours" }));
  expect(console.collection("registry")).toMatchObject([{ credentialID: "ours" }]);
});

test("keeps a specification whose operating system the console fills in", async () => {
  const { engine, console } = await console_();
  const config = shared({ cap: 1 });
  await engine.applied(config);
  await console.load({ registry: [{ ...key, cap: 1, os: "linux", credentialID: "default" }] });
  expect(await engine.isConverged(config)).toBe(true);
  await engine.applied(shared({ cap: 2 }));
  expect(console.collection("registry")).toMatchObject([{ cap: 2, os: "linux" }]);
  await engine.applied(null);
  expect(console.collection("registry")).toEqual([]);
});

test("adds a credential next to an unmanaged one of the same registry", async () => {
  const { engine, credentials } = await console_({ credentialID: "theirs", cap: 3 });
  await engine.applied(shared({ credential_id: "ours" }));
  expect(credentials()).toEqual(["theirs", "ours"]);
  await engine.applied(shared({ credential_id: "ours", cap: 4 }));
  await engine.applied(null);
  expect(credentials()).toEqual(["theirs"]);
});

test("does not take an unmanaged specification for a managed one that was removed", async () => {
  const { engine, console, credentials } = await console_({ credentialID: "theirs" });
  const config = shared({ credential_id: "ours" });
  await engine.applied(config);
  await console.load({ registry: [{ ...key, credentialID: "theirs" }] });
  await engine.refresh();
  expect(engine.state?.specifications).toEqual([]);
  await engine.applied(config);
  expect(credentials()).toEqual(["theirs", "ours"]);
});

test("refuses to overwrite an unmanaged specification that leaves its key open", async () => {
  const { engine } = await console_({ credentialID: "theirs", cap: 3 });
  const { diagnostics } = await engine.plan(shared({ cap: 4 }));
  expect(errorsOf(diagnostics)[0]?.detail).toContain(
    '"ghcr.io org/* * (credential theirs)" would be overwritten',
  );
});

test("compares collections by name, and keeps them as the console answers them", async () => {
  const whole = (images: string) =>
    `[{"registry":"harbor","repository":"","tag":"","collections":[{"name":"shop","images":["${images}"]}]}]`;
  const { connection, body, bodies } = storing("/api/v1/settings/registry", whole("a"));
  const engine = new Engine(connection, TYPE);
  const own = { registry: "harbor", repository: "", tag: "" };
  const config = (collections: string[]) => ({
    on_destroy: "keep",
    specifications: [{ ...own, collections }],
  });
  await engine.applied(config(["shop"]));
  expect(await engine.isConverged(config(["shop"]))).toBe(true);
  expect(bodies).toEqual([]);
  await engine.applied(config(["shop", "pay"]));
  expect(body()).toContain('"collections":["pay","shop"]');
});

test("writes members of consoles in the field, and others from extra_json", async () => {
  const { engine, console } = await console_();
  const config = specs({
    repository: "",
    version: "harbor",
    collections: ["shop"],
    excluded_tags: ["*-dev"],
    excluded_repositories: ["old/*"],
    harbor_deployment_security: true,
    extra_json: '{"jfrogRepoTypes": ["local"]}',
  });
  await engine.applied(config);
  expect(console.collection("registry")).toEqual([
    {
      ...key,
      repository: "",
      version: "harbor",
      collections: ["shop"],
      excludedTags: ["*-dev"],
      excludedRepositories: ["old/*"],
      harborDeploymentSecurity: true,
      jfrogRepoTypes: ["local"],
    },
  ]);
  expect(await engine.isConverged(config)).toBe(true);
});

test("imports other members with :extra_json, without secrets", async () => {
  const gitlab = { gitlabRegistrySpec: { projectIDs: ["7"] }, webhookToken: "canary" };
  const { engine } = await console_(gitlab);
  await engine.import("registry:extra_json");
  const config = specs({ extra_json: '{"gitlabRegistrySpec":{"projectIDs":["7"]}}' });
  expect(engine.state?.specifications).toMatchObject(config.specifications as never);
  expect(JSON.stringify(engine.state)).not.toContain("canary");
});
