import { hasErrors } from "../../../../src/core/diagnostics";
import type { ObjectValue } from "../../../../src/core/values";
import { ready } from "../../support/consoles";
import { complete, Engine, errorsOf, provider, summaries } from "../../support/engine";

const TYPE = "cwp_compliance_policy_set";
const policy = (name: string, block = true): ObjectValue => ({ name, checks: { 41: block } });
/** The same, as the API spells it. */
const item = (name: string, block = true): ObjectValue => ({
  name,
  condition: { vulnerabilities: [{ id: 41, block }] },
});
const config = (ownership: string, ...policies: ObjectValue[]) => ({ ownership, policies });

async function applied(ownership: string, others: readonly string[] = []) {
  const simulated = await ready();
  await simulated.console.edit({ policies: others.map((name) => ({ name })) });
  const engine = new Engine(simulated.connection, TYPE);
  const wanted = config(ownership, policy("a"), policy("b"));
  await engine.applied(wanted);
  simulated.console.requests.length = 0;
  const names = () => simulated.console.policies().map(({ name }) => name);
  const byName = (name: string) => simulated.console.policies().find((one) => one.name === name);
  return { ...simulated, engine, wanted, names, byName };
}

describe("drift", () => {
  test("shows and reverts a changed member", async () => {
    const { console, engine, wanted, byName } = await applied("exclusive");
    await console.edit({
      policies: console.policies().map((one) => ({ ...one, disabled: one.name === "b" })),
    });
    await engine.refresh();
    expect(engine.state?.policies).toMatchObject([{ disabled: false }, { disabled: true }]);
    expect(await engine.isConverged(wanted)).toBe(false);
    await engine.applied(wanted);
    expect(byName("b")).toMatchObject({ disabled: false });
    expect(await engine.isConverged(wanted)).toBe(true);
  });

  test("ignores and keeps an unmanaged member", async () => {
    const { console, engine, wanted, byName } = await applied("exclusive");
    await console.edit({
      policies: console.policies().map((one) => ({ ...one, notes: "theirs", effect: "alert" })),
    });
    expect(await engine.isConverged(wanted)).toBe(true);
    await engine.applied(config("exclusive", policy("a", false), policy("b")));
    expect(byName("a")).toMatchObject({ notes: "theirs", effect: "alert" });
  });

  test("shows and removes an additional policy with exclusive ownership", async () => {
    const { console, engine, wanted, names } = await applied("exclusive");
    await console.edit({ policies: [...console.policies(), { name: "theirs" }] });
    await engine.refresh();
    expect(engine.state).toMatchObject({
      in_position: false,
      policies: [{ name: "a" }, { name: "b" }, { name: "theirs" }],
    });
    await engine.applied(wanted);
    expect(names()).toEqual(["a", "b"]);
  });

  test.each(["prefix", "suffix"])(
    "ignores an additional unmanaged policy with %s ownership",
    async (ownership) => {
      const { console, engine, wanted } = await applied(ownership, ["x"]);
      const [first = {}, second = {}, third = {}] = console.policies();
      const more = { name: "y" };
      await console.edit({
        policies:
          ownership === "prefix" ? [first, second, third, more] : [more, first, second, third],
      });
      expect(await engine.isConverged(wanted)).toBe(true);
    },
  );

  test.each(["exclusive", "prefix", "suffix"])(
    "%s: one that is gone comes back",
    async (ownership) => {
      const { console, engine, wanted, names } = await applied(ownership, []);
      await console.edit({ policies: console.policies().filter(({ name }) => name !== "a") });
      await engine.refresh();
      expect(engine.state?.policies).toMatchObject([{ name: "b" }]);
      await engine.applied(wanted);
      expect(names()).toEqual(["a", "b"]);
      expect(await engine.isConverged(wanted)).toBe(true);
    },
  );

  test("reads removed policies as an empty set, not as a missing resource", async () => {
    const { console, engine, wanted } = await applied("exclusive");
    await console.edit({ policies: [] });
    await engine.refresh();
    expect(engine.state).toMatchObject({ policies: [] });
    await engine.applied(wanted);
    expect(await engine.isConverged(wanted)).toBe(true);
  });
});

describe("policies that were moved", () => {
  test.each<[string, string[], string[], string[]]>([
    ["exclusive", [], ["b", "a"], ["a", "b"]],
    ["prefix", ["x"], ["x", "a", "b"], ["a", "b", "x"]],
    ["prefix", ["x"], ["a", "x", "b"], ["a", "b", "x"]],
    ["prefix", ["x"], ["b", "a", "x"], ["a", "b", "x"]],
    ["suffix", ["x"], ["a", "b", "x"], ["x", "a", "b"]],
    ["suffix", ["x"], ["a", "x", "b"], ["x", "a", "b"]],
  ])("%s beside %j, moved to %j, are moved back to %j", async (ownership, others, moved, back) => {
    const { console, engine, wanted, names } = await applied(ownership, others);
    const all = console.policies();
    await console.edit({
      policies: moved.map((name) => all.find((one) => one.name === name) ?? {}),
    });
    await engine.refresh();
    expect(engine.state?.in_position).toBe(false);
    // Seen twice, it is still out of position.
    expect(await engine.isConverged(wanted)).toBe(false);
    const { planned } = await engine.plan(wanted);
    expect(planned?.in_position).toBe(true);
    await engine.applied(wanted);
    expect(names()).toEqual(back);
    expect(await engine.isConverged(wanted)).toBe(true);
  });
});

