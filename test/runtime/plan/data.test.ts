import { Bench } from "../engine/bench";

describe("data sources", () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await Bench.open();
  });
  afterEach(() => bench.close());

  const reading = (size: number, data: object) => ({
    main: {
      resource: {
        memory_thing: {
          a: { name: "a", size },
          user: { name: "user", tags: { size: "${data.memory_reading.r.size}" } },
        },
      },
      data: { memory_reading: { r: data } },
    },
  });

  test("are read in the plan if no dependency changes, else in the apply", async () => {
    const data = { name: "a", depends_on: ["memory_thing.a"] };
    await bench.synth(reading(1, data));
    expect((await bench.apply()).plan).toEqual([
      "data.memory_reading.r read read_because_dependency_pending",
      "memory_thing.a create",
      "memory_thing.user create",
    ]);
    expect(bench.world.named("user")?.tags).toEqual({ size: "1" });
    bench.world.calls.length = 0;
    expect((await bench.planOnly()).plan).toEqual([]);
    expect(bench.world.calls).toContain("data a");

    await bench.synth(reading(2, data));
    expect((await bench.apply()).plan).toEqual([
      "data.memory_reading.r read read_because_dependency_pending",
      "memory_thing.a update",
      "memory_thing.user update",
    ]);
    expect(bench.world.named("user")?.tags).toEqual({ size: "2" });
  });

  test("are read in the apply if their arguments are unknown", async () => {
    await bench.synth({
      main: {
        resource: { memory_thing: { a: { name: "a" }, b: { name: "${memory_thing.a.id}" } } },
        data: {
          memory_reading: { r: { name: "${memory_thing.b.tags == null ? memory_thing.a.id : 1}" } },
        },
        output: { size: { value: "${data.memory_reading.r.size}" } },
      },
    });
    const { plan } = await bench.apply();
    expect(plan).toContain("data.memory_reading.r read read_because_config_unknown");
    const state = await bench.state();
    expect(state.outputs.size).toMatchObject({ value: 1, type: "number" });
    expect(state.resources.find(({ mode }) => mode === "data")).toMatchObject({
      instances: [{ attributes: { name: "id-1", size: 1 } }],
    });
  });

  test("end the plan if they cannot be read", async () => {
    await bench.synth(reading(1, { name: "nobody" }));
    expect((await bench.planOnly()).problems).toEqual(["data.memory_reading.r: No such thing"]);
  });

  test("are removed from the state without a block", async () => {
    await bench.synth(reading(1, { name: "a", depends_on: ["memory_thing.a"] }));
    await bench.apply();
    await bench.synth({
      main: {
        resource: {
          memory_thing: { a: { name: "a" }, user: { name: "user", tags: { size: "1" } } },
        },
      },
    });
    expect((await bench.apply()).plan).toEqual([]);
    expect((await bench.state()).resources.map(({ mode }) => mode)).toEqual(["managed", "managed"]);
  });
});
