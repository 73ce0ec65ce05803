import { join } from "node:path";
import { Bench, type StackJson } from "../engine/bench";

let bench: Bench;
beforeEach(async () => {
  bench = await Bench.open();
});
afterEach(() => bench.close());

const UP = { output: { name: { value: "${terraform.workspace}" } } };

/** A stack with a thing that is named after the outputs of others. */
function down(up: object, name: string, more: StackJson = {}): StackJson {
  return {
    data: { terraform_remote_state: { up: { backend: "local", ...up } } },
    resource: { memory_thing: { d: { name } } },
    ...more,
  };
}

const OUTPUT = "${data.terraform_remote_state.up.outputs.name}";

async function problemsOf(up: object, more: StackJson = {}) {
  await bench.synth({ down: down(up, "d", more) });
  const { session } = await bench.planOnly();
  expect(bench.world.calls).toEqual([]);
  return session.diagnostics.map(({ address, summary, detail }) => [address, summary, detail]);
}

test.each<[string, object, string, RegExp]>([
  [
    "another backend",
    { backend: "consul" },
    "Backend not supported",
    /reads a state from a backend that this program does not have/,
  ],
  ["a missing backend", { backend: undefined }, "Missing required argument", /"backend"/],
  [
    "an unknown argument",
    { wrkspace: "x", config: { path: "p" } },
    "Unsupported argument",
    /Did you mean "workspace"\?/,
  ],
  [
    "an unknown setting",
    { config: { path: "p", foo: 1 } },
    "Invalid backend configuration",
    /unexpected attribute "foo"/,
  ],
  ["no object", { config: "x" }, "Invalid backend configuration", /an object is required/],
  ["an empty path", { config: { path: "" } }, "Invalid local state file path", /not be empty/],
  ["a list", { config: { path: [] } }, "Invalid backend configuration", /a string is required/],
  ["defaults", { defaults: "x" }, "Invalid default values", /an object value/],
  [
    "a workspace",
    { workspace: [] },
    "Incorrect attribute value type",
    /"workspace": string required/,
  ],
  [
    "an unknown workspace",
    { workspace: "${memory_thing.d.id}" },
    "Remote state not known before the plan",
    /"workspace" of data\.terraform_remote_state\.up must be known before the plan/,
  ],
  [
    "an unknown count",
    { count: "${length(memory_thing.d.id)}" },
    "Remote state not known before the plan",
    /"count"/,
  ],
  ["no state", { config: { path: "none" } }, "No state to read from", /none/],
  ["no state in a workspace", { workspace: "x" }, "No state to read from", /\.d\/x\/terraform/],
])("refuses %s before anything is read", async (_, up, summary, detail) => {
  expect(await problemsOf(up)).toEqual([
    ["data.terraform_remote_state.up", summary, expect.stringMatching(detail)],
  ]);
});

test("names the instance whose state is missing", async () => {
  const problems = await problemsOf({
    for_each: { a: "one", b: "two" },
    config: { path: "${each.value}.tfstate" },
  });
  expect(problems.map(([address]) => address)).toEqual([
    'data.terraform_remote_state.up["a"]',
    'data.terraform_remote_state.up["b"]',
  ]);
});

test("a local value that refers to itself is a cycle, not a crash", async () => {
  const locals = { a: "${local.b}", b: "${local.a}" };
  const problems = await problemsOf({ workspace: "${local.a}" }, { locals });
  expect(problems.map(([, summary]) => summary)).toContain("Cycle");
});

test("so is one in a stack whose state is read", async () => {
  await bench.synth({ up: UP });
  await bench.apply();
  const locals = { a: "${local.b}", b: "${local.a}" };
  const output = { name: { value: "${local.a}", sensitive: true } };
  const config = { path: bench.statePath("up") };
  await bench.synth({ up: { locals, output }, down: down({ config }, OUTPUT) });
  expect((await bench.planOnly({ stacks: ["down"] })).problems).toEqual([]);
});

describe("with a selected workspace", () => {
  beforeEach(() => {
    bench.environment = { ...bench.environment, TF_WORKSPACE: "stage" };
  });

  test("reads the plan of a stack in the same workspace", async () => {
    const directory = join(bench.outDir, "stacks/up");
    const config = { path: "unused", workspace_dir: join(directory, "terraform.tfstate.d") };
    const up = { config, workspace: "${terraform.workspace}" };
    await bench.synth({ up: UP, down: down(up, OUTPUT) }, { down: ["up"] });
    expect((await bench.apply()).plan).toEqual(["output.name create", "memory_thing.d create"]);
    expect(bench.world.named("stage")).toBeDefined();
  });

  test("says that the default one has no state", async () => {
    const config = { path: bench.statePath("up") };
    await bench.synth({ up: UP, down: down({ config }, OUTPUT) }, { down: ["up"] });
    const { session } = await bench.planOnly();
    expect(session.diagnostics.map(({ detail }) => detail)).toEqual([
      expect.stringMatching(
        /stack "up" in the workspace "default", which does not exist\. The workspace "stage" is sel/,
      ),
    ]);
  });
});

test("several instances read the plans of several stacks", async () => {
  const config = { path: join(bench.outDir, "terraform.${each.key}.tfstate") };
  const up = { for_each: '${toset(["one", "two"])}', config };
  const name = '${join("-", [for one in data.terraform_remote_state.up : one.outputs.id])}';
  const other = (text: string) => ({
    resource: { memory_thing: { u: { name: text } } },
    output: { id: { value: "${memory_thing.u.name}" } },
  });
  await bench.synth({ down: down(up, name), one: other("1"), two: other("2") });
  await bench.apply();
  // The two have no order between them; the third waits for both.
  const [first, second, last] = bench.world.takeWrites();
  expect([first, second].sort()).toEqual(["create 1", "create 2"]);
  expect(last).toBe("create 1-2");
  // Without the others, their states are read.
  expect((await bench.planOnly({ stacks: ["down"] })).plan).toEqual([]);
});

describe("a check that reads another stack", () => {
  const checked = (up: string) => ({
    resource: { memory_thing: { d: { name: "d" } } },
    check: {
      named: {
        data: { terraform_remote_state: { up: { backend: "local", config: { path: up } } } },
        assert: [{ condition: `\${${OUTPUT.slice(2, -1)} == "default"}`, error_message: "no" }],
      },
    },
  });
  const results = async () => {
    const { checkResults } = await bench.state("down");
    return (checkResults as readonly { status: string }[]).map(({ status }) => status);
  };

  test("passes in the apply of both, and alone", async () => {
    await bench.synth({ up: UP, down: checked(bench.statePath("up")) }, { down: ["up"] });
    await bench.apply();
    expect(await results()).toEqual(["pass"]);
    expect((await bench.planOnly({ stacks: ["down"] })).plan).toEqual([]);
  });

  test("is not evaluated if a change of its stack fails, as Terraform reads it after all changes", async () => {
    await bench.synth({ up: UP, down: checked(bench.statePath("up")) }, { down: ["up"] });
    bench.world.fault = (operation) => {
      throw new Error(`no ${operation}`);
    };
    await bench.apply();
    expect(await results()).toEqual(["unknown"]);
  });

  test("warns and fails where its state is missing, and keeps nothing from being applied", async () => {
    await bench.synth({ down: checked("nowhere.tfstate") });
    const { session } = await bench.planOnly();
    const found = session.diagnostics.map(({ severity, summary }) => [severity, summary]);
    expect(found).toEqual([["warning", "No state to read from"]]);
    await bench.apply();
    expect(await results()).toEqual(["fail"]);
    expect(bench.world.takeWrites()).toEqual(["create d"]);
  });
});
