import type { ObjectValue } from "../../../../src/core/values";
import { ready } from "../../support/consoles";
import { Engine, errorsOf, summaries } from "../../support/engine";

const TYPE = "cwp_compliance_policy_set";
const policies: ObjectValue[] = [
  { name: "a", checks: { 41: true } },
  { name: "b", checks: {} },
];

async function applied(config: ObjectValue, others: readonly object[] = []) {
  const simulated = await ready();
  if (others.length > 0) await simulated.console.load({ policies: others as ObjectValue[] });
  const before = simulated.console.policies();
  const engine = await new Engine(simulated.connection, TYPE).applied({ policies, ...config });
  const names = () => simulated.console.policies().map(({ name }) => name);
  return { ...simulated, engine, before, names };
}

describe("restore", () => {
  test("restores the policies of the first apply with exclusive ownership, including unknown members", async () => {
    const others = [
      { name: "x", owner: "system", notes: "kept", collections: [{ id: 1 }], effect: "alert" },
      { name: "y", owner: "system", disabled: true },
    ];
    const { console, engine, writes } = await applied({}, others);
    await engine.applied({ policies: policies.slice(1) });
    const diagnostics = await engine.apply(null);
    expect(diagnostics).toEqual([]);
    expect(engine.stored).toBeUndefined();
    expect(console.policies()).toMatchObject([
      { name: "x", notes: "kept", collections: [{ id: 1 }], effect: "alert" },
      { name: "y", disabled: true },
    ]);
    expect(writes()).toHaveLength(3);
  });

  test.each([
    ["prefix", ["x", "y"]],
    ["suffix", ["x", "y"]],
  ])("removes managed policies with %s ownership", async (ownership, left) => {
    const { console, engine, names, before } = await applied({ ownership }, [
      { name: "x", notes: 1 },
      { name: "y" },
    ]);
    await engine.applied(null);
    expect(names()).toEqual(left);
    expect(console.policies()).toEqual(before);
  });

  test.each([
    ["truncated", (snapshot: string) => snapshot.slice(0, -9)],
    ["no list", () => "{}"],
    ["a list of something else", () => "[1]"],
    ["nested deeply", () => "[".repeat(100_000)],
  ])("is refused where the snapshot is %s", async (_, damage) => {
    const { engine, names } = await applied({});
    const { snapshot } = engine.stored?.private ?? {};
    if (!engine.stored || typeof snapshot !== "string") throw new Error("there is no snapshot");
    engine.stored = { ...engine.stored, private: { snapshot: damage(snapshot) } };
    expect(summaries(errorsOf((await engine.plan(null)).diagnostics))).toEqual([
      "The compliance policies before the first apply are unknown",
    ]);
    expect(names()).toEqual(["a", "b"]);
  });

  test("is refused without a snapshot, which every plan warns of, until on_destroy changes", async () => {
    const { engine, names, writes } = await applied({});
    if (engine.stored) engine.stored = { ...engine.stored, private: {} };
    const unknown = "The compliance policies before the first apply are unknown";
    const warned = await engine.plan({ policies });
    expect(warned.diagnostics).toMatchObject([{ severity: "warning", summary: unknown }]);
    const { diagnostics } = await engine.plan(null);
    expect(diagnostics).toMatchObject([{ severity: "error", summary: unknown }]);
    expect(diagnostics[0]?.detail).toContain('Set on_destroy to "keep" or "clear"');

    const kept = await engine.plan({ policies, on_destroy: "keep" });
    expect(kept.diagnostics).toEqual([]);
    await engine.applied({ policies, on_destroy: "keep" });
    await engine.applied(null);
    expect(names()).toEqual(["a", "b"]);
    expect(writes()).toHaveLength(1);
  });
});

test("clears the collection", async () => {
  const { engine, names } = await applied({ on_destroy: "clear" });
  expect((await engine.plan(null)).diagnostics).toEqual([]);
  await engine.applied(null);
  expect(names()).toEqual([]);
});

test("keeps the policies, and warns in the plan", async () => {
  const { engine, names, writes } = await applied({ on_destroy: "keep" });
  expect(summaries((await engine.plan(null)).diagnostics)).toEqual([
    "Console keeps its compliance policies",
  ]);
  await engine.applied(null);
  expect(names()).toEqual(["a", "b"]);
  expect(writes()).toHaveLength(1);
});

test("uses on_destroy as last applied", async () => {
  const { engine, names, writes } = await applied({});
  await engine.applied({ policies, on_destroy: "clear" });
  expect(writes()).toHaveLength(1);
  await engine.applied(null);
  expect(names()).toEqual([]);
});

test("does not write a collection that is restored already", async () => {
  const { console, engine, before, writes } = await applied({});
  await console.load({ policies: before });
  await engine.applied(null);
  expect(writes()).toHaveLength(1);
});

test("skips a console without a license", async () => {
  const { console, engine } = await applied({});
  await console.reset();
  await console.addUser("admin", "canary-password");
  expect(await engine.applyPlan(null, await engine.plan(null))).toEqual([]);
  expect(engine.stored).toBeUndefined();
});

test("keeps the state if the console refuses", async () => {
  const { engine, fault } = await applied({});
  fault("putCompliancePolicies:status=409");
  expect(summaries(errorsOf(await engine.apply(null)))).toEqual(["Console refused the request"]);
  expect(engine.state).toMatchObject({ id: "container" });
});
