import { cwpProvider } from "../../src/provider/cwp-provider";
import type { Resource } from "../../src/core/definitions/resource-definition";
import { diagnose } from "../../src/provider/console/diagnose";
import { Provider } from "../../src/core/provider";
import { optional, string } from "../../src/core/schema/attribute";
import type { KnownObject } from "../../src/core/values";
import { complete, provider, summaries } from "../provider/support/engine";
import { ready } from "../provider/support/consoles";

const signal = new AbortController().signal;
const unconfigured = { connection: undefined, signal };
const TYPE = "cwp_license";
const attributes = provider.resourceAttributes(TYPE)?.attributes ?? {};
const config = complete(attributes, { key: "canary-key" });
const state = { id: "license", key: null, key_fingerprint: "f" };

describe("with an unknown provider configuration", () => {
  test("read keeps the state and warns", async () => {
    const reached = await provider.read(TYPE, { ...unconfigured, state, private: { a: 1 } });
    expect(reached).toMatchObject({ state, private: { a: 1 } });
    expect(reached.diagnostics.map(({ severity }) => severity)).toEqual(["warning"]);
  });

  test("plan succeeds", async () => {
    const plan = await provider.plan(TYPE, { ...unconfigured, prior: null, config, private: {} });
    expect(plan.diagnostics).toEqual([]);
    expect(plan.planned).toMatchObject({ id: "license", key: null });
  });

  test("apply and import fail", async () => {
    const request = { ...unconfigured, prior: state, planned: state, config, private: { a: 1 } };
    const applied = await provider.apply(TYPE, request);
    expect(applied).toMatchObject({ state, private: { a: 1 } });
    expect(summaries(applied.diagnostics)).toEqual(["Provider is not configured"]);
    const imported = await provider.import("cwp_registry_scan", "registry", unconfigured);
    expect(summaries(imported.diagnostics)).toEqual(["Provider is not configured"]);
  });
});

test("ignores computed attributes that ignore_changes takes over", async () => {
  const ignoring = { ...config, key_fingerprint: "f" };
  const request = { ...unconfigured, prior: state, config: ignoring, private: {} };
  const plan = await provider.plan(TYPE, request);
  expect(plan.diagnostics).toEqual([]);
  expect(plan).toMatchObject(await provider.plan(TYPE, { ...request, config }));
});

test("throws for unknown types", async () => {
  expect(provider.resourceAttributes("cwp_x")).toBeUndefined();
  expect(provider.dataSourceAttributes("cwp_x")).toBeUndefined();
  expect(() => provider.validateResource("cwp_x", {})).toThrow("cwp_x");
  await expect(provider.readDataSource("cwp_x", {}, unconfigured)).rejects.toThrow();
});

test("has unique types with the provider's prefix", () => {
  const types = cwpProvider.resources.map(({ type }) => type);
  expect(new Set(types).size).toBe(types.length);
  for (const type of types) expect(type).toMatch(/^cwp_/);
});

