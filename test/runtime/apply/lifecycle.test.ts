import { Bench } from "../engine/bench";

describe("the lifecycle of a resource", () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await Bench.open();
  });
  afterEach(() => bench.close());

  const things = (resources: Record<string, unknown>) => ({
    main: { resource: { memory_thing: resources } },
  });

  test("creates it, keeps it, updates it and destroys it", async () => {
    await bench.synth(things({ a: { name: "a", tags: { k: "v" } } }));
    expect((await bench.apply()).plan).toEqual(["memory_thing.a create"]);
    expect(bench.world.takeWrites()).toEqual(["create a"]);

    const second = await bench.apply();
    expect(second.plan).toEqual([]);
    expect(bench.world.takeWrites()).toEqual([]);
    expect((await bench.state()).serial).toBe(1);

    await bench.synth(things({ a: { name: "a", tags: { k: "w" } } }));
    expect((await bench.apply()).plan).toEqual(["memory_thing.a update"]);
    expect(bench.world.named("a")).toMatchObject({ tags: { k: "w" }, revision: 2, id: "id-1" });

    await bench.synth(things({}));
    expect((await bench.apply()).plan).toEqual([
      "memory_thing.a delete delete_because_no_resource_config",
    ]);
    expect(bench.world.things.size).toBe(0);
    expect((await bench.state()).resources).toEqual([]);
  });
});
