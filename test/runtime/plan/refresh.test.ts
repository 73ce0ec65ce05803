import { readFile, writeFile } from "node:fs/promises";
import { hasChanges } from "../../../src/runtime";
import { Bench } from "../engine/bench";

describe("a refresh", () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await Bench.open();
    await bench.synth({
      main: { resource: { memory_thing: { a: { name: "a", size: 1 }, b: { name: "b" } } } },
    });
    await bench.apply();
  });
  afterEach(() => bench.close());

  const change = (members: object) => {
    const [[id, thing] = []] = bench.world.things;
    if (id === undefined || !thing) throw new Error("no thing");
    bench.world.things.set(id, { ...thing, ...members });
  };

  test("finds drift, which the plan corrects", async () => {
    change({ size: 7 });
    const { session, plan } = await bench.planOnly();
    expect(plan).toEqual(["memory_thing.a update"]);
    expect(session.plans[0]?.drift).toMatchObject([
      { address: "memory_thing.a", action: "update", before: { size: 1 }, after: { size: 7 } },
    ]);
    await bench.apply();
    expect(bench.world.named("a")?.size).toBe(1);
  });

  test("creates objects again that were removed outside", async () => {
    bench.world.things.clear();
    const { session, plan } = await bench.planOnly();
    expect(plan).toEqual(["memory_thing.a create", "memory_thing.b create"]);
    expect(session.plans[0]?.drift.map(({ action }) => action)).toEqual(["delete", "delete"]);
  });

  test("is skipped on request", async () => {
    change({ size: 7 });
    bench.world.calls.length = 0;
    expect((await bench.planOnly({ refresh: false })).plan).toEqual([]);
    expect(bench.world.calls).toEqual([]);
  });

  test("stores the drift and does nothing else with refresh-only", async () => {
    change({ size: 7 });
    await bench.synth({
      main: { resource: { memory_thing: { a: { name: "a", size: 1 }, b: { name: "other" } } } },
    });
    const { plan, stacks } = await bench.apply({ mode: "refresh-only" });
    expect(plan).toEqual([]);
    expect(stacks[0]?.counts).toEqual({ import: 0, add: 0, change: 0, destroy: 0 });
    expect((await bench.state()).resources[0]?.instances[0]?.attributes).toMatchObject({ size: 7 });
    expect(bench.world.takeWrites()).toEqual(["create a", "create b"]);
  });

  test("leads to no changes if nothing differs, with data sources or without", async () => {
    await bench.synth({
      main: {
        resource: { memory_thing: { a: { name: "a", size: 1 }, b: { name: "b" } } },
        data: { memory_reading: { r: { name: "a" } } },
      },
    });
    const { session } = await bench.planOnly();
    expect(session.plans.map(hasChanges)).toEqual([false]);
  });

  test("upgrades objects of an older schema, and refuses those of a newer one", async () => {
    const file = bench.statePath("main");
    const stored = await readFile(file, "utf8");
    const older = stored
      .replace('"schema_version": 1', '"schema_version": 0')
      .replace('"name": "a",\n            "note"', '"title": "a",\n            "note"');
    expect(older).toContain('"title": "a"');
    await writeFile(file, older);
    expect(await bench.planOnly()).toMatchObject({ plan: [], problems: [] });
    await writeFile(file, stored.replace('"schema_version": 1', '"schema_version": 2'));
    expect((await bench.planOnly()).problems).toEqual([
      "memory_thing.a: Resource instance managed by newer provider version",
    ]);
  });

  test("limits concurrent calls by the parallelism", async () => {
    await bench.synth({
      main: { resource: { memory_thing: { many: { count: 20, name: "n${count.index}" } } } },
    });
    await bench.apply({ parallelism: 3 });
    bench.world.mostUnderWay = 0;
    await bench.planOnly({ parallelism: 3 });
    expect(bench.world.mostUnderWay).toBe(3);
  });
});
