import { ready } from "../../support/consoles";
import { Engine, summaries } from "../../support/engine";

const TYPE = "cwp_compliance_policy_set";
const CONFIG = { policies: [{ name: "a", checks: { 41: true } }] };

/** A console whose own policies somebody has taken away and put back, which makes them theirs. */
async function putBack(change: (policy: object) => object = (policy) => policy) {
  const simulated = await ready();
  const { console } = simulated;
  const defaults = console.policies();
  await console.edit({ policies: [] });
  await console.edit({ policies: defaults.map((policy) => ({ ...policy, ...change(policy) })) });
  expect(console.policies().map(({ owner }) => owner)).toEqual(["somebody", "somebody"]);
  return simulated;
}

test("replaces default policies that a destroy restored", async () => {
  const { console, connection } = await ready();
  const engine = new Engine(connection, TYPE);
  for (let round = 0; round < 2; round++) {
    await engine.applied(CONFIG);
    expect(console.policies()).toMatchObject([{ name: "a" }]);
    await engine.applied(null);
    expect(console.policies()).toMatchObject([
      { name: "Default - ignore own components", owner: "admin" },
      { name: "Default - alert on critical and high", owner: "admin" },
    ]);
  }
});

test("replaces default policies that any user restored", async () => {
  const { connection } = await putBack();
  await new Engine(connection, TYPE).applied(CONFIG);
});

test.each<[string, object]>([
  ["disabled", { disabled: true }],
  ["of other checks", { condition: { vulnerabilities: [{ id: 56, block: true }] } }],
  ["of another scope", { resources: { hosts: ["prod-*"] } }],
  ["with a note", { notes: "do not remove" }],
  ["with a severity", { condition: { vulnerabilities: [{ id: 56, minSeverity: 7 }, { id: 57 }] } }],
  [
    "with an obsolete member that says something",
    { alertThreshold: { disabled: false, value: 3 } },
  ],
])("treats a changed default policy as unmanaged: %s", async (_, change) => {
  const { console, connection } = await putBack((policy) =>
    "name" in policy && policy.name === "Default - ignore own components" ? change : {},
  );
  const policies = console.policies();
  const refused = await new Engine(connection, TYPE).apply(CONFIG);
  expect(summaries(refused)).toEqual(["Console has unmanaged compliance policies"]);
  expect(refused[0]?.detail).toContain('"Default - ignore own components" would be removed');
  expect(refused[0]?.detail).not.toContain('"Default - alert on critical and high"');
  expect(console.policies()).toEqual(policies);
});

test("treats a renamed default policy as unmanaged", async () => {
  const { connection } = await putBack((policy) => ({
    name: `My ${"name" in policy ? String(policy.name) : ""}`,
  }));
  expect(summaries(await new Engine(connection, TYPE).apply(CONFIG))).toEqual([
    "Console has unmanaged compliance policies",
  ]);
});
