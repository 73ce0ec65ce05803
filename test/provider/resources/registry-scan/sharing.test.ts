import { hasErrors } from "../../../../src/core/diagnostics";
import type { ObjectValue } from "../../../../src/core/values";
import { ready, storing } from "../../support/consoles";
import { Engine, summaries } from "../../support/engine";

const TYPE = "cwp_registry_scan";
const PATH = "/api/v1/settings/registry";
const ours = (repository: string, more: ObjectValue = {}): ObjectValue => ({
  registry: "r",
  repository,
  tag: "*",
  ...more,
});
const theirs = {
  registry: "",
  repository: "theirs",
  tag: "",
  cap: 3,
  credentialId: "x",
  notes: "n",
};

describe("exclusive", () => {
  test("writes configured members, and keeps the console's others", async () => {
    const { console, connection } = await ready();
    const config = { specifications: [ours("a", { cap: 5, credential_id: "id" }), ours("b")] };
    const engine = await new Engine(connection, TYPE).applied(config);
    expect(console.collection("registry")).toEqual([
      { registry: "r", repository: "a", tag: "*", cap: 5, credentialID: "id" },
      { registry: "r", repository: "b", tag: "*" },
    ]);
    // The server fills in the rest; no plan ever shows it.
    expect(await engine.isConverged(config)).toBe(true);
    await console.load({
      registry: [
        { ...ours("a"), cap: 5, credentialID: "id", os: "linux", scanners: 7 },
        { ...ours("b"), version: "2", useAWSRole: true },
      ],
    });
    expect(await engine.isConverged(config)).toBe(true);
    await engine.applied({
      specifications: [ours("a", { cap: 6, credential_id: "id" }), ours("b")],
    });
    expect(console.collection("registry")).toMatchObject([
      { cap: 6, os: "linux", scanners: 7 },
      { version: "2", useAWSRole: true },
    ]);
  });

  test("refuses unmanaged settings, naming each", async () => {
    const { console, connection, writes } = await ready();
    await console.edit({ registry: [theirs, { ...ours("a"), cap: 9 }, ours("b")] });
    const engine = new Engine(connection, TYPE);
    const { diagnostics } = await engine.plan({
      specifications: [ours("a", { cap: 1 }), ours("b"), ours("c")],
    });
    expect(summaries(diagnostics)).toEqual(["Console has unmanaged registry scan settings"]);
    expect(diagnostics[0]?.detail).toContain('" theirs  (credential x)" would be removed');
    expect(diagnostics[0]?.detail).toContain('"r a *" would be overwritten');
    expect(diagnostics[0]?.detail).not.toContain('"r b *"');
    expect(writes()).toEqual([]);
  });

  test("converges without a write over equal settings", async () => {
    const { console, connection, writes } = await ready();
    await console.edit({ registry: [ours("b"), { ...ours("a"), credentialId: "id" }] });
    const config = {
      specifications: [ours("a", { credential_id: "id" }), ours("b")],
      on_destroy: "keep",
    };
    const engine = await new Engine(connection, TYPE).applied(config);
    expect(await engine.isConverged(config)).toBe(true);
    expect(writes()).toEqual([]);
  });
});

describe("shared", () => {
  const config = {
    ownership: "shared",
    specifications: [ours("a", { cap: 1 }), ours("b", { cap: 2 })],
  };

  test("keeps unmanaged specifications in place", async () => {
    const { console, connection } = await ready();
    const another = { registry: "", repository: "another", tag: "", credential: null };
    await console.edit({ registry: [theirs, ours("b"), another] });
    const refused = await new Engine(connection, TYPE).plan(config);
    expect(refused.diagnostics[0]?.detail).toContain('"r b *" would be overwritten');

    await console.edit({ registry: [theirs, { ...ours("b"), cap: 2 }, another] });
    const engine = await new Engine(connection, TYPE).applied(config);
    const written = () => console.collection("registry").map(({ repository }) => repository);
    expect(written()).toEqual(["theirs", "b", "another", "a"]);
    expect(console.collection("registry")[0]).toMatchObject(theirs);
    expect(engine.state?.specifications).toMatchObject([{ repository: "a" }, { repository: "b" }]);
    expect(await engine.isConverged(config)).toBe(true);

    await engine.applied({ ownership: "shared", specifications: [ours("b", { cap: 3 })] });
    expect(written()).toEqual(["theirs", "b", "another"]);
    await engine.applied(null);
    expect(written()).toEqual(["theirs", "another"]);
  });

  test("ignores additional unmanaged specifications, unless they have a managed key", async () => {
    const { console, connection } = await ready();
    const engine = await new Engine(connection, TYPE).applied(config);
    await console.edit({ registry: [theirs, theirs, ...console.collection("registry")] });
    expect(await engine.isConverged(config)).toBe(true);
  });

  test("accepts unmanaged duplicates", async () => {
    const { console, connection } = await ready();
    await console.edit({ registry: [theirs, theirs] });
    const engine = await new Engine(connection, TYPE).applied(config);
    await engine.applied(null);
    expect(console.collection("registry").map(({ repository }) => repository)).toEqual([
      "theirs",
      "theirs",
    ]);
  });
});

