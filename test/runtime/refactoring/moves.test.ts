import { Bench, type StackJson } from "../engine/bench";

let bench: Bench;
beforeEach(async () => {
  bench = await Bench.open();
});
afterEach(() => bench.close());

interface Move {
  from: string;
  to: string;
}

const things = (memory_thing: Record<string, StackJson>, moved: readonly Move[] = []) => ({
  main: { resource: { memory_thing }, moved },
});

/** The moves of a plan, `FROM → TO`, with their actions. */
async function moves(options: Parameters<Bench["plan"]>[0] = {}) {
  const { session, plan, problems } = await bench.planOnly(options);
  const moved = session.plans.flatMap(({ changes, drift }) =>
    (options.mode === "refresh-only" ? drift : changes).flatMap(({ address, previousAddress }) =>
      previousAddress === undefined ? [] : [`${previousAddress} → ${address}`],
    ),
  );
  return { moved, plan, problems };
}

const listed = async () =>
  (await bench.state()).resources.flatMap(({ type, name, instances }) =>
    instances.map(
      ({ indexKey }) =>
        `${type}.${name}${indexKey === undefined ? "" : `[${JSON.stringify(indexKey)}]`}`,
    ),
  );

test("a move changes no object, and the next plan is empty", async () => {
  await bench.synth(things({ a: { name: "a" } }));
  await bench.apply();
  bench.world.takeWrites();
  await bench.synth(
    things({ b: { name: "a" } }, [{ from: "memory_thing.a", to: "memory_thing.b" }]),
  );
  expect(await moves()).toEqual({
    moved: ["memory_thing.a → memory_thing.b"],
    plan: [],
    problems: [],
  });
  await bench.apply();
  expect(bench.world.takeWrites()).toEqual([]);
  expect(await listed()).toEqual(["memory_thing.b"]);
  expect((await moves()).moved).toEqual([]);
});

test.each<[string, StackJson, StackJson, Move[], string[]]>([
  [
    "a chain",
    { a: { name: "x" } },
    { c: { name: "x" } },
    [
      { from: "memory_thing.b", to: "memory_thing.c" },
      { from: "memory_thing.a", to: "memory_thing.b" },
    ],
    ["memory_thing.a → memory_thing.c"],
  ],
  [
    "from indices to keys",
    { a: { name: "x", count: 2 } },
    { a: { name: "x", for_each: { one: 1, two: 2 } } },
    [
      { from: "memory_thing.a[0]", to: 'memory_thing.a["one"]' },
      { from: "memory_thing.a[1]", to: 'memory_thing.a["two"]' },
    ],
    ['memory_thing.a[0] → memory_thing.a["one"]', 'memory_thing.a[1] → memory_thing.a["two"]'],
  ],
  [
    "a resource with all its instances",
    { a: { name: "x", count: 2 } },
    { b: { name: "x", count: 2 } },
    [{ from: "memory_thing.a", to: "memory_thing.b" }],
    ["memory_thing.a[0] → memory_thing.b[0]", "memory_thing.a[1] → memory_thing.b[1]"],
  ],
  [
    "a resource into an instance",
    { a: { name: "x" } },
    { b: { name: "x", for_each: { k: 1 } } },
    [{ from: "memory_thing.a", to: 'memory_thing.b["k"]' }],
    ['memory_thing.a → memory_thing.b["k"]'],
  ],
])("%s", async (_, before, after, moved, expected) => {
  await bench.synth(things(before as Record<string, StackJson>));
  await bench.apply();
  await bench.synth(things(after as Record<string, StackJson>, moved));
  expect((await moves()).moved).toEqual(expected);
});

test("moves without a block when count is added or removed, unless a block declares it", async () => {
  await bench.synth(things({ a: { name: "x" } }));
  await bench.apply();
  await bench.synth(things({ a: { name: "x", count: 2 } }));
  expect((await moves()).moved).toEqual(["memory_thing.a → memory_thing.a[0]"]);
  await bench.synth(
    things({ a: { name: "x", count: 2 } }, [{ from: "memory_thing.a", to: "memory_thing.a[1]" }]),
  );
  expect((await moves()).moved).toEqual(["memory_thing.a → memory_thing.a[1]"]);
});

test("does not move over an object: warns, and destroys the source", async () => {
  await bench.synth(things({ a: { name: "a" }, b: { name: "b" } }));
  await bench.apply();
  await bench.synth(
    things({ b: { name: "b" } }, [{ from: "memory_thing.a", to: "memory_thing.b" }]),
  );
  expect(await moves()).toEqual({
    moved: [],
    plan: ["memory_thing.a delete delete_because_no_resource_config"],
    problems: ["Unresolved resource instance address changes"],
  });
});

