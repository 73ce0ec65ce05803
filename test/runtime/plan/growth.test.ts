import { Bench, type StackJson } from "../engine/bench";

const each = (instances: number, value: string) =>
  Object.fromEntries(Array.from({ length: instances }, (_, index) => [`k${index}`, value]));

/** Blocks that refer to each other instance by instance. */
const stacks: [string, (instances: number) => StackJson][] = [
  [
    "count",
    (count) => ({
      memory_thing: {
        a: { count, name: "a" },
        b: { count, name: "${memory_thing.a[count.index].name}" },
      },
    }),
  ],
  [
    "for_each with values known after apply",
    (instances) => ({
      memory_thing: {
        a: { name: "a" },
        b: { for_each: each(instances, "${memory_thing.a.id}"), name: "${each.value}" },
      },
    }),
  ],
];

/** Microseconds of the processor for an apply, a plan on its state, and a destroy. */
async function work(resource: StackJson): Promise<number> {
  const bench = await Bench.open();
  try {
    await bench.synth({ main: { resource } });
    const start = process.cpuUsage();
    await bench.apply();
    await bench.planOnly();
    await bench.apply({ mode: "destroy" });
    return process.cpuUsage(start).user;
  } finally {
    await bench.close();
  }
}

/** Far from 16, which the square gives, and above the noise of 4. */
const BOUND = 6;

test.each(stacks)(
  "four times the instances take four times the work: %s",
  async (_, resource) => {
    await work(resource(100));
    const ratios: number[] = [];
    while (ratios.length < 3 && !ratios.some((ratio) => ratio < BOUND)) {
      const once = await work(resource(700));
      ratios.push((await work(resource(2_800))) / once);
    }
    expect(Math.min(...ratios)).toBeLessThan(BOUND);
  },
  600_000,
);
