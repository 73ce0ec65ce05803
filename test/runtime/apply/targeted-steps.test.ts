import { Bench, type StackJson } from "../engine/bench";

const MANY = { name: "many-${count.index}", count: 3 };
const stackOf = (things: object, more: StackJson = {}): StackJson => ({
  resource: { memory_thing: things },
  ...more,
});

let bench: Bench;
beforeEach(async () => {
  bench = await Bench.open();
});
afterEach(() => bench.close());

/** Applies a stack with targets. Returns the planned addresses, and what was written. */
async function applied(stack: StackJson, ...targets: readonly string[]) {
  await bench.synth({ main: stack });
  const { plan, problems } = await bench.apply({ targets });
  expect(problems).toEqual([]);
  return { plan, written: [...bench.world.takeWrites()].sort() };
}

test("applies the instances that a reference of a target names, of all that are planned", async () => {
  const user = { name: "user", tags: { one: "${memory_thing.many[1].id}" } };
  const { plan, written } = await applied(stackOf({ many: MANY, user }), "memory_thing.user");
  expect(plan).toHaveLength(4);
  expect(written).toEqual(["create many-1", "create user"]);
});

test("applies all instances that a target refers to as a whole", async () => {
  const user = { name: "user", tags: { all: '${join(",", memory_thing.many[*].id)}' } };
  const { written } = await applied(stackOf({ many: MANY, user }), "memory_thing.user");
  expect(written).toEqual(["create many-0", "create many-1", "create many-2", "create user"]);
});

test("applies what a target refers to through locals", async () => {
  const user = { name: "user", tags: { one: "${local.one}" } };
  const locals = { one: "${memory_thing.many[2].id}" };
  const { written } = await applied(stackOf({ many: MANY, user }, { locals }), "memory_thing.user");
  expect(written).toContain("create many-2");
});

test("destroys an object that is replaced first if its replacement is targeted alone", async () => {
  const things = (kind: string) => ({
    base: { name: "base", kind, lifecycle: { create_before_destroy: true } },
    user: { name: "user", tags: { base: "${memory_thing.base.id}" } },
  });
  await bench.synth({ main: stackOf(things("old")) });
  await bench.apply();
  bench.world.takeWrites();
  const dependency = await applied(stackOf(things("new")), "memory_thing.user");
  expect(dependency.written).toEqual(["create base", "update user"]);
  const left = (await bench.state()).resources.find(({ name }) => name === "base");
  expect(left?.instances.map(({ deposed }) => deposed !== undefined).sort()).toEqual([false, true]);
  const rest = await applied(stackOf(things("new")), "memory_thing.base");
  expect(rest.written).toEqual(["delete base"]);
});

test("stores outputs of which all objects are applied, and no others", async () => {
  const output = {
    first: { value: "${memory_thing.a.id}" },
    both: { value: "${memory_thing.a.id} ${memory_thing.b.id}" },
  };
  const things = { a: { name: "a" }, b: { name: "b" } };
  await applied(stackOf(things, { output }), "memory_thing.a");
  expect(Object.keys((await bench.state()).outputs)).toEqual(["first"]);
});
