import { Graph } from "../../../src/runtime/graph/graph";
import { Bench, type StackJson } from "../engine/bench";

const each = (instances: number, value: string) =>
  Object.fromEntries(Array.from({ length: instances }, (_, index) => [`k${index}`, value]));

/** Each instance refers to one of another resource. */
const dependent = (count: number): StackJson => ({
  memory_thing: {
    a: { count, name: "a" },
    b: { count, name: "${memory_thing.a[count.index].name}" },
  },
});

const known = (instances: number): StackJson => ({
  memory_thing: {
    a: { name: "a" },
    b: { for_each: each(instances, "${memory_thing.a.id}"), name: "${each.value}" },
  },
});

/** Applies blocks, plans them with their state, and destroys them. */
async function lifecycle(resource: StackJson): Promise<void> {
  const bench = await Bench.open();
  try {
    await bench.synth({ main: { resource } });
    await bench.apply();
    await bench.planOnly();
    await bench.apply({ mode: "destroy" });
  } finally {
    await bench.close();
  }
}

/** Microseconds of the processor. */
async function work(resource: StackJson): Promise<number> {
  const start = process.cpuUsage();
  await lifecycle(resource);
  return process.cpuUsage(start).user;
}

/** Far above 4 and its noise, far below 16, the square of 4. */
const BOUND = 9;

test("four times the instances with values known after apply take about four times the work", async () => {
  await work(known(100));
  const ratios: number[] = [];
  while (ratios.length < 3 && !ratios.some((ratio) => ratio < BOUND)) {
    const once = await work(known(500));
    ratios.push((await work(known(2000))) / once);
  }
  expect(Math.min(...ratios)).toBeLessThan(BOUND);
}, 600_000);

test("the order of an apply has as many edges as there are instances, not their square", async () => {
  const connect = jest.spyOn(Graph.prototype, "connect");
  const edges = async (instances: number) => {
    connect.mockClear();
    await lifecycle(dependent(instances));
    return connect.mock.calls.length;
  };
  const few = await edges(20);
  expect(await edges(80)).toBeLessThan(5 * few);
  connect.mockRestore();
});
