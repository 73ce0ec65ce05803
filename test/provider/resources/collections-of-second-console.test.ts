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
