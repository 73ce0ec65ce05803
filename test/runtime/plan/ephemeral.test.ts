import { setTimeout as sleep } from "node:timers/promises";
import { Bench, type StackJson } from "../engine/bench";

let bench: Bench;
beforeEach(async () => {
  bench = await Bench.open();
});
afterEach(() => bench.close());

const SECRET = "key of seed";

const stack = (memory_thing: StackJson, memory_key: StackJson, more: StackJson = {}) =>
  bench.synth({ main: { resource: { memory_thing }, ephemeral: { memory_key }, ...more } });

const calls = () => bench.world.calls.splice(0);

test("is opened when it is needed, closed at the end, and in no plan and no state", async () => {
  await stack(
    { a: { name: "a", secret: "${local.key}" } },
    { k: { seed: "seed" } },
    { locals: { key: "${ephemeral.memory_key.k.value}" } },
  );
  const planned = await bench.planOnly();
  expect(planned).toMatchObject({ plan: ["memory_thing.a create"], problems: [] });
  expect(JSON.stringify(planned.session.plans)).not.toContain(SECRET);
  expect(calls()).toEqual(["open seed", 'close "seed"']);

  expect((await bench.apply()).problems).toEqual([]);
  expect(calls()).toEqual(["open seed", "create a", 'close "seed"']);
  expect(bench.world.secrets.get("a")).toBe(SECRET);
  expect(JSON.stringify(await bench.state())).not.toContain(SECRET);
  expect(bench.events.map(({ type }) => type).slice(-2)).toEqual([
    "ephemeral_op_start",
    "ephemeral_op_complete",
  ]);
});

test("is opened in the apply while its configuration is unknown", async () => {
  await stack(
    { a: { name: "a" }, b: { name: "b", secret: "${ephemeral.memory_key.k.value}" } },
    { k: { seed: "${memory_thing.a.id}" } },
  );
  expect((await bench.planOnly()).problems).toEqual([]);
  expect(calls()).toEqual([]);
  await bench.apply();
  expect(calls()).toEqual(["create a", "open id-1", "create b", 'close "id-1"']);
  expect(bench.world.secrets.get("b")).toBe("key of id-1");
});

test("opens each of its instances, by key", async () => {
  await stack(
    { a: { name: "a", secret: '${ephemeral.memory_key.k["y"].value}' } },
    { k: { seed: "${each.key}", for_each: { x: 1, y: 2 } } },
  );
  await bench.apply();
  expect(calls().sort()).toEqual(['close "x"', 'close "y"', "create a", "open x", "open y"]);
  expect(bench.world.secrets.get("a")).toBe("key of y");
});

test("configures a provider, in a destroy too", async () => {
  const provider = {
    memory: [{}, { alias: "other", token: "${ephemeral.memory_key.k.value}" }],
  };
  await stack(
    { a: { name: "a", provider: "memory.other" } },
    { k: { seed: "seed" } },
    { provider },
  );
  await bench.apply();
  calls();
  await bench.apply({ mode: "destroy" });
  const before = ["open seed", "read a", 'close "seed"'];
  expect(calls()).toEqual([...before, "open seed", "delete a", 'close "seed"']);
});

test("is opened by the plan before a destroy, and by the destroy only for a provider", async () => {
  await stack({ a: { name: "a" } }, { k: { seed: "seed" } });
  await bench.apply();
  calls();
  await bench.apply({ mode: "destroy" });
  expect(calls()).toEqual(["read a", "open seed", 'close "seed"', "delete a"]);
});

test("is renewed while it is open", async () => {
  await stack({ a: { name: "a" } }, { k: { seed: "short" } });
  const session = await bench.plan();
  while (!bench.world.calls.includes('renew "short"')) await sleep(1);
  await session.close();
  expect(calls()).toEqual(["open short", 'renew "short"', 'close "short"']);
});

test("skips its dependents if it cannot be opened", async () => {
  bench.world.fault = (operation) =>
    operation === "open" ? Promise.resolve("partial" as const) : undefined;
  await stack(
    { a: { name: "a", secret: "${ephemeral.memory_key.k.value}" } },
    { k: { seed: "seed" } },
  );
  const { problems, plan } = await bench.planOnly();
  expect(problems).toEqual(["ephemeral.memory_key.k: The memory refused"]);
  expect(plan).toEqual([]);
});

test.each<[string, StackJson, string]>([
  [
    "what is stored",
    { resource: { memory_thing: { a: { name: "${ephemeral.memory_key.k.value}" } } } },
    "memory_thing.a: Invalid use of ephemeral value",
  ],
  [
    "an output",
    { output: { o: { value: "${ephemeral.memory_key.k.value}" } } },
    "output.o: Ephemeral value not allowed",
  ],
  [
    "an ephemeral output",
    { output: { o: { value: "${ephemeral.memory_key.k.value}", ephemeral: true } } },
    "output.o: Ephemeral output not allowed",
  ],
  [
    "the number of instances",
    {
      resource: {
        memory_thing: { a: { name: "a", count: "${length(ephemeral.memory_key.k.value)}" } },
      },
    },
    "memory_thing.a: Invalid count argument",
  ],
  [
    "another name",
    { resource: { memory_thing: { a: { name: "a", secret: "${ephemeral.memory_key.z.value}" } } } },
    "memory_thing.a: Reference to undeclared resource",
  ],
  [
    "another attribute",
    { resource: { memory_thing: { a: { name: "a", secret: "${ephemeral.memory_key.k.nope}" } } } },
    "memory_thing.a: Unsupported attribute",
  ],
  [
    "another type",
    { ephemeral: { memory_lock: { k: {} }, memory_key: { k: { seed: "s" } } } },
    "ephemeral.memory_lock.k: Invalid ephemeral resource",
  ],
  [
    "an unknown argument",
    { ephemeral: { memory_key: { k: { seed: "s", sead: "t" } } } },
    "ephemeral.memory_key.k: Unsupported argument",
  ],
  [
    "no argument",
    { ephemeral: { memory_key: { k: {} } } },
    "ephemeral.memory_key.k: Missing required argument",
  ],
])("%s is refused before anything is opened", async (_, more, problem) => {
  await bench.synth({ main: { ephemeral: { memory_key: { k: { seed: "seed" } } }, ...more } });
  const { problems } = await bench.planOnly();
  expect(problems).toContain(problem);
  expect(calls()).toEqual([]);
});
