import { existsSync, readFileSync } from "node:fs";
import type { ObjectRecord } from "../../../src/core/documents/run-record";
import { parseJournal } from "../../../src/backends/journal-format";
import { world } from "../../../src/core/io/world";
import { Bench, type StackJson } from "../engine/bench";

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

test("that fails keeps the change from being made, and the state as it is", async () => {
  const output = { known: { value: "x" } };
  await bench.synth({ main: { ...things("old").main, output } });
  const { stacks } = await apply(() => {
    throw new Error("the disk is full");
  });
  expect(stacks).toMatchObject([{ complete: false, counts: { add: 0 } }]);
  expect(bench.world.takeWrites()).toEqual([]);
  expect(existsSync(bench.statePath("main"))).toBe(false);
});

test("that cannot take a create which ends before it writes leaves the state as it is", async () => {
  const resource = { memory_thing: { a: { name: "early" } } };
  await bench.synth({ main: { resource, output: { known: { value: "x" } } } });
  const session = await bench.plan();
  const { stacks } = await session.apply({
    beforeWrite: () => true,
    record: () => Promise.reject(new Error("the lease has ended")),
  });
  await session.close();
  expect(stacks).toMatchObject([{ complete: false, counts: { add: 0 } }]);
  expect(existsSync(bench.statePath("main"))).toBe(false);
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

/** Changes that begin without an operation of a provider, or with one. */
const CHANGES: Record<string, StackJson> = {
  "a removal from the state": {
    removed: [{ from: "memory_thing.a", lifecycle: [{ destroy: false }] }],
  },
  "a move": {
    moved: [{ from: "memory_thing.a", to: "memory_thing.b" }],
    resource: { memory_thing: { b: { name: "a" } } },
  },
  "an import": {
    import: [{ to: "memory_thing.c", id: "c" }],
    resource: { memory_thing: { a: { name: "a" }, c: { name: "c" } } },
  },
  "an update": { resource: { memory_thing: { a: { name: "a", kind: "new" } } } },
};

test.each(Object.entries(CHANGES))(
  "%s is in the journal after the mark of its run, so that a kill leaves no change without it",
  async (_, stack) => {
    await bench.synth({ main: { resource: { memory_thing: { a: { name: "a" } } } } });
    await bench.apply();
    const [thing] = bench.world.things.values();
    bench.world.things.set("c", { ...thing!, id: "c", name: "c" });
    await bench.synth({ main: stack });
    const path = `${bench.statePath("main")}.journal`;
    const { unlink } = world.files;
    const journals: Buffer[] = [];
    const spy = jest.spyOn(world.files, "unlink").mockImplementation((file) => {
      if (String(file) === path) journals.push(readFileSync(path));
      return unlink(file);
    });
    await apply(() => undefined);
    spy.mockRestore();
    const [records = []] = journals.map((bytes) => parseJournal(bytes, path).content!.records);
    const kinds = records.map(({ kind }) => kind).filter((kind) => kind !== "intent");
    expect(kinds).toContain("instance");
    expect(kinds[0]).toBe("mark");
  },
);
