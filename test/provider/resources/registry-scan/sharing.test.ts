import { hasErrors } from "../../../../src/provider/diagnostics";
import type { ObjectValue } from "../../../../src/provider/values";
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
  test("writes what is configured, and members that are not stay the console's", async () => {
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

  test("over settings that somebody made is refused, each named", async () => {
    const { console, connection, writes } = await ready();
    await console.edit({ registry: [theirs, { ...ours("a"), cap: 9 }, ours("b")] });
    const engine = new Engine(connection, TYPE);
    const { diagnostics } = await engine.plan({
      specifications: [ours("a", { cap: 1 }), ours("b"), ours("c")],
    });
    expect(summaries(diagnostics)).toEqual(["Console has unmanaged registry scan settings"]);
    expect(diagnostics[0]?.detail).toContain('" theirs " would be removed');
    expect(diagnostics[0]?.detail).toContain('"r a *" would be overwritten');
    expect(diagnostics[0]?.detail).not.toContain('"r b *"');
    expect(writes()).toEqual([]);
  });

  test("over equal ones converges without a write", async () => {
    const { console, connection, writes } = await ready();
    await console.edit({ registry: [ours("b"), { ...ours("a"), credentialId: "id" }] });
    const config = { specifications: [ours("a", { credential_id: "id" }), ours("b")] };
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

  test("leaves the others where they are, as they are", async () => {
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

  test("more of somebody's is no drift; one that takes our key is ours", async () => {
    const { console, connection } = await ready();
    const engine = await new Engine(connection, TYPE).applied(config);
    await console.edit({ registry: [theirs, theirs, ...console.collection("registry")] });
    expect(await engine.isConverged(config)).toBe(true);
  });

  test("what stands twice is tolerated where it is not managed", async () => {
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

test.each(["exclusive", "shared"])("%s: the console's order never shows", async (ownership) => {
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

test("drift shows, in what is managed only, and an edit before the write is refused", async () => {
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

test("an edit that made them what the plan wants is fine", async () => {
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

test("another order is no edit", async () => {
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

test("destroy restores, clears or keeps", async () => {
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

describe("how the list comes", () => {
  const item =
    '{"registry":"","repository":"theirs","tag":"","cap":5.0,"x":{"deep":[1e3,null]},"credentialId":"id"}';
  const mine = '{"registry":"r","repository":"a","tag":"*"}';

  test.each([
    ["a bare array", (list: string) => list],
    ["an envelope", (list: string) => `{"before":1.0,"specifications":${list},"after":{"b":[]}}`],
  ])("in %s, it goes back so", async (_, wrap) => {
    const { connection, body } = storing(PATH, wrap(`[${item}]`));
    const config = { ownership: "shared", specifications: [ours("a")] };
    const engine = await new Engine(connection, TYPE).applied(config);
    expect(body()).toBe(wrap(`[${item},${mine}]`));
    await engine.applied(null);
    expect(body()).toBe(wrap(`[${item}]`));
  });

  test("null is an empty list", async () => {
    const { connection, body } = storing(PATH, '{"specifications":null}');
    await new Engine(connection, TYPE).applied({ specifications: [ours("a")] });
    expect(body()).toBe(`{"specifications":[${mine}]}`);
  });
});

test("a key that is configured twice is an error", async () => {
  const { connection } = await ready();
  const engine = new Engine(connection, TYPE);
  const found = engine.validate({ specifications: [ours("a"), ours("b"), ours("a")] });
  expect(found.map(({ path }) => path)).toEqual([["specifications", 2]]);
  expect(found[0]?.summary).toBe("Duplicate registry, repository, tag");
  expect(hasErrors(found)).toBe(true);
});
