import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Provider } from "../../../src/core/provider";
import { Session, type SavedPlan, type SavedPlans } from "../../../src/runtime";
import type { PlanOptions } from "../../../src/runtime";
import { dynamicTypeOf } from "../../../src/core/schema/dynamic";
import { STRING } from "../../../src/core/types";
import { formatFile, parseFile } from "../../../src/runtime/saved-plan/file";
import { formatSavedPlans, readSavedPlans } from "../../../src/runtime/saved-plan/format";
import { Bench, problems, summary, type StackJson } from "../engine/bench";

let bench: Bench;
beforeEach(async () => {
  bench = await Bench.open();
});
afterEach(() => bench.close());

const things = (memory_thing: StackJson, more: StackJson = {}) =>
  bench.synth({ main: { resource: { memory_thing }, ...more } });

/** Plans, writes the plan to bytes, and reads it from there. */
async function saved(options: Partial<PlanOptions> = {}): Promise<SavedPlans> {
  const session = await bench.plan(options);
  if (!session.applicable) throw new Error(problems(session.diagnostics).join("\n"));
  const bytes = formatSavedPlans(await session.save(), {
    workingDirectory: bench.outDir,
    program: "test",
  });
  await session.close();
  const { saved: plan, diagnostics } = await readSavedPlans(
    bytes,
    "p",
    bench.providers,
    bench.outDir,
  );
  if (!plan) throw new Error(problems(diagnostics).join("\n"));
  return plan;
}

async function apply(plan: SavedPlans, given: readonly string[] = []) {
  const session = await Session.resume(plan, {
    providers: bench.providers,
    variables: {
      environment: bench.environment,
      directories: [],
      given: given.map((text) => ({ kind: "value", text })),
    },
    environment: bench.environment,
  });
  try {
    if (!session.applicable) {
      return {
        problems: session.diagnostics.map(({ summary: text, detail }) => `${text}: ${detail}`),
      };
    }
    const { stacks } = await session.apply();
    return { problems: stacks.flatMap(({ diagnostics }) => problems(diagnostics)) };
  } finally {
    await session.close();
  }
}

test("plantimestamp is the time of the plan when the saved plan is applied", async () => {
  await bench.synth({ main: { output: { at: { value: "${plantimestamp()}" } } } });
  const plan = await saved();
  const [{ document }] = plan.plans as [SavedPlan];
  const at = document.timestamp.toISOString().replace(/\.\d+/, "");
  expect(document.plan.outputs).toMatchObject([{ after: at }]);
  await new Promise((resolve) => setTimeout(resolve, 1100));
  expect(await apply(plan)).toEqual({ problems: [] });
  expect(await readFile(bench.statePath("main"), "utf8")).toContain(at);
});

test("a saved plan is read unchanged", async () => {
  const lifecycle = { precondition: { condition: "${var.n > 0}", error_message: "never" } };
  await things(
    {
      a: { name: "a", note: "${var.note}" },
      b: { name: "b", tags: { a: "${memory_thing.a.id}" }, lifecycle },
    },
    {
      variable: { n: { default: 9.5 }, note: { default: "confidential", sensitive: true } },
      output: { id: { value: "${memory_thing.a.id}" }, n: { value: "${var.n}" } },
    },
  );
  const session = await bench.plan();
  const [document] = session.documents();
  await session.close();
  const [{ document: read }] = (await saved()).plans as [SavedPlan];
  expect(read.plan).toEqual({ ...document?.plan, diagnostics: [] });
  expect(read.variables).toEqual(document?.variables);
  expect(read.outputs).toEqual(document?.outputs);
  expect(read.priorState).toEqual(document?.priorState);
  expect(read.schemaVersions).toEqual(document?.schemaVersions);
  expect(read.checks).toEqual(document?.checks);
  expect(read.checks).toMatchObject([{ config_addr: "memory_thing.b", status: "pass" }]);
});

test("a saved plan keeps the types of unknown values of any type", async () => {
  const input = "${[terraform_data.a.id]}";
  const blocks = { a: { input: "${terraform_data.b.id}" }, b: {}, c: { input } };
  await bench.synth({ main: { resource: { terraform_data: blocks } } });
  const [{ document }] = (await saved()).plans as [SavedPlan];
  const typeOf = (position: number, name: string) =>
    dynamicTypeOf(document.plan.changes[position]?.after?.[name] ?? null);
  expect([typeOf(0, "input"), typeOf(0, "output")]).toEqual([STRING, STRING]);
  expect(typeOf(2, "input")).toEqual({ kind: "tuple", elements: [STRING] });
});

