import { setImmediate } from "node:timers/promises";
import { Bench } from "../engine/bench";

describe("the dependencies of a plan", () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await Bench.open();
  });
  afterEach(() => bench.close());

  test("includes direct dependencies, through locals, without transitive ones", async () => {
    await bench.synth({
      main: {
        locals: { size: "${memory_thing.a.size}" },
        resource: {
          memory_thing: {
            a: { name: "a", size: 1 },
            b: { name: "b", size: "${local.size}" },
            c: { name: "c", depends_on: ["memory_thing.b", "data.memory_reading.r"] },
          },
        },
        data: { memory_reading: { r: { name: "${memory_thing.a.name}" } } },
      },
    });
    const { session } = await bench.planOnly();
    expect(session.plans[0]?.dependencies).toEqual([
      { resource: "data.memory_reading.r", needs: ["memory_thing.a"] },
      { resource: "memory_thing.a", needs: [] },
      { resource: "memory_thing.b", needs: ["memory_thing.a"] },
      { resource: "memory_thing.c", needs: ["data.memory_reading.r", "memory_thing.b"] },
    ]);
  });

  test("are planned first in the stacks that were declared to come before, with all these plan", async () => {
    const thing = (name: string) => ({ resource: { memory_thing: { [name]: { name } } } });
    await bench.synth({ first: thing("a"), second: thing("b") }, { second: ["first"] });
    await bench.apply();
    bench.world.mostUnderWay = 0;
    bench.world.fault = () => setImmediate(undefined);
    await bench.planOnly();
    expect(bench.world.mostUnderWay).toBe(1);
  });
});
