import { Bench, type StackJson } from "../engine/bench";

const INCOMPLETE = "Resource targeting is in effect";

/** `base` ← `mid` ← `top`, three of `many`, and `alone`; outputs over one and over two of them. */
const THINGS = {
  base: { name: "base" },
  mid: { name: "mid", tags: { base: "${local.base}" } },
  top: { name: "top", tags: { mid: "${memory_thing.mid.id}" } },
  many: { name: "many-${count.index}", count: 3 },
  alone: { name: "alone" },
};
const LOCALS = { base: "${memory_thing.base.id}" };
const STACK: StackJson = {
  resource: { memory_thing: THINGS },
  locals: LOCALS,
  output: {
    mid: { value: "${memory_thing.mid.name}" },
    both: { value: "${memory_thing.mid.name} ${memory_thing.alone.name}" },
  },
};

let bench: Bench;
beforeEach(async () => {
  bench = await Bench.open();
  await bench.synth({ main: STACK });
});
afterEach(() => bench.close());

const planned = async (targets: string[], mode: "normal" | "destroy" = "normal") =>
  (await bench.planOnly({ targets, mode })).plan;

test.each([
  [["memory_thing.base"], ["memory_thing.base create"]],
  [
    ["memory_thing.mid"],
    ["memory_thing.base create", "memory_thing.mid create", "output.mid create"],
  ],
  [
    ["memory_thing.mid", "memory_thing.alone"],
    [
      "memory_thing.alone create",
      "memory_thing.base create",
      "memory_thing.mid create",
      "output.both create",
      "output.mid create",
    ],
  ],
  [
    ["memory_thing.many"],
    ["memory_thing.many[0] create", "memory_thing.many[1] create", "memory_thing.many[2] create"],
  ],
  [["memory_thing.many[1]"], ["memory_thing.many[1] create"]],
  [["module.elsewhere"], []],
])("targets %j", async (targets, expected) => {
  expect(await planned(targets)).toEqual(expected);
});

test("reads, applies and writes targets only, and keeps the rest of the state", async () => {
  await bench.apply();
  const before = await bench.state();
  const outside = bench.world.named("alone");
  if (!outside) throw new Error("no such thing");
  bench.world.things.set(String(outside.id), { ...outside, size: 9 });
  bench.world.calls.length = 0;
  const renamed = { ...THINGS, base: { name: "foundation" } };
  await bench.synth({ main: { resource: { memory_thing: renamed }, locals: LOCALS } });
  const { plan, problems, stacks } = await bench.apply({ targets: ["memory_thing.base"] });
  expect(plan).toEqual(["memory_thing.base update"]);
  expect(problems).toEqual([]);
  expect(bench.world.calls).toEqual(["read base", "update foundation"]);
  expect(stacks[0]?.counts).toEqual({ import: 0, add: 0, change: 1, destroy: 0 });
  const after = await bench.state();
  const others = ({ resources }: typeof after) => resources.filter(({ name }) => name !== "base");
  expect(others(after)).toEqual(others(before));
  expect(after.outputs).toEqual(before.outputs);
});

test("a destroy includes the dependents of a target", async () => {
  await bench.apply();
  expect(await planned(["memory_thing.mid"], "destroy")).toEqual([
    "memory_thing.mid delete",
    "memory_thing.top delete",
  ]);
  expect(await planned(["memory_thing.many[0]"], "destroy")).toEqual([
    "memory_thing.many[0] delete",
  ]);
  await bench.apply({ targets: ["memory_thing.base"], mode: "destroy" });
  expect([...bench.world.things.values()].map(({ name }) => name).sort()).toEqual([
    "alone",
    "many-0",
    "many-1",
    "many-2",
  ]);
  expect(Object.keys((await bench.state()).outputs)).toEqual(["both", "mid"]);
});