test.each(["/", "null", '{"value": 1'])("an output that is %s is refused", async (text) => {
  await bench.synth({ main: { output: { a: { value: "written" } } } });
  const session = await bench.plan();
  const files = { workingDirectory: bench.outDir, program: "test" };
  const { parts = [] } = parseFile(formatSavedPlans(await session.save(), files), "p");
  await session.close();
  const forged = parts.map((part) => {
    const { shown, ...rest } = part as { readonly shown?: object };
    return shown ? { ...rest, shown: { ...shown, outputs: { a: text } } } : rest;
  });
  const { saved: plan, diagnostics } = await readSavedPlans(
    formatFile(forged, "test"),
    "p",
    bench.providers,
    bench.outDir,
  );
  expect(plan).toBeUndefined();
  expect(diagnostics).toMatchObject([
    { detail: expect.stringContaining("shown.outputs.a") as string },
  ]);
});

test("is applied without the synthesized stacks", async () => {
  await things({ a: { name: "a" }, b: { name: "b", tags: { a: "${memory_thing.a.id}" } } });
  const plan = await saved();
  await bench.synth({});
  expect(await apply(plan)).toEqual({ problems: [] });
  expect(bench.world.takeWrites()).toEqual(["create a", "create b"]);
});

test.each<[string, Partial<PlanOptions>, readonly string[]]>([
  ["a destroy", { mode: "destroy" }, ["memory_thing.a delete", "memory_thing.b delete"]],
  [
    "a replacement",
    { replace: ["memory_thing.a"] },
    ["memory_thing.a delete-then-create replace_by_request"],
  ],
  ["a part", { mode: "destroy", targets: ["memory_thing.b"] }, ["memory_thing.b delete"]],
])("%s is made again as it was asked for", async (_, options, expected) => {
  await things({ a: { name: "a" }, b: { name: "b" } });
  await bench.apply();
  const plan = await saved(options);
  expect(summary(plan.plans.map(({ document }) => document.plan))).toEqual(expected);
  expect((await apply(plan)).problems).toEqual([]);
});

test("includes moves, imports and removals from the state", async () => {
  await things({ a: { name: "a" }, b: { name: "b" }, c: { name: "c" } });
  await bench.apply();
  const id = String(bench.world.named("c")?.id);
  await bench.synth({
    main: {
      resource: { memory_thing: { a: { name: "a" }, b: { name: "b" } } },
      removed: { from: "memory_thing.c", lifecycle: { destroy: false } },
    },
  });
  await bench.apply();
  bench.world.takeWrites();
  await bench.synth({
    main: {
      resource: { memory_thing: { z: { name: "a" }, n: { name: "c" } } },
      moved: { from: "memory_thing.a", to: "memory_thing.z" },
      removed: { from: "memory_thing.b", lifecycle: { destroy: false } },
      import: { to: "memory_thing.n", id },
    },
  });
  expect(await apply(await saved())).toEqual({ problems: [] });
  expect(bench.world.takeWrites()).toEqual([]);
  expect((await bench.state()).resources.map(({ name }) => name)).toEqual(["n", "z"]);
});

test("does not read data sources again", async () => {
  await things({ a: { name: "a", size: 3 } });
  await bench.apply();
  const data = { memory_reading: { a: { name: "a" } } };
  const output = { size: { value: "${data.memory_reading.a.size}" } };
  await things({ a: { name: "a", size: 3 } }, { data, output });
  const plan = await saved();
  const [[key, thing] = []] = bench.world.things;
  if (key === undefined || !thing) throw new Error("no thing");
  bench.world.calls.length = 0;
  expect(await apply(plan)).toEqual({ problems: [] });
  expect(bench.world.calls).toEqual(["read a"]);
  expect((await bench.state()).outputs.size?.value).toBe(3);
});

// Values that differ in their types alone, chosen by the content of a file.
const KINDS = '${{ one = tolist(["x"]), other = ["x"] }[file("kind")]}';
const NULLS = '${[{ one = tostring(null), other = tonumber(null) }[file("kind")]]}';
const UNKNOWNS = {
  a: {
    input:
      '${{ one = tolist([terraform_data.b.id]), other = [terraform_data.b.id] }[file("kind")]}',
  },
  b: {},
};

