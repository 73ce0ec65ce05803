import { Bench, type StackJson } from "../engine/bench";

const target = { mode: "destroy", targets: ["memory_thing.b"] } as const;
const request = { ...target, targets: [...target.targets] };

/** `b` refers to `a`; nothing refers to `other`. */
const stackOf = (b: object = {}, more: StackJson = {}): StackJson => ({
  resource: {
    memory_thing: {
      a: { name: "a" },
      b: { name: "b", tags: { a: "${memory_thing.a.id}" }, ...b },
      other: { name: "other" },
    },
  },
  ...more,
});

let bench: Bench;
beforeEach(async () => {
  bench = await Bench.open();
  await bench.synth({ main: stackOf() });
  await bench.apply();
  bench.world.calls.length = 0;
});
afterEach(() => bench.close());

test("reads a target and its dependencies once before it is destroyed, and nothing else", async () => {
  const { plan } = await bench.apply(request);
  expect(plan).toEqual(["memory_thing.b delete"]);
  expect(bench.world.calls).toEqual(["read a", "read b", "delete b"]);
});

test("reads nothing without a refresh", async () => {
  await bench.apply({ ...request, refresh: false });
  expect(bench.world.calls).toEqual(["delete b"]);
});

test("destroys nothing that is gone already", async () => {
  bench.world.things.delete(String(bench.world.named("b")?.id));
  const { plan } = await bench.planOnly(request);
  expect(plan).toEqual([]);
});

test("refuses the destroy if an object cannot be read", async () => {
  bench.world.fault = (operation, name) =>
    operation === "read" && name === "a" ? Promise.resolve("partial") : undefined;
  const { session, problems } = await bench.planOnly(request);
  expect(problems).toContain("memory_thing.a: The memory refused");
  expect(session.applicable).toBe(false);
});

test("refuses the destroy if the configuration cannot be planned", async () => {
  await bench.synth({ main: stackOf({ size: "${tonumber(memory_thing.a.name)}" }) });
  const { session, problems } = await bench.planOnly(request);
  expect(problems).toContain("memory_thing.b: Invalid function argument");
  expect(session.applicable).toBe(false);
  expect((await bench.planOnly({ ...request, refresh: false })).plan).toEqual([
    "memory_thing.b delete",
  ]);
});

test("destroys although conditions fail", async () => {
  const postcondition = { condition: '${self.name == "c"}', error_message: "This is no c." };
  await bench.synth({ main: stackOf({ lifecycle: { postcondition: [postcondition] } }) });
  const { plan, problems } = await bench.planOnly(request);
  expect(plan).toEqual(["memory_thing.b delete"]);
  expect(problems).toEqual(["Resource targeting is in effect"]);
});

test("destroys the target of a stack although that of another one is refused", async () => {
  const down = { resource: { memory_thing: { b: { name: "down" } } } };
  await bench.synth({ main: stackOf(), down });
  await bench.apply();
  await bench.synth({ main: stackOf({ size: "${tonumber(memory_thing.a.name)}" }), down });
  const { plan } = await bench.planOnly(request);
  expect(plan).toEqual(["memory_thing.b delete"]);
});

test("updates outputs of the target before the destroy", async () => {
  const output = { name: { value: "${memory_thing.b.name}" } };
  await bench.synth({ main: stackOf({}, { output }) });
  await bench.apply(request);
  expect((await bench.state()).outputs.name?.value).toBe("b");
});

describe("a destroy of everything", () => {
  const everything = { mode: "destroy" } as const;

  test("reads each object once", async () => {
    await bench.apply(everything);
    const calls = ["delete a", "delete b", "delete other", "read a", "read b", "read other"];
    expect([...bench.world.calls].sort()).toEqual(calls);
  });

  test("is refused if the configuration cannot be planned, unless it does not refresh", async () => {
    await bench.synth({ main: stackOf({ size: "${tonumber(memory_thing.a.name)}" }) });
    const { session, problems } = await bench.planOnly(everything);
    expect(problems).toContain("memory_thing.b: Invalid function argument");
    expect(session.applicable).toBe(false);
    expect((await bench.planOnly({ ...everything, refresh: false })).plan).toHaveLength(3);
  });

  test("has the outputs of other stacks as their states have them", async () => {
    const up = (value: string) => ({ output: { size: { value } } });
    const config = { path: bench.statePath("up") };
    const size = "${tonumber(data.terraform_remote_state.up.outputs.size)}";
    const down = {
      data: { terraform_remote_state: { up: { backend: "local", config } } },
      resource: { memory_thing: { d: { name: "down", size } } },
    };
    await bench.synth({ main: stackOf(), up: up("1"), down }, { down: ["up"] });
    await bench.apply();
    await bench.synth({ main: stackOf(), up: up("none"), down }, { down: ["up"] });
    const { plan, problems } = await bench.planOnly(everything);
    expect(problems).toEqual([]);
    expect(plan).toContain("memory_thing.d delete");
  });

  test("does not plan a stack without a state", async () => {
    const counted = { name: "n", count: "${length(memory_thing.m.id)}" };
    const never = { resource: { memory_thing: { m: { name: "m" }, n: counted } } };
    await bench.synth({ main: stackOf(), never });
    const { plan, problems } = await bench.planOnly(everything);
    expect(problems).toEqual([]);
    expect(plan).toHaveLength(3);
  });
});
