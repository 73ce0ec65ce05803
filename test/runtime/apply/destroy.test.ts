import { Bench } from "../engine/bench";

describe("destroy", () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await Bench.open();
  });
  afterEach(() => bench.close());

  test("removes everything in reverse order, with outputs and data", async () => {
    await bench.synth({
      main: {
        locals: { broken: "${memory_thing.base.tags.x}" },
        resource: {
          memory_thing: {
            base: { name: "base", tags: { x: "y" } },
            user: { name: "user", depends_on: ["memory_thing.base"], count: 2 },
          },
        },
        data: { memory_reading: { r: { name: "base", depends_on: ["memory_thing.base"] } } },
        output: { id: { value: "${memory_thing.base.id}" } },
      },
    });
    await bench.apply();
    bench.world.takeWrites();
    const { plan, stacks } = await bench.apply({ mode: "destroy" });
    expect(plan).toEqual([
      "memory_thing.base delete",
      "memory_thing.user[0] delete",
      "memory_thing.user[1] delete",
      "output.id delete",
    ]);
    expect(stacks[0]?.counts).toEqual({ import: 0, add: 0, change: 0, destroy: 3 });
    expect(bench.world.takeWrites()).toEqual(["delete user", "delete user", "delete base"]);
    expect(await bench.state()).toMatchObject({ resources: [], outputs: {} });
  });

  test("destroys with a provider that is configured by a destroyed resource", async () => {
    bench.worlds.set("id-1", bench.world);
    await bench.synth({
      main: {
        provider: { memory: [{}, { alias: "late", world: "${memory_thing.a.id}" }] },
        resource: {
          memory_thing: { a: { name: "a" }, b: { provider: "memory.late", name: "b" } },
        },
      },
    });
    await bench.apply();
    bench.world.takeWrites();
    const { problems } = await bench.apply({ mode: "destroy" });
    expect(problems).toEqual([]);
    expect(bench.world.takeWrites()).toEqual(["delete b", "delete a"]);
  });

  test("keeps a resource that cannot be destroyed, and its dependencies", async () => {
    await bench.synth({
      main: {
        resource: {
          memory_thing: {
            base: { name: "base" },
            user: { name: "user", depends_on: ["memory_thing.base"] },
            other: { name: "other" },
          },
        },
      },
    });
    await bench.apply();
    bench.world.fault = (operation, name) =>
      operation === "delete" && name === "user" ? Promise.resolve("partial") : undefined;
    const { problems } = await bench.apply({ mode: "destroy" });
    expect(problems).toEqual(["memory_thing.user: The memory refused"]);
    expect((await bench.state()).resources.map(({ name }) => name)).toEqual(["base", "user"]);
  });

  test("destroys nothing in a stack that was never applied", async () => {
    await bench.synth({ main: { resource: { memory_thing: { a: { name: "a" } } } } });
    expect((await bench.planOnly({ mode: "destroy" })).plan).toEqual([]);
  });
});
