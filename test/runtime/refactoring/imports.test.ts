import { Bench, type StackJson } from "../engine/bench";

let bench: Bench;
beforeEach(async () => {
  bench = await Bench.open();
  // Exists before any stack manages it.
  await bench.synth({
    main: { resource: { memory_thing: { x: { name: "one" }, y: { name: "two", size: 2 } } } },
  });
  await bench.apply();
  await bench.synth({
    main: {
      removed: ["x", "y"].map((name) => ({
        from: `memory_thing.${name}`,
        lifecycle: { destroy: false },
      })),
    },
  });
  await bench.apply();
  bench.world.calls.length = 0;
  bench.events.length = 0;
});
afterEach(() => bench.close());

const idOf = (name: string) => String(bench.world.named(name)?.id);

const stack = (memory_thing: StackJson, imports: unknown, more: StackJson = {}) => ({
  main: { resource: { memory_thing }, import: imports, ...more },
});

test("imports an object as configured without a change", async () => {
  await bench.synth(stack({ a: { name: "one" } }, [{ to: "memory_thing.a", id: idOf("one") }]));
  const { session, plan, problems } = await bench.planOnly();
  expect({ plan, problems }).toEqual({ plan: [], problems: [] });
  expect(session.plans[0]?.changes).toMatchObject([
    { address: "memory_thing.a", action: "no-op", importing: { id: idOf("one") } },
  ]);
  expect((await bench.state()).resources).toEqual([]);
  bench.events.length = 0;
  const { stacks } = await bench.apply();
  expect(stacks[0]?.counts).toEqual({ import: 1, add: 0, change: 0, destroy: 0 });
  expect(bench.world.takeWrites()).toEqual([]);
  expect(bench.events.map(({ type }) => type)).toEqual([
    "import_planned",
    "refresh_start",
    "refresh_complete",
    "import_apply_start",
    "import_apply_complete",
  ]);
  const [resource] = (await bench.state()).resources;
  expect(resource?.instances[0]?.attributes).toMatchObject({ name: "one", size: 1 });
  // The block may stay.
  expect((await bench.planOnly()).session.plans[0]?.changes[0]?.importing).toBeUndefined();
});

test("imports another object and updates or replaces it", async () => {
  await bench.synth(
    stack({ a: { name: "renamed" }, b: { name: "two", kind: "new" } }, [
      { to: "memory_thing.a", id: idOf("one") },
      { to: "memory_thing.b", id: idOf("two") },
    ]),
  );
  const { plan } = await bench.planOnly();
  expect(plan).toEqual([
    "memory_thing.a update",
    "memory_thing.b delete-then-create replace_because_cannot_update",
  ]);
  const { stacks } = await bench.apply();
  expect(stacks[0]?.counts).toEqual({ import: 2, add: 1, change: 1, destroy: 1 });
  expect([...bench.world.takeWrites()].sort()).toEqual([
    "create two",
    "delete two",
    "update renamed",
  ]);
});

test("keeps an imported object in the state if its update fails", async () => {
  await bench.synth(
    stack({ a: { name: "two", kind: "other" } }, [{ to: "memory_thing.a", id: idOf("two") }]),
  );
  const session = await bench.plan();
  bench.world.fault = (operation) =>
    operation === "delete" ? Promise.resolve("partial" as const) : undefined;
  const { stacks } = await session.apply();
  await session.close();
  expect(stacks[0]?.counts).toEqual({ import: 1, add: 0, change: 0, destroy: 0 });
  expect((await bench.state()).resources).toHaveLength(1);
});

test("imports several objects with for_each, by key and value", async () => {
  await bench.synth(
    stack(
      { a: { name: "${each.key}", size: '${each.key == "two" ? 2 : 1}', for_each: "${var.ids}" } },
      [{ for_each: "${var.ids}", to: "memory_thing.a[each.key]", id: "${each.value}" }],
      { variable: { ids: { default: { one: idOf("one"), two: idOf("two") } } } },
    ),
  );
  const { stacks, plan } = await bench.apply();
  expect(plan).toEqual([]);
  expect(stacks[0]?.counts.import).toBe(2);
});

test("takes an ID from another object if it is known", async () => {
  const imports = [{ to: "memory_thing.b", id: "${memory_thing.a.tags.other}" }];
  const b = { name: "two", size: 2 };
  await bench.synth(stack({ a: { name: "a", tags: { other: idOf("two") } }, b }, imports));
  expect((await bench.planOnly()).plan).toEqual(["memory_thing.a create"]);
  await bench.synth(
    stack({ a: { name: "a", tags: { other: "${null_resource.n.id}" } }, b }, imports, {
      resource: {
        null_resource: { n: {} },
        memory_thing: { a: { name: "a", tags: { other: "${null_resource.n.id}" } }, b },
      },
    }),
  );
  expect((await bench.planOnly()).problems).toEqual(["import[0]: Invalid import id argument"]);
});

test("imports nothing in a destroy, with refresh-only, or without a target", async () => {
  await bench.synth(
    stack({ a: { name: "one" }, b: { name: "b" } }, [{ to: "memory_thing.a", id: idOf("one") }]),
  );
  await bench.planOnly({ mode: "destroy" });
  await bench.planOnly({ mode: "refresh-only" });
  await bench.planOnly({ targets: ["memory_thing.b"] });
  expect(bench.world.calls).toEqual([]);
});

const counted = { a: { name: "a", count: 2 } };
const keyed = { a: { name: "a", for_each: { k: 1 } } };
test.each<[StackJson, unknown, string]>([
  [{}, { to: "memory_thing.a", id: "x" }, "Configuration for import target does not exist"],
  [{ a: { name: "a" } }, { to: "memory_thing.a[0]", id: "x" }, "Invalid import 'to' expression"],
  [counted, { to: "memory_thing.a", id: "x" }, "Invalid import 'to' expression"],
  [keyed, { to: "memory_thing.a", id: "x" }, "Invalid import 'to' expression"],
  [keyed, { to: "memory_thing.a[0]", id: "x" }, "Invalid import 'to' expression"],
  [keyed, { to: 'memory_thing.a["z"]', id: "x" }, "Configuration for import target does not exist"],
  [{ a: { name: "a" } }, { to: "memory_thing.a", id: "" }, "Invalid import id argument"],
  [{ a: { name: "a" } }, { to: "memory_thing.a", id: null }, "Invalid import id argument"],
  [
    { a: { name: "a" } },
    { to: "memory_thing.a", id: "${var.secret}" },
    "Invalid import id argument",
  ],
  [
    { a: { name: "a" } },
    [
      { to: "memory_thing.a", id: "x" },
      { to: "memory_thing.a", id: "y" },
    ],
    'Duplicate import configuration for "memory_thing.a"',
  ],
  [
    keyed,
    { for_each: ["x", "y"], to: 'memory_thing.a["k"]', id: "x" },
    "Invalid for_each argument",
  ],
  [
    { a: { name: "a" } },
    { to: "memory_thing.a", id: "nobody" },
    "Cannot import non-existent remote object",
  ],
])("%j with %j: %s", async (resources, imports, summary) => {
  await bench.synth(
    stack(resources, imports, { variable: { secret: { default: "s", sensitive: true } } }),
  );
  const { problems, session } = await bench.planOnly();
  expect(problems.map((text) => text.replace(/^(import\[\d\]|memory_thing\.a): /, ""))).toEqual([
    summary,
  ]);
  expect(session.applicable).toBe(false);
});
