import { Bench } from "../engine/bench";

describe("count and for_each", () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await Bench.open();
  });
  afterEach(() => bench.close());

  const repeated = (arguments_: object) => ({
    main: {
      resource: { memory_thing: { a: { name: "thing", ...arguments_ } } },
      output: {},
    },
  });

  test("count grows and shrinks at its end", async () => {
    await bench.synth(repeated({ count: 2, name: "n${count.index}" }));
    expect((await bench.apply()).plan).toEqual([
      "memory_thing.a[0] create",
      "memory_thing.a[1] create",
    ]);
    await bench.synth(repeated({ count: 3, name: "n${count.index}" }));
    expect((await bench.apply()).plan).toEqual(["memory_thing.a[2] create"]);
    await bench.synth(repeated({ count: 1, name: "n${count.index}" }));
    expect((await bench.apply()).plan).toEqual([
      "memory_thing.a[1] delete delete_because_count_index",
      "memory_thing.a[2] delete delete_because_count_index",
    ]);
    expect([...bench.world.things.values()].map(({ name }) => name)).toEqual(["n0"]);
  });

  test("for_each follows its keys", async () => {
    const each = (keys: string) =>
      repeated({ for_each: `\${toset([${keys}])}`, name: "${each.key}-${each.value}" });
    await bench.synth(each('"x", "y"'));
    await bench.apply();
    await bench.synth(each('"y", "z"'));
    expect((await bench.apply()).plan).toEqual([
      'memory_thing.a["x"] delete delete_because_each_key',
      'memory_thing.a["z"] create',
    ]);
    expect([...bench.world.things.values()].map(({ name }) => name)).toEqual(["y-y", "z-z"]);
  });

  test("references see a list with count, an object with for_each", async () => {
    await bench.synth({
      main: {
        resource: {
          memory_thing: {
            a: { count: 11, name: "a${count.index}" },
            b: { for_each: { k: 1, l: 2 }, name: "b${each.value}" },
            c: {
              name: "c",
              tags: {
                ids: '${join(",", memory_thing.a[*].name)}',
                one: "${memory_thing.a[10].name}",
                k: '${memory_thing.b["k"].name}',
              },
            },
          },
        },
      },
    });
    await bench.apply();
    expect(bench.world.named("c")?.tags).toEqual({
      ids: "a0,a1,a2,a3,a4,a5,a6,a7,a8,a9,a10",
      one: "a10",
      k: "b1",
    });
    expect((await bench.planOnly()).plan).toEqual([]);
  });

  test("moves the first object without a change when count is added or removed", async () => {
    await bench.synth(repeated({}));
    await bench.apply();
    bench.world.takeWrites();
    await bench.synth(repeated({ count: 1 }));
    const { session, plan } = await bench.planOnly();
    expect(plan).toEqual([]);
    expect(session.plans[0]?.changes).toMatchObject([
      { address: "memory_thing.a[0]", previousAddress: "memory_thing.a", action: "no-op" },
    ]);
    await bench.apply();
    expect((await bench.state()).resources[0]?.instances).toMatchObject([{ indexKey: 0 }]);
    await bench.synth(repeated({}));
    await bench.apply();
    expect((await bench.state()).resources[0]?.instances[0]).not.toHaveProperty("indexKey");
    expect(bench.world.takeWrites()).toEqual([]);
  });

  test("replaces all instances if the kind of keys changes", async () => {
    await bench.synth(repeated({ count: 1 }));
    await bench.apply();
    await bench.synth(repeated({ for_each: { k: "v" } }));
    expect((await bench.apply()).plan).toEqual([
      "memory_thing.a[0] delete delete_because_wrong_repetition",
      'memory_thing.a["k"] create',
    ]);
  });

  test("reports a repetition that is unknown before apply", async () => {
    await bench.synth({
      main: {
        resource: {
          memory_thing: {
            a: { name: "a" },
            b: { name: "b", count: "${length(memory_thing.a.id)}" },
            c: { name: "c", for_each: "${toset([memory_thing.a.id])}" },
          },
        },
      },
    });
    expect((await bench.planOnly()).problems).toEqual([
      "memory_thing.b: Invalid count argument",
      "memory_thing.c: Invalid for_each argument",
    ]);
  });

  test.each([
    [{ count: -1 }, "Invalid count argument"],
    [{ count: 1.5 }, "Invalid count argument"],
    [{ count: "many" }, "Invalid count argument"],
    [{ count: 100_001 }, "Invalid count argument"],
    [{ count: "${1e100}" }, "Invalid count argument"],
    [{ count: "${null}" }, "Invalid count argument"],
    [{ for_each: ["a"] }, "Invalid for_each argument"],
    [{ for_each: "a" }, "Invalid for_each argument"],
    [
      { for_each: '${toset([for p in setproduct(range(1000), range(101)) : join("-", p)])}' },
      "Invalid for_each set argument",
    ],
    [{ for_each: "${toset([1])}" }, "Invalid for_each set argument"],
    [{ for_each: '${toset(["a", null])}' }, "Invalid for_each set argument"],
  ])("%j is refused", async (arguments_, summary) => {
    await bench.synth(repeated(arguments_));
    expect((await bench.planOnly()).problems).toEqual([`memory_thing.a: ${summary}`]);
    expect(bench.world.calls).toEqual([]);
  });
});
