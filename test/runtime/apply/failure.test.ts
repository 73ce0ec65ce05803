import { FileJournal } from "../../../src/backends/journal";
import { Bench } from "../engine/bench";

describe("failures", () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await Bench.open();
  });
  afterEach(() => bench.close());

  const THREE = {
    main: {
      resource: {
        memory_thing: {
          first: { name: "first" },
          second: { name: "second", tags: { of: "${memory_thing.first.id}" } },
          other: { name: "other" },
        },
      },
      output: {
        other: { value: "${memory_thing.other.id}" },
        first: { value: "${memory_thing.second.id}" },
      },
    },
  };

  test("a failed create skips its dependents only, and the next run continues", async () => {
    await bench.synth(THREE);
    bench.world.fault = (operation, name) => {
      if (operation === "create" && name === "first") throw new Error("no luck");
      return undefined;
    };
    const { problems, stacks } = await bench.apply();
    expect(problems).toEqual(["memory_thing.first: Internal provider error"]);
    expect(stacks[0]?.counts).toEqual({ import: 0, add: 1, change: 0, destroy: 0 });
    expect([...bench.world.takeWrites()].sort()).toEqual(["create first", "create other"]);
    const state = await bench.state();
    expect(state.resources.map(({ name }) => name)).toEqual(["other"]);
    expect(Object.keys(state.outputs)).toEqual(["other"]);

    bench.world.fault = () => undefined;
    expect((await bench.apply()).plan).toEqual([
      "memory_thing.first create",
      "memory_thing.second create",
      "output.first create",
    ]);
    expect((await bench.planOnly()).plan).toEqual([]);
  });

  test("a create that fails midway leaves a tainted object, which is replaced", async () => {
    await bench.synth(THREE);
    bench.world.fault = (operation, name) =>
      operation === "create" && name === "first" ? Promise.resolve("partial") : undefined;
    await bench.apply();
    const first = (await bench.state()).resources.find(({ name }) => name === "first");
    expect(first?.instances).toMatchObject([{ status: "tainted", attributes: { id: "id-1" } }]);

    bench.world.fault = () => undefined;
    bench.world.takeWrites();
    expect((await bench.apply()).plan).toContain(
      "memory_thing.first delete-then-create replace_because_tainted",
    );
    expect(bench.world.takeWrites()).toEqual(["delete first", "create first", "create second"]);
  });

  test("a checkpoint survives a later failure, and its object is read, not replaced", async () => {
    await bench.synth({
      main: { resource: { memory_thing: { a: { name: "checkpointed" } } } },
    });
    bench.world.fault = () => {
      throw new Error("no luck");
    };
    await bench.apply();
    const [resource] = (await bench.state()).resources;
    const [instance] = resource?.instances ?? [];
    expect(instance).toMatchObject({ attributes: { id: "id-1" } });
    expect(instance?.status).toBeUndefined();
    expect(JSON.parse(Buffer.from(instance?.private ?? []).toString())).toEqual({
      checkpoint: true,
    });
    bench.world.fault = () => undefined;
    // It was not created after all.
    expect((await bench.apply()).plan).toEqual(["memory_thing.a create"]);
    expect((await bench.apply()).plan).toEqual([]);
  });

  test("a failed refresh ends the plan with an error for each resource", async () => {
    await bench.synth(THREE);
    await bench.apply();
    bench.world.fault = (operation) =>
      operation === "read" ? Promise.resolve("partial") : undefined;
    const { session, problems } = await bench.planOnly();
    expect(session.applicable).toBe(false);
    // Dependents of a resource that cannot be read are not read.
    expect([...problems].sort()).toEqual([
      "memory_thing.first: The memory refused",
      "memory_thing.other: The memory refused",
    ]);
  });

  test("starts nothing new when the journal cannot be written, and stores the state", async () => {
    await bench.synth(THREE);
    const append = jest.spyOn(FileJournal.prototype, "append");
    bench.world.fault = (operation, name) => {
      if (operation === "create" && name === "first") {
        append.mockRejectedValue(new Error("no space left on device"));
      }
      return undefined;
    };
    const { problems } = await bench.apply({ parallelism: 1 });
    append.mockRestore();
    expect(problems).toEqual(["Journal cannot be written"]);
    expect(bench.world.takeWrites()).toEqual(["create first"]);
    expect((await bench.state()).resources.map(({ name }) => name)).toEqual(["first"]);
  });

  test("a failed apply leaves neither a lock nor a journal", async () => {
    await bench.synth(THREE);
    bench.world.fault = () => {
      throw new Error("no luck");
    };
    await bench.apply();
    expect((await bench.planOnly()).problems).toEqual([]);
  });
});