describe("an edit between plan and apply", () => {
  async function edited(change: (names: readonly string[]) => readonly ObjectValue[]) {
    const set = await applied("prefix", ["x"]);
    const next = config("prefix", policy("a", false), policy("b"));
    await set.engine.refresh();
    const plan = await set.engine.plan(next);
    await set.console.edit({ policies: change(set.names().map(String)) });
    set.console.requests.length = 0;
    const policies = set.console.policies();
    const diagnostics = await set.engine.applyPlan(next, plan);
    return { ...set, next, diagnostics, before: policies };
  }

  test.each<[string, (names: readonly string[]) => readonly ObjectValue[]]>([
    ["of ours", () => [{ name: "a", disabled: true }, item("b"), { name: "x" }]],
    ["of somebody's", () => [item("a"), item("b"), { name: "x", disabled: true }]],
    ["that adds", () => [item("a"), item("b"), { name: "x" }, { name: "new" }]],
    ["that moves", () => [{ name: "x" }, item("a"), item("b")]],
  ])("refuses %s, and writes nothing", async (_, change) => {
    const { console, engine, diagnostics, before, writes } = await edited(change);
    expect(summaries(diagnostics)).toEqual([
      "The console's compliance policies changed since the plan was made",
    ]);
    expect(diagnostics[0]?.detail).toContain("Nothing was written");
    expect(writes()).toEqual([]);
    expect(console.policies()).toBe(before);
    expect(engine.state?.policies).toMatchObject([{ checks: { 41: true } }, { name: "b" }]);
  });

  test("is planned and applied by the next run", async () => {
    const { engine, next, names } = await edited(() => [
      item("a"),
      item("b"),
      { name: "x" },
      { name: "new" },
    ]);
    await engine.applied(next);
    expect(names()).toEqual(["a", "b", "x", "new"]);
    expect(await engine.isConverged(next)).toBe(true);
  });

  test("is accepted if the result is as planned", async () => {
    const { engine, diagnostics, next, writes } = await edited(() => [
      item("a", false),
      item("b"),
      { name: "x" },
    ]);
    expect(diagnostics).toEqual([]);
    expect(writes()).toEqual([]);
    expect(await engine.isConverged(next)).toBe(true);
  });

  test("is ignored in owner and modification time", async () => {
    const set = await applied("exclusive");
    const next = config("exclusive", policy("a", false), policy("b"));
    await set.engine.refresh();
    const plan = await set.engine.plan(next);
    await set.console.load({
      policies: set.console.policies().map((one) => ({ ...one, owner: "x", modified: "now" })),
    });
    expect(await set.engine.applyPlan(next, plan)).toEqual([]);
  });

  test("refuses a destroy too", async () => {
    const set = await applied("exclusive");
    await set.engine.refresh();
    const plan = await set.engine.plan(null);
    await set.console.edit({ policies: [{ name: "new" }] });
    const diagnostics = await set.engine.applyPlan(null, plan);
    expect(hasErrors(diagnostics)).toBe(true);
    expect(set.writes()).toEqual([]);
    expect(set.engine.stored).toBeDefined();
  });
});

describe("a change of ownership", () => {
  test("replaces without a conflict with its own policies", async () => {
    const { engine, console, names } = await applied("exclusive");
    const next = config("prefix", policy("a", false), policy("c"));
    await engine.refresh();
    const { requiresReplace } = await engine.plan(next);
    expect(requiresReplace).toEqual([["ownership"]]);
    // Engines plan the new object as a create, with the old one's private state.
    const second = await provider.plan(TYPE, {
      prior: null,
      config: complete(engine.attributes, next),
      private: engine.stored?.private ?? {},
      connection: engine.connection,
      signal: new AbortController().signal,
    });
    expect(second.diagnostics).toEqual([]);
    expect(errorsOf(await engine.applyPlan(next, { ...second, requiresReplace }))).toEqual([]);
    expect(names().slice(0, 2)).toEqual(["a", "c"]);
    expect(console.policies()).toHaveLength(2);
    expect(await engine.isConverged(next)).toBe(true);
  });
});

test("plans a create if the console has lost its license", async () => {
  const { console, engine, wanted } = await applied("exclusive");
  await console.reset();
  await console.addUser("admin", "canary-password");
  expect(await engine.refresh()).toEqual([]);
  expect(engine.stored).toBeUndefined();
  await console.installLicense();
  await engine.applied(wanted);
});
