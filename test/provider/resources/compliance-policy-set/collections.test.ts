import type { ObjectValue } from "../../../../src/core/values";
import { ready } from "../../support/consoles";
import { Engine } from "../../support/engine";

const TYPE = "cwp_compliance_policy_set";
const policy = (name: string, scope: ObjectValue): ObjectValue => ({
  name,
  checks: { 41: true },
  ...scope,
});
const set = (...policies: ObjectValue[]): ObjectValue => ({ ownership: "prefix", policies });
const whole = (name: string, images: readonly string[] = ["*"]) => ({
  name,
  images,
  owner: "jo",
  modified: "2026-11-27T00:00:00Z",
  color: "#AD3C21",
});

/** A console that has the collections. */
async function consoleWith(...collections: readonly object[]) {
  const simulated = await ready();
  await simulated.console.store("collections", collections);
  return simulated;
}

test("writes collections by name, without resources", async () => {
  const { console, connection } = await consoleWith(whole("prod", ["shop/*"]), whole("edge"));
  const config = set(policy("a", { collections: ["prod", "edge"] }));
  const engine = await new Engine(connection, TYPE).applied(config);
  expect(console.policies()[0]).toMatchObject({
    collections: [{ name: "prod" }, { name: "edge" }],
  });
  expect(engine.state).toMatchObject({
    policies: [{ resources: null, collections: ["prod", "edge"] }],
  });
  expect(await engine.isConverged(config)).toBe(true);
});

test.each<[string, ObjectValue]>([
  ["the attribute", { collections: ["prod", "edge"] }],
  [
    "extra_json",
    { extra_json: '{"collections":[{"name":"prod"},{"name":"edge","color":"#000"}]}' },
  ],
])("compares collections of %s by name", async (_, scope) => {
  const { console, connection } = await consoleWith(whole("prod", ["shop/*"]), whole("edge"));
  const config = set(policy("a", scope));
  const engine = await new Engine(connection, TYPE).applied(config);
  const [first, ...others] = console.policies();
  const collections = [whole("edge"), whole("prod", ["shop/*"])];
  await console.load({ policies: [{ ...first, collections }, ...others] });
  await engine.refresh();
  expect(await engine.isConverged(config)).toBe(true);
  await console.load({ policies: [{ ...first, collections: [whole("prod")] }, ...others] });
  await engine.refresh();
  expect(await engine.isConverged(config)).toBe(false);
  await engine.applied(config);
  expect(console.policies()[0]).toMatchObject({
    collections: [{ name: "prod" }, { name: "edge" }],
  });
});

test("reads the scopes that it planned, of a policy that is limited twice too", async () => {
  const { connection } = await consoleWith(whole("prod", ["shop/*"]), whole("edge"));
  const twice = { resources: { images: ["x"] }, extra_json: '{"collections":[{"name":"prod"}]}' };
  const config = set(policy("a", twice), policy("b", { collections: ["prod"] }));
  const engine = await new Engine(connection, TYPE).applied(config);
  const planned = engine.state?.collection_scopes;
  expect(planned).toMatchObject([{ name: "prod" }]);
  await engine.refresh();
  expect(engine.state?.collection_scopes).toEqual(planned);
});

test("keeps what the console answers in resources beside collections", async () => {
  const { console, connection } = await consoleWith(whole("prod", ["shop/*"]), whole("edge"));
  const config = set(policy("a", { collections: ["prod"] }));
  const engine = await new Engine(connection, TYPE).applied(config);
  const [first, ...others] = console.policies();
  const resources = { images: ["x"] };
  await console.load({ policies: [{ ...first, resources }, ...others] });
  await engine.refresh();
  expect(await engine.isConverged(config)).toBe(true);
  await engine.applied(set({ ...policy("a", { collections: ["prod"] }), verbose: true }));
  expect(console.policies()[0]).toMatchObject({ resources, verbose: true });
});

test("replaces one form of a scope by the other", async () => {
  const { console, connection } = await consoleWith(whole("prod", ["shop/*"]), whole("edge"));
  const byResources = set(policy("a", { resources: { images: ["nginx:*"] } }));
  const byCollections = set(policy("a", { collections: ["prod"] }));
  const engine = await new Engine(connection, TYPE).applied(byResources);
  await engine.applied(byCollections);
  expect(console.policies()[0]).toMatchObject({
    collections: [{ name: "prod" }],
    resources: { images: ["*"] },
  });
  expect(await engine.isConverged(byCollections)).toBe(true);
  await engine.applied(byResources);
  expect(console.policies()[0]).toMatchObject({
    collections: [],
    resources: { images: ["nginx:*"] },
  });
  expect(await engine.isConverged(byResources)).toBe(true);
});

test("shows a policy that somebody gave resources instead of collections", async () => {
  const { console, connection } = await consoleWith(whole("prod", ["shop/*"]), whole("edge"));
  const config = set(policy("a", { collections: ["prod"] }));
  const engine = await new Engine(connection, TYPE).applied(config);
  const [first, ...others] = console.policies();
  const resources = { images: ["x"] };
  await console.load({ policies: [{ ...first, resources, collections: [] }, ...others] });
  await engine.refresh();
  expect(engine.state).toMatchObject({
    policies: [{ resources: { images: ["x"] }, collections: null }],
  });
  await engine.applied(config);
  expect(console.policies()[0]).toMatchObject({ resources: { images: ["*"] } });
  expect(await engine.isConverged(config)).toBe(true);
});

test("imports names, also of collections that are answered whole", async () => {
  const { console, connection } = await consoleWith(whole("prod", ["shop/*"]), whole("edge"));
  await console.load({
    policies: [{ name: "a", notes: "n", collections: [whole("prod"), whole("edge")] }],
  });
  const engine = new Engine(connection, TYPE);
  const expected = { resources: null, collections: ["prod", "edge"] };
  expect(await engine.import("container")).toEqual([]);
  expect(engine.state).toMatchObject({ policies: [{ ...expected, extra_json: null }] });
  expect(await engine.import("container:extra_json")).toEqual([]);
  expect(engine.state).toMatchObject({ policies: [{ ...expected, extra_json: '{"notes":"n"}' }] });
});

test.each([
  [{ collections: ["a"], resources: { images: ["x"] } }, ["resources"]],
  [{ collections: ["a"], extra_json: '{"collections":[]}' }, ["extra_json"]],
  [{ collections: [] }, ["collections"]],
  [{ collections: [""] }, ["collections", 0]],
])("refuses %j", async (scope, path) => {
  const { connection } = await consoleWith(whole("prod", ["shop/*"]), whole("edge"));
  const found = new Engine(connection, TYPE).validate(set(policy("a", scope)));
  expect(found.map((one) => one.path)).toEqual([["policies", 0, ...path]]);
});
