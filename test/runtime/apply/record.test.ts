import { readFileSync } from "node:fs";
import type { ObjectRecord } from "../../../src/core/documents/run-record";
import { Bench } from "../engine/bench";

/* A run hands each change to its recorder: before it is made, and when its result is stored. */

let bench: Bench;
beforeEach(async () => {
  bench = await Bench.open();
});
afterEach(() => bench.close());

async function apply(record: (stack: string, entry: ObjectRecord) => void) {
  const session = await bench.plan();
  let line = 0;
  try {
    return await session.apply({
      record: (stack, entries) => {
        for (const entry of entries) record(stack, entry);
        line += entries.length;
        return Promise.resolve({ run: "run", line, sha256: "" });
      },
    });
  } finally {
    await session.close();
  }
}

const things = (kind: string) => ({
  main: { resource: { memory_thing: { a: { name: "a", kind }, b: { name: "b" } } } },
});

test("has the object before and after a replacement, and nothing of what does not change", async () => {
  await bench.synth(things("old"));
  await bench.apply();
  await bench.synth(things("new"));
  const entries: unknown[] = [];
  await apply((stack, { address, ...entry }) => {
    const object = "before" in entry ? entry.before : "after" in entry ? entry.after : null;
    const { kind = null } = object?.attributes ?? {};
    entries.push([stack, address, entry.kind, "action" in entry ? entry.action : "", kind]);
  });
  expect(entries).toEqual([
    ["main", "memory_thing.a", "start", "delete", "old"],
    ["main", "memory_thing.a", "stored", "", null],
    ["main", "memory_thing.a", "start", "create", "old"],
    ["main", "memory_thing.a", "stored", "", "new"],
  ]);
});

test("that fails keeps the change from being made", async () => {
  await bench.synth(things("old"));
  const { stacks } = await apply(() => {
    throw new Error("the disk is full");
  });
  expect(stacks).toMatchObject([{ complete: false, counts: { add: 0 } }]);
  expect(bench.world.takeWrites()).toEqual([]);
});

test("has each result before the journal, which a kill may leave alone", async () => {
  await bench.synth({ main: { resource: { memory_thing: { a: { name: "a" } } } } });
  const journals: string[] = [];
  await apply((_, { kind }) => {
    if (kind === "stored")
      journals.push(readFileSync(`${bench.statePath("main")}.journal`, "utf8"));
  });
  expect(journals).toHaveLength(1);
  expect(journals.join()).not.toContain("instance");
});
