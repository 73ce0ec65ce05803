import { Bench } from "../engine/bench";

describe("events", () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await Bench.open();
  });
  afterEach(async () => {
    jest.useRealTimers();
    await bench.close();
  });

  const reported = () =>
    bench.events.map((event) =>
      [
        event.type,
        event.address,
        "action" in event ? event.action : "",
        "id" in event ? event.id : "",
        "message" in event ? event.message : "",
      ]
        .filter(Boolean)
        .join(" "),
    );

  test("report each operation with its address and ID", async () => {
    await bench.synth({ main: { resource: { memory_thing: { a: { name: "slow" } } } } });
    await bench.apply();
    expect(reported()).toEqual([
      "apply_start memory_thing.a create",
      "apply_progress memory_thing.a create waiting",
      "apply_complete memory_thing.a create id-1",
    ]);
    bench.events.length = 0;
    await bench.synth({ main: { resource: { memory_thing: { a: { name: "b", kind: "k" } } } } });
    bench.world.fault = (operation) =>
      operation === "create" ? Promise.resolve("partial") : undefined;
    await bench.apply();
    expect(reported()).toEqual([
      "refresh_start memory_thing.a id-1",
      "refresh_complete memory_thing.a id-1",
      "apply_start memory_thing.a delete id-1",
      "apply_complete memory_thing.a delete",
      "apply_start memory_thing.a create",
      "apply_errored memory_thing.a create",
    ]);
    for (const event of bench.events) {
      expect(event.stack).toBe("main");
      if ("elapsedMs" in event) expect(event.elapsedMs).toBeGreaterThanOrEqual(0);
    }
  });

  test("report progress every ten seconds", async () => {
    jest.useFakeTimers({
      doNotFake: ["nextTick", "setImmediate", "queueMicrotask", "performance", "setTimeout"],
    });
    await bench.synth({ main: { resource: { memory_thing: { a: { name: "a" } } } } });
    bench.world.fault = () => {
      jest.advanceTimersByTime(25_000);
      return undefined;
    };
    await bench.apply();
    expect(reported().filter((line) => line.startsWith("apply_progress"))).toHaveLength(2);
    expect(jest.getTimerCount()).toBe(0);
  });

  test("report a data source that is read", async () => {
    await bench.synth({ main: { resource: { memory_thing: { a: { name: "a" } } } } });
    await bench.apply();
    bench.events.length = 0;
    await bench.synth({
      main: {
        data: { memory_reading: { r: { name: "a" } } },
        resource: { memory_thing: { a: { name: "a" } } },
      },
    });
    await bench.planOnly();
    expect(reported()).toEqual(
      expect.arrayContaining([
        "apply_start data.memory_reading.r read",
        "apply_complete data.memory_reading.r read",
      ]),
    );
  });
});