describe("state of another version", () => {
  const thing: Resource<null> = {
    type: "x_thing",
    description: "A thing.",
    version: 3,
    attributes: { name: optional(string(), "Its name."), size: optional(string(), "Its size.") },
    read: (one) => Promise.resolve({ state: one }),
    create: (one) => Promise.resolve({ state: one }),
    delete: () => Promise.resolve({ state: null }),
    upgrades: {
      0: ({ title, ...rest }) => ({ ...rest, name: title ?? null }),
      2: ({ size, ...rest }) => ({ ...rest, size: JSON.stringify(size) }),
    },
  };
  const things = new Provider<null>({
    ...{ source: "x/x", name: "x", description: "", configuration: {}, dataSources: [] },
    ...{ resources: [thing], ephemeralResources: [], functions: [], actions: [] },
    configure: () => Promise.resolve({ connection: null, diagnostics: [] }),
    close: () => Promise.resolve(),
  });
  const upgrade = (schemaVersion: number, stored: KnownObject) =>
    things.upgradeState("x_thing", { schemaVersion, attributes: stored });

  test.each<[number, KnownObject]>([
    [0, { title: "a", size: 1 }],
    [1, { name: "a", size: 1 }],
    [2, { name: "a", size: 1 }],
    [3, { name: "a", size: "1" }],
  ])("upgrades version %d step by step", (version, stored) => {
    expect(upgrade(version, stored)).toMatchObject({
      state: { name: "a", size: "1" },
      diagnostics: [],
    });
  });

  test("refuses a newer version", () => {
    const { state: reached, diagnostics } = upgrade(4, { name: "a" });
    expect(reached).toBeNull();
    expect(summaries(diagnostics)).toEqual(["Resource instance managed by newer provider version"]);
  });

  test("refuses a state that does not match, with each path", () => {
    const { state: reached, diagnostics } = upgrade(3, { name: 1, size: [] });
    expect(reached).toBeNull();
    expect(diagnostics.map(({ path }) => path)).toEqual([["name"], ["size"]]);
  });

  test("reports other errors of a resource as a bug", async () => {
    const broken = new Provider<null>({
      ...things.definition,
      resources: [{ ...thing, create: () => Promise.reject(new TypeError("oops")) }],
    });
    const planned = { name: "a", size: null };
    const request = {
      prior: null,
      planned,
      config: planned,
      private: {},
      connection: null,
      signal,
    };
    const { state: reached, diagnostics } = await broken.apply("x_thing", request);
    expect(reached).toBeNull();
    expect(diagnostics[0]?.summary).toBe("Internal provider error");
    expect(diagnostics[0]?.detail).toContain("oops");
  });

  test("hands no content to the record that is written with secrets", async () => {
    const secret = optional(string(), "A secret.", { writeOnly: true });
    const keeping: Resource<null> = {
      ...thing,
      attributes: { ...thing.attributes, secret },
      create: async (planned, config, { record }) => {
        await record?.({ found: "[]", written: JSON.stringify([config.secret]) });
        await record?.({ digest: "d" });
        return { state: planned };
      },
    };
    const keeper = new Provider<null>({ ...things.definition, resources: [keeping] });
    const recorded = async (value: string | null) => {
      const entries: unknown[] = [];
      const planned = { name: "a", size: null, secret: null };
      const config = { ...planned, secret: value };
      const request = { prior: null, planned, config, private: {}, connection: null, signal };
      const record = (entry: unknown) => Promise.resolve(void entries.push(entry));
      await keeper.apply("x_thing", { ...request, record });
      return entries;
    };
    expect(await recorded(null)).toEqual([{ found: "[]", written: "[null]" }, { digest: "d" }]);
    expect(await recorded("canary")).toEqual([{ hidden: true }]);
  });

  test("reports a missing update as a bug", async () => {
    const one = { name: "a", size: null };
    const request = {
      prior: one,
      planned: one,
      config: one,
      private: {},
      connection: null,
      signal,
    };
    const { state: reached, diagnostics } = await things.apply("x_thing", request);
    expect(reached).toEqual(one);
    expect(summaries(diagnostics)).toEqual(["Internal provider error"]);
  });
});

test("summarizes each kind of console error", async () => {
  const { connection, fault } = await ready({}, { maxRetries: 0 });
  const reported: string[] = [];
  // A 401 is retried with another token.
  const specs = [
    "status=401:2",
    "status=402:1",
    "status=403:1",
    "status=500:1",
    "reset-before:1",
    "html:1",
  ];
  for (const spec of specs) {
    fault(`getPolicies:${spec}`);
    await connection.client.getPolicies().catch((failure: unknown) => {
      reported.push(diagnose(failure).summary);
    });
  }
  expect(reported).toEqual([
    "Console refused the credentials",
    "Console has no license",
    "Console refused the request",
    "Console failed",
    "Console is not reachable",
    "Unexpected response from the console",
  ]);
});
