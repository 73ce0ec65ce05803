import { mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Bench, summary, type StackJson } from "../engine/bench";

let bench: Bench;
beforeEach(async () => {
  bench = await Bench.open();
});
afterEach(() => bench.close());

const thing = (name: string, more: object = {}): StackJson => ({
  resource: { memory_thing: { t: { name, ...more } } },
  output: { id: { value: "${memory_thing.t.id}" } },
});

/** A stack that reads the output of another one. */
const reading = (name: string, up = "base", more: object = {}): StackJson => ({
  data: {
    terraform_remote_state: { up: { backend: "local", config: { path: bench.statePath(up) } } },
  },
  resource: {
    memory_thing: {
      t: { name, tags: { up: "${data.terraform_remote_state.up.outputs.id}" }, ...more },
    },
  },
});

const failing = (operation: string, name: string) => {
  bench.world.fault = (at, one) => {
    if (at === operation && one === name) throw new Error(`${name} is broken`);
    return undefined;
  };
};

const reasons = ({ excluded }: Awaited<ReturnType<Bench["plan"]>>) =>
  Object.fromEntries(
    excluded.map(({ stack, diagnostics }) => [stack, diagnostics.map((one) => one.summary)]),
  );

const destroy = { mode: "destroy" } as const;

async function destroyed(options: object = {}) {
  bench.world.takeWrites();
  const session = await bench.plan({ ...destroy, ...options });
  if (session.applicable) await session.apply();
  await session.close();
  return { reasons: reasons(session), writes: bench.world.takeWrites(), session };
}

describe("a destroy of several stacks, one of which fails", () => {
  beforeEach(async () => {
    await bench.synth(
      { base: thing("base"), good: reading("good"), bad: thing("bad") },
      { good: ["base"], bad: ["base"] },
    );
    await bench.apply();
  });

  test("destroys what does not need it, and keeps what it depends on", async () => {
    failing("read", "bad");
    const { reasons, writes } = await destroyed();
    expect(reasons).toEqual({
      base: ["Needed by an excluded stack"],
      bad: ["Internal provider error"],
    });
    expect(writes).toEqual(["delete good"]);
  });

  test("keeps what one that fails to be destroyed depends on", async () => {
    failing("delete", "bad");
    const { writes } = await destroyed({ refresh: false });
    expect([...writes].sort()).toEqual(["delete bad", "delete good"]);
    expect(bench.world.named("base")).toBeDefined();
  });

  test("destroys the dependents of one that fails", async () => {
    failing("read", "base");
    const { reasons, writes } = await destroyed();
    expect(reasons).toEqual({ base: ["Internal provider error"] });
    expect([...writes].sort()).toEqual(["delete bad", "delete good"]);
  });

  test("destroys the dependents of one with a locked state, whose outputs it reads", async () => {
    const holding = await bench.plan({ stacks: ["base"] });
    const counted = { count: "${length(data.terraform_remote_state.up.outputs.id) > 0 ? 1 : 0}" };
    await bench.synth({ base: thing("base"), good: reading("good", "base", counted) });
    const { reasons, writes } = await destroyed();
    expect(Object.keys(reasons)).toEqual(["base"]);
    expect(writes).toEqual(["delete good"]);
    await holding.close();
  });
});