test.each<[string, string, StackJson]>([
  ["a value", "terraform_data.a", { resource: { terraform_data: { a: { input: KINDS } } } }],
  ["a null", "terraform_data.a", { resource: { terraform_data: { a: { input: NULLS } } } }],
  ["an unknown value", "terraform_data.a", { resource: { terraform_data: UNKNOWNS } }],
  ["an output", "output a", { output: { a: { value: KINDS } } }],
])("is refused without changes if %s has another type", async (_, subject, stack) => {
  const kind = join(bench.outDir, "stacks/main/kind");
  await bench.synth({ main: stack });
  await writeFile(kind, "one");
  const plan = await saved();
  await writeFile(kind, "other");
  const { problems: found } = await apply(plan);
  expect(found).toEqual([expect.stringContaining(`  - ${subject}\n      `)]);
  await writeFile(kind, "one");
  expect(await apply(plan)).toEqual({ problems: [] });
});

describe("is refused without changes", () => {
  let plan: SavedPlans;
  beforeEach(async () => {
    await things({ a: { name: "a" } });
    await bench.apply();
    await things({ a: { name: "changed" }, b: { name: "b" } });
    plan = await saved();
    bench.world.takeWrites();
  });

  async function refused(): Promise<string> {
    const { problems: found } = await apply(plan);
    expect(bench.world.takeWrites()).toEqual([]);
    expect(found).toHaveLength(1);
    return found[0] ?? "";
  }

  test("after another apply", async () => {
    await bench.apply();
    bench.world.takeWrites();
    expect(await refused()).toContain("Saved plan is stale: The given plan file can no longer");
  });

  test("if the state was edited under the same serial", async () => {
    const text = await readFile(bench.statePath("main"), "utf8");
    await writeFile(bench.statePath("main"), text.replace('"name": "a",', '"name": "b",'));
    expect(await refused()).toContain("Both have the serial 1, but not the same content.");
  });

  test("if the state belongs to another stack", async () => {
    const text = await readFile(bench.statePath("main"), "utf8");
    await writeFile(
      bench.statePath("main"),
      text.replace(/"lineage": "[^"]+"/, '"lineage": "another"'),
    );
    expect(await refused()).toContain("State of another stack: ");
  });

  test("if an object was changed or removed", async () => {
    const [[key, thing] = []] = bench.world.things;
    if (key === undefined || !thing) throw new Error("no thing");
    bench.world.things.set(key, { ...thing, size: 7 });
    expect(await refused()).toContain("memory_thing.a\n      size was changed since the plan");
    bench.world.things.clear();
    expect(await refused()).toContain("was to be updated, and is to be created now");
  });

  test("if the provider is not included", async () => {
    const others = new Map<string, Provider<unknown>>();
    const session = await bench.plan();
    const bytes = formatSavedPlans(await session.save(), {
      workingDirectory: "/",
      program: "test",
    });
    await session.close();
    const { diagnostics } = await readSavedPlans(bytes, "p", others, "/");
    expect(diagnostics[0]?.detail).toContain("which this program does not include");
  });
});

describe("variables", () => {
  const variable = { name: { type: "string" }, secret: { type: "string", ephemeral: true } };
  const a = { name: "${var.name}", secret: "${var.secret}" };
  const given = (...texts: string[]) => ({
    variables: {
      environment: bench.environment,
      directories: [],
      given: texts.map((text) => ({ kind: "value" as const, text })),
    },
  });

  test("keep their planned values; ephemeral ones are given again", async () => {
    await things({ a }, { variable });
    const plan = await saved(given("name=planned", "secret=s3cret"));
    expect(JSON.stringify(plan)).not.toContain("s3cret");
    expect((await apply(plan)).problems).toEqual([expect.stringMatching(/^No value for required/)]);
    expect((await apply(plan, ["secret=other"])).problems).toEqual([
      expect.stringMatching(/^Ephemeral variable has another value: The value of var\.secret /),
    ]);
    expect((await apply(plan, ["secret=s3cret", "name=other"])).problems).toEqual([
      expect.stringMatching(/^Can't change variable when applying a saved plan/),
    ]);
    expect(bench.world.takeWrites()).toEqual([]);
    bench.environment.TF_VAR_name = "of another day";
    expect((await apply(plan, ["secret=s3cret", "name=planned"])).problems).toEqual([]);
    expect(bench.world.secrets.get("planned")).toBe("s3cret");
  });
});
