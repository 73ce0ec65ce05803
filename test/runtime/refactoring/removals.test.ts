import { Bench } from "../engine/bench";

let bench: Bench;
beforeEach(async () => {
  bench = await Bench.open();
  await bench.synth({
    main: {
      resource: {
        memory_thing: {
          a: { name: "a" },
          many: { name: "many", count: 2 },
          user: { name: "user", tags: { a: "${memory_thing.a.id}" } },
        },
      },
    },
  });
  await bench.apply();
  bench.world.calls.length = 0;
});
afterEach(() => bench.close());

const removed = (destroy?: boolean) => ({
  main: {
    removed: ["a", "many", "user"].map((name) => ({
      from: `memory_thing.${name}`,
      ...(destroy !== undefined && { lifecycle: { destroy } }),
    })),
  },
});

test("removes a resource from the state with destroy = false, and keeps the object", async () => {
  await bench.synth(removed(false));
  const { session, plan, problems } = await bench.planOnly();
  expect(plan).toEqual([
    "memory_thing.a forget delete_because_no_resource_config",
    "memory_thing.many[0] forget delete_because_no_resource_config",
    "memory_thing.many[1] forget delete_because_no_resource_config",
    "memory_thing.user forget delete_because_no_resource_config",
  ]);
  expect(problems).toEqual(["Some objects will no longer be managed by Terraform"]);
  expect(session.diagnostics[0]?.detail).toContain(
    "will not delete them:\n - memory_thing.a\n - memory_thing.many[0]\n",
  );
  const { stacks } = await bench.apply();
  expect(stacks[0]?.counts).toEqual({ import: 0, add: 0, change: 0, destroy: 0 });
  expect((await bench.state()).resources).toEqual([]);
  expect(bench.world.takeWrites()).toEqual([]);
  expect(bench.world.things.size).toBe(4);
  expect((await bench.planOnly()).plan).toEqual([]);
});

test.each([[true], [undefined]])("with destroy = %s it is destroyed", async (destroy) => {
  await bench.synth(removed(destroy));
  expect((await bench.planOnly()).plan).toHaveLength(4);
  await bench.apply();
  expect(bench.world.things.size).toBe(0);
});

test("destroys it in a destroy, and keeps it in the state with refresh-only", async () => {
  await bench.synth(removed(false));
  expect((await bench.planOnly({ mode: "refresh-only" })).plan).toEqual([]);
  await bench.apply({ mode: "refresh-only" });
  expect((await bench.state()).resources).toHaveLength(3);
  await bench.apply({ mode: "destroy" });
  expect(bench.world.things.size).toBe(0);
});

test("reports a resource that is still declared", async () => {
  await bench.synth({
    main: {
      resource: { memory_thing: { a: { name: "a" } } },
      removed: { from: "memory_thing.a", lifecycle: [{ destroy: false }] },
    },
  });
  expect((await bench.planOnly()).problems).toEqual(["removed[0]: Removed resource still exists"]);
});

test("removes a moved resource from the state by its new address", async () => {
  await bench.synth({
    main: {
      resource: { memory_thing: { many: { name: "many", count: 2 } } },
      moved: [{ from: "memory_thing.a", to: "memory_thing.b" }],
      removed: ["b", "user"].map((name) => ({
        from: `memory_thing.${name}`,
        lifecycle: { destroy: false },
      })),
    },
  });
  const { session, plan } = await bench.planOnly();
  expect(plan).toEqual([
    "memory_thing.b forget delete_because_no_move_target",
    "memory_thing.user forget delete_because_no_resource_config",
  ]);
  expect(session.plans[0]?.changes[0]?.previousAddress).toBe("memory_thing.a");
});
