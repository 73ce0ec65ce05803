import { Graph } from "../../../src/runtime/graph/graph";
import { expectLinear } from "../../support/growth";
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

test("four times the instances with values known after apply take about four times the work", () =>
  expectLinear((instances) => lifecycle(known(instances)), process.env.LONG_TESTS ? 500 : 80));

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