describe("a destroy that leaves a dependent out", () => {
  const LEFT = "Stacks that depend on a destroyed stack are not selected";

  async function refusal(options: object = { stacks: ["base"] }) {
    const { session, problems } = await bench.planOnly({ ...destroy, ...options });
    return { problems, detail: String(session.diagnostics[0]?.detail) };
  }

  test.each<[string, Record<string, readonly string[]>]>([
    ["a declared one", { good: ["base"] }],
    ["one that reads its state", {}],
  ])("refuses it for %s with objects", async (_, dependencies) => {
    await bench.synth({ base: thing("base"), good: reading("good") }, dependencies);
    await bench.apply();
    const { problems, detail } = await refusal();
    expect(problems).toEqual([LEFT]);
    expect(detail).toContain("good has objects, and depends on base");
    expect(detail).toContain("--ignore-missing-stack-dependencies");
    const ignoring = { stacks: ["base"], ignoreMissingStackDependencies: true };
    expect((await refusal(ignoring)).problems).toEqual([]);
    expect((await refusal({})).problems).toEqual([]);
    await bench.apply({ ...destroy, stacks: ["good"] });
    expect((await refusal()).problems).toEqual([]);
  });

  test("takes a state that cannot be read for one with objects", async () => {
    await bench.synth({ base: thing("base"), good: reading("good") }, { good: ["base"] });
    await bench.apply();
    await writeFile(bench.statePath("good"), "{");
    expect((await refusal()).detail).toContain("good has a state that cannot be read");
  });

  test("lets the dependent be validated and destroyed without a refresh afterwards", async () => {
    await bench.synth({ base: thing("base"), good: reading("good") }, { good: ["base"] });
    await bench.apply();
    await bench.apply({ ...destroy, stacks: ["base"], ignoreMissingStackDependencies: true });
    const { session } = await bench.planOnly({ stacks: ["good"] });
    expect(session.diagnostics.map(({ detail }) => detail)).toEqual([
      expect.stringMatching(/state that data\.terraform_remote_state\.up reads has no such output/),
    ]);
    const blind = { ...destroy, stacks: ["good"], refresh: false };
    expect((await bench.planOnly(blind)).plan).toEqual(["memory_thing.t delete"]);
    await rm(bench.statePath("base"));
    expect((await bench.planOnly({ ...destroy, stacks: ["good"] })).problems).toEqual([
      "data.terraform_remote_state.up: No state to read from",
    ]);
    expect((await bench.apply(blind)).plan).toEqual(["memory_thing.t delete"]);
  });
});

describe("two stacks with one state", () => {
  const at = (path: string) => ({ terraform: { backend: { local: { path } } } });

  test.each<[string, () => Promise<readonly [string, string]>]>([
    ["the same path", () => Promise.resolve(["x.tfstate", "x.tfstate"])],
    [
      "paths through a link",
      async () => {
        await mkdir(join(bench.outDir, "real"));
        await symlink("real", join(bench.outDir, "link"));
        return ["real/x.tfstate", "link/x.tfstate"];
      },
    ],
  ])("are refused before anything is read: %s", async (_, paths) => {
    const [one, two] = (await paths()).map((path) => join(bench.outDir, path));
    await bench.synth({
      one: { ...thing("one"), ...at(one ?? "") },
      two: { ...thing("two"), ...at(two ?? "") },
    });
    const { session, problems } = await bench.planOnly();
    expect(problems).toEqual(["Stacks with one state"]);
    expect(session.diagnostics[0]?.detail).toContain('"one", "two"');
    expect(bench.world.calls).toEqual([]);
    expect((await bench.planOnly({ stacks: ["one"] })).problems).toEqual([]);
  });
});

test("a plan reads an output as the state will have it", async () => {
  const output = {
    nothing: { value: null },
    big: { value: "${1/3}" },
    set: { value: '${toset(["b", "a"])}' },
  };
  const down = (value: string): StackJson => ({
    ...reading("down"),
    resource: { terraform_data: { d: { input: value } } },
  });
  const read = (name: string) => `\${data.terraform_remote_state.up.outputs.${name}}`;
  await bench.synth({ base: { ...thing("base"), output }, down: down(read("nothing")) });
  expect((await bench.planOnly()).problems).toEqual(["terraform_data.d: Unsupported attribute"]);
  for (const name of ["big", "set"]) {
    await bench.synth({ base: { ...thing("base"), output }, down: down(read(name)) });
    await bench.apply();
    expect((await bench.planOnly({ stacks: ["down"] })).plan).toEqual([]);
    expect(summary((await bench.planOnly()).session.plans)).toEqual([]);
    expect(await readFile(bench.statePath("down"), "utf8")).toContain('"sensitive_attributes": []');
  }
});
