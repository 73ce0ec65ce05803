import { Bench } from "../engine/bench";
import { DEFERRED, stack, type Words } from "./deferral-stacks";

const MEMORY: Words = {
  resource: "memory_thing",
  data: "memory_reading",
  a: "memory_thing.a.name",
  b: "memory_thing.b.name",
  known: "a",
  take: (name) => ({ name }),
  bodies: (size) => ({ a: { name: "a", size }, b: { name: "b" } }),
};

describe("data sources that a changed resource defers", () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await Bench.open();
  });
  afterEach(() => bench.close());

  test("are those that refer to it directly, and those with conditions", async () => {
    await bench.synth({ main: { ...stack(MEMORY, 1), data: {} } });
    await bench.apply();
    await bench.synth({ main: stack(MEMORY, 1) });
    expect(await bench.planOnly()).toMatchObject({ plan: [], problems: [] });
    await bench.synth({ main: stack(MEMORY, 2) });
    const { plan } = await bench.planOnly();
    const pending = "read read_because_dependency_pending";
    expect(plan).toEqual([
      ...DEFERRED.map((name) =>
        name === "counted"
          ? `data.memory_reading.counted[0] ${pending}`
          : `data.memory_reading.${name} ${pending}`,
      ),
      "memory_thing.a update",
    ]);
  });

  test("are errors otherwise, if the provider is not configured yet", async () => {
    const reads = { provider: "memory.later", name: "a" };
    const later = (data: object) => ({
      provider: { memory: [{}, { alias: "later", world: "${memory_thing.a.id}" }] },
      resource: { memory_thing: { a: { name: "a" } } },
      data: { memory_reading: { r: data } },
    });
    await bench.synth({ main: later(reads) });
    expect((await bench.planOnly()).problems).toEqual([
      "data.memory_reading.r: Data source cannot be read yet",
    ]);
    await bench.synth({ main: later({ ...reads, depends_on: ["memory_thing.a"] }) });
    expect(await bench.planOnly()).toMatchObject({
      plan: ["data.memory_reading.r read read_because_dependency_pending", "memory_thing.a create"],
      problems: [],
    });
  });
});