test("does not move to an address that another move frees later", async () => {
  await bench.synth(things({ a: { name: "a" }, b: { name: "b" } }));
  await bench.apply();
  await bench.synth(
    things({ c: { name: "b" } }, [
      { from: "memory_thing.b", to: "memory_thing.c" },
      { from: "memory_thing.a", to: "memory_thing.b" },
    ]),
  );
  // Terraform 1.11 plans the same.
  expect(await moves()).toEqual({
    moved: ["memory_thing.b → memory_thing.c"],
    plan: ["memory_thing.a delete delete_because_no_resource_config"],
    problems: ["Unresolved resource instance address changes"],
  });
});

test("destroys an object that moved to an undeclared address, with the reason", async () => {
  await bench.synth(things({ a: { name: "a" } }));
  await bench.apply();
  await bench.synth(things({}, [{ from: "memory_thing.a", to: "memory_thing.b" }]));
  expect((await moves()).plan).toEqual(["memory_thing.b delete delete_because_no_move_target"]);
});

test("updates the recorded dependencies, so that dependents are destroyed first", async () => {
  await bench.synth(
    things({ a: { name: "a" }, user: { name: "user", tags: { a: "${memory_thing.a.id}" } } }),
  );
  await bench.apply();
  bench.world.takeWrites();
  await bench.synth(things({}, [{ from: "memory_thing.a", to: "memory_thing.b" }]));
  await bench.apply();
  expect(bench.world.takeWrites()).toEqual(["delete user", "delete a"]);
});

test("a refresh-only plan shows moves, and its apply stores them", async () => {
  await bench.synth(things({ a: { name: "a" } }));
  await bench.apply();
  await bench.synth(
    things({ b: { name: "changed" } }, [{ from: "memory_thing.a", to: "memory_thing.b" }]),
  );
  expect((await moves({ mode: "refresh-only" })).moved).toEqual([
    "memory_thing.a → memory_thing.b",
  ]);
  await bench.apply({ mode: "refresh-only" });
  expect(await listed()).toEqual(["memory_thing.b"]);
});

test("requires targets for both addresses of a move", async () => {
  await bench.synth(things({ a: { name: "a" }, other: { name: "other" } }));
  await bench.apply();
  await bench.synth(
    things({ b: { name: "a" }, other: { name: "new" } }, [
      { from: "memory_thing.a", to: "memory_thing.b" },
    ]),
  );
  const { session, problems } = await bench.planOnly({ targets: ["memory_thing.b"] });
  expect(problems).toContain("Moved resource instances excluded by targeting");
  expect(session.diagnostics.at(-1)?.detail).toContain("\n  --target='memory_thing.a'\n\n");
  const covered = await bench.planOnly({ targets: ["memory_thing.a", "memory_thing.b"] });
  expect(covered.problems).toEqual(["Resource targeting is in effect"]);
  expect(covered.session.plans[0]?.changes).toHaveLength(1);
});

test("refuses to turn an object into one of a type that does not support it", async () => {
  await bench.synth(things({ a: { name: "a" } }));
  await bench.apply();
  const moved = [{ from: "memory_thing.a", to: "null_resource.a" }];
  await bench.synth({ main: { resource: { null_resource: { a: {} } }, moved } });
  const { problems } = await bench.planOnly();
  expect(problems.join()).toContain("Unable to move resource state");
  await bench.synth({ main: { moved } });
  const { problems: undeclared } = await bench.planOnly();
  expect(undeclared.join()).toContain("Move Resource State Not Supported");
});

test.each<[Move[], string, StackJson]>([
  [[{ from: "memory_thing.a", to: "memory_thing.a" }], "Redundant move statement", {}],
  [
    [{ from: "memory_thing.a", to: "memory_thing.b" }],
    "Moved object still exists",
    { a: { name: "a" } },
  ],
  [
    [{ from: "memory_thing.a[0]", to: "memory_thing.b" }],
    "Moved object still exists",
    { a: { name: "a", count: 1 } },
  ],
  [
    [
      { from: "memory_thing.a", to: "memory_thing.b" },
      { from: "memory_thing.a", to: "memory_thing.c" },
    ],
    "Ambiguous move statements",
    {},
  ],
  [
    [
      { from: "memory_thing.a", to: "memory_thing.c" },
      { from: "memory_thing.b", to: "memory_thing.c" },
    ],
    "Ambiguous move statements",
    {},
  ],
  [
    [
      { from: "memory_thing.a", to: "memory_thing.b" },
      { from: "memory_thing.b", to: "memory_thing.a" },
    ],
    "Cyclic dependency in move statements",
    {},
  ],
])("%j: %s", async (moved, summary, resources) => {
  await bench.synth(things(resources as Record<string, StackJson>, moved));
  const { problems, session } = await bench.planOnly();
  expect(problems.map((text) => text.replace(/^moved\[\d\]: /, ""))).toEqual([summary]);
  expect(session.applicable).toBe(false);
});
