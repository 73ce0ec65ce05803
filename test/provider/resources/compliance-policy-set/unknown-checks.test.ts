import type { ObjectValue } from "../../../../src/core/values";
import { ready } from "../../support/consoles";
import { Engine, summaries } from "../../support/engine";

const TYPE = "cwp_compliance_policy_set";
const config = (...checks: readonly ObjectValue[]): ObjectValue => ({
  policies: checks.map((ids, index) => ({ name: `p${index}`, checks: ids })),
});

test("warns of the checks that the console does not list", async () => {
  const { connection } = await ready({ release: "next" });
  const { diagnostics } = await new Engine(connection, TYPE).plan(
    config({ 41: true }, { 41: true, 77777: true, 99: false }),
  );
  expect(diagnostics).toMatchObject([
    {
      severity: "warning",
      summary: "Unknown compliance check",
      path: ["policies", 1, "checks"],
      isFinding: true,
    },
  ]);
  expect(diagnostics[0]?.detail).toContain('does not list checks 99, 77777 of policy "p1"');
});

test("asks once, and only for policies that change", async () => {
  const { console, connection } = await ready({ release: "next" });
  const engine = new Engine(connection, TYPE);
  const asked = () => console.requests.filter(({ path }) => path.endsWith("/stats/compliance"));
  await engine.applied(config({ 41: true }));
  expect(asked()).toHaveLength(1);
  const { diagnostics } = await engine.plan(config({ 41: true }));
  expect(diagnostics).toEqual([]);
  expect(asked()).toHaveLength(1);
});

test.each(["20.04", "20.12"] as const)("does not ask a console of %s", async (release) => {
  const { connection } = await ready({ release });
  const { diagnostics } = await new Engine(connection, TYPE).plan(config({ 77777: true }));
  expect(summaries(diagnostics)).toEqual([]);
});

test("plans without the list if the console does not give it", async () => {
  const { connection, fault } = await ready({ release: "next" });
  fault("getComplianceStats:status=403");
  const { diagnostics } = await new Engine(connection, TYPE).plan(config({ 77777: true }));
  expect(summaries(diagnostics)).toEqual([]);
});
