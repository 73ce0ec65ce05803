import { Bench } from "../engine/bench";

describe("lifecycle", () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await Bench.open();
  });
  afterEach(() => bench.close());

  const one = (body: object, lifecycle: object, more: object = {}) => ({
    main: { resource: { memory_thing: { a: { ...body, lifecycle } } }, ...more },
  });

  test.each([
    [["size"], {}, []],
    [["size", "revision"], {}, []],
    [["revision"], {}, ["memory_thing.a update"]],
    [["tags"], {}, ["memory_thing.a update"]],
    [["size", 'tags["x"]'], { tags: { x: "new", y: "same" } }, []],
    [["size", 'tags["x"]'], { tags: { x: "new", y: "new" } }, ["memory_thing.a update"]],
    [["size", 'tags["x"]'], { tags: { y: "same" } }, []],
    ["all", { name: "other", kind: "k", tags: {} }, []],
  ])("ignore_changes = %j with %j", async (ignored, changed, expected) => {
    const before = { name: "a", size: 1, tags: { x: "old", y: "same" } };
    await bench.synth(one(before, {}));
    await bench.apply();
    await bench.synth(one({ ...before, size: 2, ...changed }, { ignore_changes: ignored }));
    expect((await bench.planOnly()).plan).toEqual(expected);
  });

  test("keeps ignored values during other updates", async () => {
    await bench.synth(one({ name: "a", size: 1 }, {}));
    await bench.apply();
    await bench.synth(one({ name: "b", size: 9 }, { ignore_changes: ["size"] }));
    await bench.apply();
    expect(bench.world.named("b")?.size).toBe(1);
  });

  test("prevent_destroy forbids deletion and replacement", async () => {
    const guarded = { prevent_destroy: true };
    await bench.synth(one({ name: "a", kind: "k", count: 1 }, guarded));
    await bench.apply();
    const forbidden = ["memory_thing.a[0]: Instance cannot be destroyed"];
    await bench.synth(one({ name: "a", kind: "l", count: 1 }, guarded));
    expect((await bench.planOnly()).problems).toEqual(forbidden);
    await bench.synth(one({ name: "a", kind: "k", count: 0 }, guarded));
    expect((await bench.planOnly()).problems).toEqual(forbidden);
    await bench.synth(one({ name: "a", kind: "k", count: 1 }, guarded));
    expect((await bench.planOnly({ mode: "destroy" })).problems).toEqual(forbidden);
  });

  const triggered = (size: number, trigger: string, name = "a") => ({
    main: {
      resource: {
        memory_thing: {
          a: { name, size },
          b: { name: "b", lifecycle: { replace_triggered_by: [trigger] } },
        },
      },
    },
  });
  const replaced = "memory_thing.b delete-then-create replace_by_triggers";

  test.each([
    ["memory_thing.a", 2, "a", ["memory_thing.a update", replaced]],
    ["memory_thing.a.size", 2, "a", ["memory_thing.a update", replaced]],
    ["memory_thing.a.size", 1, "c", ["memory_thing.a update"]],
    ["memory_thing.a", 1, "a", []],
  ])("replace_triggered_by %s", async (trigger, size, name, expected) => {
    await bench.synth(triggered(1, trigger));
    await bench.apply();
    await bench.synth(triggered(size, trigger, name));
    expect((await bench.apply()).plan).toEqual(expected);
    expect((await bench.planOnly()).plan).toEqual([]);
  });

  test("replaces on request", async () => {
    await bench.synth(one({ name: "a" }, {}));
    await bench.apply();
    expect((await bench.planOnly({ replace: ["memory_thing.a"] })).plan).toEqual([
      "memory_thing.a delete-then-create replace_by_request",
    ]);
  });

  test("checks conditions before and after", async () => {
    const conditions = (limit: number) => ({
      precondition: { condition: `\${local.one < ${limit}}`, error_message: "not now" },
      postcondition: { condition: '${self.id != "id-1"}', error_message: "not this one" },
    });
    const locals = { locals: { one: 1 } };
    await bench.synth(one({ name: "a" }, conditions(0), locals));
    const { session, problems } = await bench.planOnly();
    expect(problems).toEqual(["memory_thing.a: Resource precondition failed"]);
    expect(session.diagnostics[0]?.detail).toBe("not now");
    await bench.synth(one({ name: "a" }, conditions(2), locals));
    expect((await bench.apply()).problems).toEqual([
      "memory_thing.a: Resource postcondition failed",
    ]);
    expect((await bench.state()).resources).toHaveLength(1);
  });
});
