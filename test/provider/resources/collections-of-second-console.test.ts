import type { ObjectValue } from "../../../src/core/values";
import { closeSecondConsoles, connectToSecond } from "../support/second-console";
import { Engine, summaries } from "../support/engine";

/* A console that shares nothing with the sources answers each collection of a policy whole. */

afterEach(closeSecondConsoles);

const set = (collections: readonly string[]): ObjectValue => ({
  policies: [{ name: "root", checks: { "599": true }, collections }],
});

test("policies that name collections converge, whatever other teams do with these", async () => {
  const { connection } = await connectToSecond();
  const collection = new Engine(connection, "cwp_collection");
  await collection.applied({ name: "prod", namespaces: ["prod-*"] });
  const policies = new Engine(connection, "cwp_compliance_policy_set");
  const config = set(["prod", "All"]);
  await policies.applied(config);
  expect(policies.state).toMatchObject({
    policies: [{ resources: null, collections: ["prod", "All"] }],
    collection_scopes: [
      { name: "All", namespaces: ["*"] },
      { name: "prod", namespaces: ["prod-*"], images: ["*"] },
    ],
  });
  expect(await policies.isConverged(config)).toBe(true);
  await collection.applied({ name: "prod", namespaces: ["prod-*", "-prod-x"] });
  await policies.refresh();
  expect(await policies.isConverged(config)).toBe(true);
  expect(policies.state).toMatchObject({
    collection_scopes: [{ name: "All" }, { name: "prod", namespaces: ["-prod-x", "prod-*"] }],
  });
});

test("plans have the scope that a collection gets in the same run", async () => {
  const { connection } = await connectToSecond();
  const collection = new Engine(connection, "cwp_collection");
  const policies = new Engine(connection, "cwp_compliance_policy_set");
  await collection.plan({ name: "prod", namespaces: ["prod-*"] });
  const { planned, diagnostics } = await policies.plan(set(["prod"]));
  expect(diagnostics).toEqual([]);
  expect(planned).toMatchObject({ collection_scopes: [{ name: "prod", namespaces: ["prod-*"] }] });
});

test("plans warn of a name that the console does not have", async () => {
  const { connection } = await connectToSecond();
  const policies = new Engine(connection, "cwp_compliance_policy_set");
  const { diagnostics } = await policies.plan(set(["All", "prdo"]));
  expect(summaries(diagnostics)).toEqual(["Unknown collection"]);
  expect(diagnostics[0]?.detail).toContain('"prdo"');
});

test("plans warn of policies that collections in front of them hide", async () => {
  const { connection } = await connectToSecond();
  const policies = new Engine(connection, "cwp_compliance_policy_set");
  const { diagnostics } = await policies.plan({
    policies: [
      { name: "all", checks: { "41": true }, collections: ["All"] },
      { name: "rest", checks: { "599": true } },
    ],
  });
  expect(summaries(diagnostics)).toEqual(['Policy "rest" never decides']);
});

test.each(["cwp_collection", "cwp_object"])(
  "%s leaves a collection of the console itself alone",
  async (type) => {
    const { served, connection } = await connectToSecond();
    const before = structuredClone(served.content());
    const engine = new Engine(connection, type);
    const isTyped = type === "cwp_collection";
    const id = isTyped ? "All" : "collection:All";
    expect(summaries(await engine.import(id))).toEqual(["Collection of the console itself"]);
    const own = { name: "All", images: ["x"] };
    const refused = await engine.apply(isTyped ? own : { kind: "collection", body: own });
    expect(summaries(refused)).toEqual(["Object already exists"]);
    expect([served.writes(), served.content()]).toEqual([[], before]);
  },
);
