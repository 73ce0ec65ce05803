import { formatPath } from "../../../src/core/diagnostics";
import { anything, optional } from "../../../src/core/schema/attribute";
import { withDynamicType } from "../../../src/core/schema/dynamic";
import { ANY, objectOf, type Type } from "../../../src/core/types";
import { UNKNOWN, type Value } from "../../../src/core/values";
import { checkFinalPlan } from "../../../src/runtime/apply/final-plan";
import { Bench } from "../engine/bench";

const set = (elements: readonly Value[], element: Type = ANY) =>
  withDynamicType(elements, { kind: "set", element });
const nested = (elements: readonly Value[]) =>
  set(elements, objectOf([["s", { kind: "set", element: ANY }]]));

test.each([
  [{ a: 1 }, { a: 1 }, []],
  [{ a: UNKNOWN }, { a: [1, { b: 2 }] }, []],
  [{ a: UNKNOWN }, { a: UNKNOWN }, []],
  [{ a: [1, UNKNOWN] }, { a: [1, 2] }, []],
  [{ a: [{ b: UNKNOWN, c: 1 }] }, { a: [{ b: 5, c: 1 }] }, []],
  [{ a: [{ b: UNKNOWN }, UNKNOWN] }, { a: [{ b: 5 }, { c: 1 }] }, []],
  // The unknown element of a set equals one that the set already has, or sorts before it.
  [{ a: set(["x", UNKNOWN]) }, { a: set(["x"]) }, []],
  [{ a: set([{ b: "k" }, { b: UNKNOWN }]) }, { a: set([{ b: "a" }, { b: "k" }]) }, []],
  [{ a: set([{ b: "k" }, { b: UNKNOWN }]) }, { a: set([{ b: "k" }]) }, []],
  [{ a: set([[UNKNOWN], [UNKNOWN]]) }, { a: set([["x"]]) }, []],
  [{ a: nested([{ s: [UNKNOWN, "k"] }]) }, { a: nested([{ s: ["a", "k"] }]) }, []],
  [{ a: 1 }, { a: 2 }, ["a"]],
  [{ a: 1 }, { a: UNKNOWN }, ["a"]],
  [{ a: [1] }, { a: [1, 2] }, ["a"]],
  [{ a: ["x", UNKNOWN] }, { a: ["y", "z"] }, ["a[0]"]],
  [{ a: ["x", UNKNOWN] }, { a: ["x"] }, ["a"]],
  [{ a: set(["x", UNKNOWN]) }, { a: set(["y", "z"]) }, ["a"]],
  [{ a: set([{ b: "k" }, { b: UNKNOWN }]) }, { a: set([{ b: "a" }]) }, ["a"]],
  [{ a: set([{ b: UNKNOWN, c: 1 }]) }, { a: set([{ b: "a", c: 2 }]) }, ["a"]],
  [{ a: set([[UNKNOWN]]) }, { a: set([["x"], ["y"]]) }, ["a"]],
  [{ a: nested([{ s: [UNKNOWN, "k"] }]) }, { a: nested([{ s: ["a", "b"] }]) }, ["a"]],
  [{ a: [{ b: UNKNOWN, c: 1 }] }, { a: [{ b: 5, c: 2 }] }, ["a[0].c"]],
  [{ a: { k: "v" } }, { a: {} }, ["a.k"]],
  [{ a: {} }, { a: { k: "v" } }, ["a.k"]],
] as [Value, Value, string[]][])(
  "what was planned as %p may become %p, or not",
  (plan, final, at) => {
    const found = checkFinalPlan(plan, final, "t.n", { a: optional(anything(), "") });
    expect(found.map(({ path }) => formatPath(path ?? []))).toEqual(at);
  },
);

describe("a provider whose result differs from its plan", () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await Bench.open();
  });
  afterEach(() => bench.close());

  test("is reported, and keeps the tainted object", async () => {
    await bench.synth({ main: { resource: { memory_thing: { a: { name: "changeling" } } } } });
    expect((await bench.apply()).problems).toEqual([
      "memory_thing.a: Provider produced an inconsistent result",
    ]);
    expect((await bench.state()).resources[0]?.instances).toMatchObject([
      { status: "tainted", attributes: { size: -1 } },
    ]);
  });

  test("is stopped when its final plan differs from the reviewed one", async () => {
    await bench.synth({
      main: {
        resource: {
          memory_thing: {
            a: { name: "a" },
            b: { name: "fickle", tags: { of: "${memory_thing.a.id}" } },
          },
        },
      },
    });
    expect((await bench.apply()).problems).toEqual([
      "memory_thing.b: Provider produced inconsistent final plan",
    ]);
    expect(bench.world.takeWrites()).toEqual(["create a"]);
  });

  test("is reported without an object to keep", async () => {
    await bench.synth({ main: { resource: { memory_thing: { a: { name: "ghost" } } } } });
    expect((await bench.apply()).problems).toEqual([
      "memory_thing.a: Provider produced inconsistent result after apply",
    ]);
    expect((await bench.planOnly()).plan).toEqual(["memory_thing.a create"]);
  });
});

test("a session applies only once", async () => {
  const bench = await Bench.open();
  await bench.synth({ main: { resource: { memory_thing: { a: { name: "a" } } } } });
  const session = await bench.plan();
  await session.apply();
  await expect(session.apply()).rejects.toThrow("no plan that can be applied");
  await session.close();
  await bench.close();
});
