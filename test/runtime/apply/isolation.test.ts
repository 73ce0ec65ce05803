import { mkdir, rm, writeFile } from "node:fs/promises";
import { Bench, summary } from "../engine/bench";

let bench: Bench;
beforeEach(async () => {
  bench = await Bench.open();
});
afterEach(() => bench.close());

const thing = (name: string, more: object = {}) => ({
  resource: { memory_thing: { t: { name, ...more } } },
  output: { id: { value: "${memory_thing.t.id}" } },
});

/** A stack that reads the output of stack `up`. */
const reading = (name: string) => ({
  data: {
    terraform_remote_state: {
      up: { backend: "local", config: { path: bench.statePath("up") } },
    },
  },
  resource: {
    memory_thing: { t: { name, tags: { up: "${data.terraform_remote_state.up.outputs.id}" } } },
  },
});

const failing = (operation: string, ...names: readonly string[]) => {
  bench.world.fault = (at, name) => {
    if (at === operation && names.includes(name)) throw new Error(`${name} is broken`);
    return undefined;
  };
};

const reasons = ({ excluded }: Awaited<ReturnType<Bench["plan"]>>) =>
  Object.fromEntries(
    excluded.map(({ stack, diagnostics }) => [stack, diagnostics.map((one) => one.summary)]),
  );

describe("a stack that fails while it is planned", () => {
  beforeEach(async () => {
    await bench.synth(
      { up: thing("up"), reads: reading("reads"), after: thing("after"), other: thing("other") },
      { reads: ["up"], after: ["reads"] },
    );
  });

  test("excludes itself and its dependents, and the others are applied", async () => {
    await bench.apply();
    bench.world.takeWrites();
    await bench.synth(
      {
        up: thing("up", { size: 2 }),
        reads: reading("reads"),
        after: thing("after", { size: 2 }),
        other: thing("other", { size: 2 }),
      },
      { reads: ["up"], after: ["reads"] },
    );
    failing("read", "up");
    const session = await bench.plan();
    expect(session.plans.map(({ stack }) => stack)).toEqual(["other"]);
    expect(session.problems).toEqual([]);
    expect(reasons(session)).toEqual({
      up: ["Internal provider error"],
      reads: ["Depends on an excluded stack"],
      after: ["Depends on an excluded stack"],
    });
    expect(session.applicable).toBe(true);
    const { stacks } = await session.apply();
    await session.close();
    expect(stacks.map(({ stack }) => stack)).toEqual(["other"]);
    expect(bench.world.takeWrites()).toEqual(["update other"]);
  });

  test("stops everything with failFast", async () => {
    await bench.apply();
    failing("read", "up");
    const session = await bench.plan({ failFast: true });
    expect(session.applicable).toBe(false);
    expect(Object.keys(reasons(session))).toEqual(["up", "reads", "after"]);
    await session.close();
  });

  test("excludes what it depends on from a destroy, and nothing else that depends on that", async () => {
    await bench.synth(
      { up: thing("up"), reads: reading("reads"), second: reading("second") },
      { reads: ["up"], second: ["up"] },
    );
    await bench.apply();
    failing("read", "reads");
    const session = await bench.plan({ mode: "destroy" });
    expect(reasons(session)).toEqual({
      up: ["Needed by an excluded stack"],
      reads: ["Internal provider error"],
    });
    expect(summary(session.plans)).toEqual(["memory_thing.t delete"]);
    await session.close();
  });
});

describe("a state that cannot be used", () => {
  test.each(["locked", "broken"])("excludes its stack while it is %s", async (how) => {
    await bench.synth({ one: thing("one"), two: thing("two") });
    await bench.apply();
    const holding = how === "locked" ? await bench.plan({ stacks: ["one"] }) : undefined;
    if (!holding) await writeFile(bench.statePath("one"), "{");
    bench.world.calls.length = 0;
    const session = await bench.plan();
    expect(Object.keys(reasons(session))).toEqual(["one"]);
    expect(bench.world.calls).toEqual(["read two"]);
    expect(session.applicable).toBe(true);
    expect(await session.close()).toEqual([]);
    await holding?.close();
  });

  test("excludes the stacks that read its outputs where it is not selected", async () => {
    await bench.synth(
      { up: thing("up"), reads: reading("reads"), other: thing("other") },
      { reads: ["up"] },
    );
    const session = await bench.plan({ stacks: ["reads", "other"] });
    expect(reasons(session)).toEqual({ reads: ["No state to read from"] });
    expect(session.plans.map(({ stack }) => stack)).toEqual(["other"]);
    await session.close();
  });
});

test("a mistake in one configuration stops all stacks before anything is read", async () => {
  await bench.synth({ one: thing("one"), two: thing("${var.nowhere}") });
  const session = await bench.plan();
  expect(session.plans).toEqual([]);
  expect(session.excluded).toEqual([]);
  expect(session.applicable).toBe(false);
  expect(bench.world.calls).toEqual([]);
  await session.close();
});

test("an unset variable is a mistake in the configuration", async () => {
  await bench.synth({
    one: thing("one"),
    two: { ...thing("${var.needed}"), variable: { needed: { type: "string" } } },
  });
  const session = await bench.plan();
  expect(session.problems.map((one) => one.summary)).toEqual(["No value for required variable"]);
  expect(session.plans).toEqual([]);
  await session.close();
});

describe("a stack that fails while it is applied", () => {
  test("leaves its dependents with an error, and the others are applied", async () => {
    await bench.synth(
      { up: thing("up"), after: thing("after"), other: thing("other") },
      { after: ["up"] },
    );
    failing("create", "up");
    const { stacks } = await bench.apply();
    expect(
      stacks.map(({ stack, counts, diagnostics }) => [
        stack,
        counts.add,
        diagnostics.map((one) => one.summary),
      ]),
    ).toEqual([
      ["up", 0, ["Internal provider error"]],
      ["after", 0, ["Not applied completely"]],
      ["other", 1, []],
    ]);
  });

  test("does not stop the others where its journal cannot be written", async () => {
    await bench.synth({ one: thing("one"), two: thing("two") });
    const session = await bench.plan();
    // A folder in the place of the journal.
    const journal = `${bench.statePath("one")}.journal`;
    await mkdir(journal);
    const { stacks } = await session.apply();
    await session.close();
    await rm(journal, { recursive: true });
    expect(stacks.map(({ stack, counts }) => [stack, counts.add])).toEqual([
      ["one", 0],
      ["two", 1],
    ]);
    expect(stacks[0]?.diagnostics.length).toBeGreaterThan(0);
    expect(bench.world.takeWrites()).toEqual(["create two"]);
  });
});