test.each(["exclusive", "shared"])("%s: ignores the console's order", async (ownership) => {
  const { console, connection } = await ready();
  const config = { ownership, specifications: [ours("a"), ours("b"), ours("c")] };
  const engine = await new Engine(connection, TYPE).applied(config);
  await console.load({ registry: [...console.collection("registry")].reverse() });
  expect(await engine.isConverged(config)).toBe(true);
  expect(engine.state?.specifications).toMatchObject([
    { repository: "a" },
    { repository: "b" },
    { repository: "c" },
  ]);
});

test("shows drift of managed members only, and refuses an edit before the write", async () => {
  const { console, connection, writes } = await ready();
  const config = { specifications: [ours("a", { cap: 1, os: "linux" })] };
  const engine = await new Engine(connection, TYPE).applied(config);
  await console.load({ registry: [{ ...ours("a"), cap: 2, hostname: "h" }] });
  await engine.refresh();
  expect(engine.state?.specifications).toMatchObject([{ cap: 2, os: "", hostname: null }]);
  const plan = await engine.plan(config);
  await console.load({ registry: [theirs] });
  const before = writes().length;
  expect(summaries(await engine.applyPlan(config, plan))).toEqual([
    "The console's registry scan settings changed since the plan was made",
  ]);
  expect(writes()).toHaveLength(before);
});

test("accepts an edit with the planned result", async () => {
  const { console, connection, writes } = await ready();
  const engine = await new Engine(connection, TYPE).applied({ specifications: [ours("a")] });
  const next = { specifications: [ours("a", { cap: 4 })] };
  await engine.refresh();
  const plan = await engine.plan(next);
  await console.edit({ registry: [{ ...ours("a"), cap: 4 }] });
  const before = writes().length;
  expect(await engine.applyPlan(next, plan)).toEqual([]);
  expect(writes()).toHaveLength(before);
});

test("ignores a change of the order", async () => {
  const { console, connection } = await ready();
  const engine = new Engine(connection, TYPE);
  await engine.applied({ specifications: [ours("a"), ours("b")] });
  const next = { specifications: [ours("a", { cap: 4 }), ours("b")] };
  await engine.refresh();
  const plan = await engine.plan(next);
  await console.load({ registry: [...console.collection("registry")].reverse() });
  expect(await engine.applyPlan(next, plan)).toEqual([]);
  expect(await engine.isConverged(next)).toBe(true);
});

test("restores, clears or keeps on destroy", async () => {
  for (const [onDestroy, left] of [
    ["restore", []],
    ["clear", []],
    ["keep", ["a"]],
  ] as const) {
    const { console, connection } = await ready();
    const engine = new Engine(connection, TYPE);
    await engine.applied({ on_destroy: onDestroy, specifications: [ours("a")] });
    await engine.applied(null);
    expect(console.collection("registry").map(({ repository }) => repository)).toEqual(left);
  }
});

describe("the form of the list", () => {
  const item =
    '{"registry":"","repository":"theirs","tag":"","cap":5.0,"x":{"deep":[1e3,null]},"credentialId":"id"}';
  const mine = '{"registry":"r","repository":"a","tag":"*"}';

  test.each([
    ["a bare array", (list: string) => list],
    ["an envelope", (list: string) => `{"before":1.0,"specifications":${list},"after":{"b":[]}}`],
  ])("is written back in %s", async (_, wrap) => {
    const { connection, body } = storing(PATH, wrap(`[${item}]`));
    const config = { ownership: "shared", specifications: [ours("a")] };
    const engine = await new Engine(connection, TYPE).applied(config);
    expect(body()).toBe(wrap(`[${item},${mine}]`));
    await engine.applied(null);
    expect(body()).toBe(wrap(`[${item}]`));
  });

  test("reads null as an empty list", async () => {
    const { connection, body } = storing(PATH, '{"specifications":null}');
    await new Engine(connection, TYPE).applied({ specifications: [ours("a")] });
    expect(body()).toBe(`{"specifications":[${mine}]}`);
  });
});

test("refuses duplicate keys", async () => {
  const { connection } = await ready();
  const engine = new Engine(connection, TYPE);
  const found = engine.validate({ specifications: [ours("a"), ours("b"), ours("a")] });
  expect(found.map(({ path }) => path)).toEqual([["specifications", 2]]);
  expect(found[0]?.summary).toBe("Duplicate registry, repository, tag, os and credential");
  expect(hasErrors(found)).toBe(true);
});