test("destroys an orphan only if it is targeted", async () => {
  await bench.apply();
  await bench.synth({ main: {} });
  expect(await planned(["memory_thing.alone"])).toEqual([
    "memory_thing.alone delete delete_because_no_resource_config",
  ]);
  expect(await planned(["memory_thing.many[2]"])).toEqual([
    "memory_thing.many[2] delete delete_because_no_resource_config",
  ]);
});

test("uses the stored values of instances that are not targeted", async () => {
  await bench.apply();
  const user = { name: '${join(",", memory_thing.many[*].name)}' };
  const resource = { memory_thing: { ...THINGS, user } };
  await bench.synth({ main: { resource, locals: LOCALS } });
  const { session } = await bench.planOnly({
    targets: ["memory_thing.many[0]", "memory_thing.user"],
  });
  const planned = session.plans[0]?.changes.find(({ name }) => name === "user");
  expect(planned?.after?.name).toBe("many-0,many-1,many-2");
});

test("includes what a target reads from another stack", async () => {
  const up = {
    resource: { memory_thing: { a: { name: "a" }, b: { name: "b" } } },
    output: { id: { value: "${memory_thing.a.id}", sensitive: true } },
  };
  const remote = (path: string) => ({
    data: { terraform_remote_state: { up: { backend: "local", config: { path } } } },
    resource: {
      memory_thing: {
        c: { name: "c", tags: { up: "${data.terraform_remote_state.up.outputs.id}" } },
      },
    },
  });
  await bench.synth({ up, down: remote(bench.statePath("up")) }, { down: ["up"] });
  expect(await planned(["memory_thing.c"])).toEqual([
    "memory_thing.a create",
    "output.id create",
    "memory_thing.c create",
  ]);
  await bench.apply();
  expect(await planned(["memory_thing.a"], "destroy")).toEqual([
    "memory_thing.a delete",
    "memory_thing.c delete",
  ]);
});

test("warns of an incomplete plan, and of targets without a match", async () => {
  const { session, problems } = await bench.planOnly({ targets: ["memory_thing.nobody"] });
  expect(problems).toEqual([INCOMPLETE, "Target matches nothing"]);
  expect(session.plans[0]?.complete).toBe(false);
  const { problems: none, session: whole } = await bench.planOnly();
  expect(none).toEqual([]);
  expect(whole.plans[0]?.complete).toBe(true);
});

test.each([
  [{ targets: ["foo bar"] }, 'Invalid target "foo bar"'],
  [{ targets: ["module"] }, 'Invalid target "module"'],
  [{ replace: ["module.x"] }, 'Invalid force-replace address "module.x"'],
  [{ replace: ["data.foo.x"] }, 'Invalid force-replace address "data.foo.x"'],
  [{ replace: ["memory_thing.mid"], mode: "destroy" }, "Unsupported plan mode"],
  [{ replace: ["memory_thing.mid"], mode: "refresh-only" }, "Unsupported plan mode"],
  [{ refresh: false, mode: "refresh-only" }, "Incompatible refresh options"],
] as const)("%j is refused before anything is read", async (options, expected) => {
  const { session, problems } = await bench.planOnly(structuredClone(options));
  expect(problems.filter((text) => text !== INCOMPLETE)).toEqual([expected]);
  expect(session.applicable).toBe(false);
});

test("requests replacements by the addresses of instances", async () => {
  await bench.apply();
  expect((await bench.planOnly({ replace: ["memory_thing.many[1]"] })).plan).toEqual([
    "memory_thing.many[1] delete-then-create replace_by_request",
  ]);
  const { plan, problems } = await bench.planOnly({ replace: ["memory_thing.many"] });
  expect(plan).toEqual([]);
  expect(problems).toEqual([
    "memory_thing.many: Incompletely-matched force-replace resource instance",
  ]);
  for (const nowhere of ["memory_thing.nobody", "memory_thing.many[7]"]) {
    const typo = await bench.planOnly({ replace: [nowhere] });
    expect(typo).toMatchObject({ plan: [], problems: ["Replacement matches nothing"] });
  }
});
