import { existsSync } from "node:fs";
import type { Pace } from "../../../src/runtime";
import { Bench, type StackJson } from "../engine/bench";

/* A rollout may refuse a stack its first change. */

let bench: Bench;
beforeEach(async () => {
  bench = await Bench.open();
});
afterEach(() => bench.close());

const things = (memory_thing: StackJson, more: StackJson = {}) => ({
  main: { resource: { memory_thing }, ...more },
});

async function apply(beforeWrite: Pace["beforeWrite"], mode: "normal" | "destroy" = "normal") {
  const called: string[] = [];
  const session = await bench.plan({ mode });
  bench.events.length = 0;
  try {
    const { stacks, skipped } = await session.apply({
      ...(beforeWrite && { beforeWrite }),
      refused: (stack) => called.push(`refused ${stack}`),
      ended: ({ stack, complete }) => called.push(`ended ${stack} ${complete}`),
    });
    return { results: stacks.map(({ stack, counts }) => [stack, counts]), skipped, called };
  } finally {
    await session.close();
  }
}

const NOT_STARTED = { results: [], skipped: ["main"], called: ["refused main"] };
const refuse = () => Promise.resolve(false);

const changes = () =>
  bench.events.filter(({ type }) => type.startsWith("apply_") || type.startsWith("import_"));

test("a refused stack changes nothing, reports nothing and keeps its state", async () => {
  await bench.synth(things({ kept: { name: "kept" }, gone: { name: "gone" } }));
  await bench.apply();
  await bench.synth({ other: { resource: { memory_thing: { found: { name: "found" } } } } });
  await bench.apply();
  const before = await bench.state();
  bench.world.takeWrites();
  await bench.synth(
    things(
      { moved: { name: "renamed" }, added: { name: "added" }, found: { name: "found" } },
      {
        moved: [{ from: "memory_thing.kept", to: "memory_thing.moved" }],
        import: [{ to: "memory_thing.found", id: String(bench.world.named("found")?.id) }],
        output: { known: { value: "known" } },
      },
    ),
  );
  expect(await apply(refuse)).toEqual(NOT_STARTED);
  expect(bench.world.takeWrites()).toEqual([]);
  expect(changes()).toEqual([]);
  expect(await bench.state()).toEqual(before);
  expect(existsSync(`${bench.statePath("main")}.journal`)).toBe(false);

  // The next run makes all of the changes.
  expect(await apply(() => Promise.resolve(true))).toEqual({
    results: [["main", { import: 1, add: 1, change: 1, destroy: 1 }]],
    skipped: [],
    called: ["ended main true"],
  });
});

test("a refused replacement keeps the present object, also where its new one comes first", async () => {
  const thing = (kind: string) =>
    things({ a: { name: "a", kind, lifecycle: { create_before_destroy: true } } });
  await bench.synth(thing("old"));
  await bench.apply();
  const before = await bench.state();
  bench.world.takeWrites();
  await bench.synth(thing("new"));
  expect(await apply(refuse)).toEqual(NOT_STARTED);
  expect(await bench.state()).toEqual(before);
  expect(await apply(refuse, "destroy")).toEqual(NOT_STARTED);
  expect(await bench.state()).toEqual(before);
  expect(bench.world.takeWrites()).toEqual([]);
});

test("a refused provisioner does not run, and its object is created by the next run", async () => {
  const provisioner = [{ "local-exec": { command: "touch ran", working_dir: bench.outDir } }];
  await bench.synth({ main: { resource: { terraform_data: { a: { provisioner } } } } });
  expect(await apply(refuse)).toEqual(NOT_STARTED);
  expect(existsSync(`${bench.outDir}/ran`)).toBe(false);
  expect(changes()).toEqual([]);
  expect((await apply(() => true)).called).toEqual(["ended main true"]);
  expect(existsSync(`${bench.outDir}/ran`)).toBe(true);
});

test("changes of the state alone need no permission", async () => {
  await bench.synth({
    main: { resource: { terraform_data: { a: { input: "a" } } }, output: { o: { value: "o" } } },
  });
  expect((await apply(refuse)).called).toEqual(["ended main true"]);
});

test("a stack that fails before its first change has failed, and has not asked", async () => {
  const condition = '${terraform_data.t.output != "a"}';
  const precondition = [{ condition, error_message: "It is a." }];
  await bench.synth({
    main: {
      resource: {
        terraform_data: { t: { input: "a" } },
        memory_thing: { a: { name: "a", lifecycle: { precondition } } },
      },
    },
  });
  const asked = jest.fn(() => true);
  expect((await apply(asked)).called).toEqual(["ended main false"]);
  expect(asked).not.toHaveBeenCalled();
});
