import { setImmediate } from "node:timers/promises";
import { Graph } from "../../../src/runtime/graph/graph";
import { Limit } from "../../../src/core/io/limit";
import { walk } from "../../../src/runtime/graph/walk";

/** b and c behind a, d behind both, e apart. */
function diamond(): Graph<string> {
  const graph = new Graph<string>();
  graph.connect("b", "a");
  graph.connect("c", "a");
  graph.connect("d", "b");
  graph.connect("d", "c");
  graph.add("e");
  return graph;
}

describe("a walk", () => {
  test("visits each node once, after its dependencies", async () => {
    const done: string[] = [];
    const unvisited = await walk(diamond(), {
      parallelism: 10,
      visit: async (node) => {
        await setImmediate();
        if (node === "d") expect(done).toEqual(expect.arrayContaining(["b", "c"]));
        done.push(node);
        return true;
      },
    });
    expect(done.sort()).toEqual(["a", "b", "c", "d", "e"]);
    expect(unvisited.size).toBe(0);
  });

  test("starts another visit when one ends, before its node is settled", async () => {
    const events: string[] = [];
    await walk(diamond(), {
      parallelism: 1,
      visit: async (node) => {
        await setImmediate();
        events.push(`visited ${node}`);
        const settled = setImmediate().then(() => {
          events.push(`settled ${node}`);
          return true;
        });
        return { settled };
      },
    });
    // e does not wait for a to settle; b, which is behind a, does.
    expect(events.indexOf("visited e")).toBeLessThan(events.indexOf("visited b"));
    expect(events.indexOf("settled a")).toBeLessThan(events.indexOf("visited b"));
    expect(events.at(-1)).toBe("settled d");
  });

  test("visits ready nodes of a lower rank first", async () => {
    const order: string[] = [];
    await walk(diamond(), {
      parallelism: 1,
      rank: (node) => (node === "e" ? 0 : 1),
      visit: (node) => order.push(node) > 0,
    });
    expect(order).toEqual(["e", "a", "b", "c", "d"]);
  });

  test("starts others when a visit takes longer than its patience", async () => {
    const done: string[] = [];
    let release: (() => void) | undefined;
    await walk(diamond(), {
      parallelism: 1,
      patience: 1,
      visit: async (node) => {
        // a waits for the visit of e, which is behind it in the queue.
        if (node === "a") await new Promise<void>((resolve) => (release = resolve));
        if (node === "e") release?.();
        done.push(node);
        return true;
      },
    });
    expect(done.sort()).toEqual(["a", "b", "c", "d", "e"]);
  });

  test("does not count a visit that pauses, and counts it again when it goes on", async () => {
    let running = 0;
    let most = 0;
    const order: string[] = [];
    let release: (() => void) | undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const work = async () => {
      running++;
      most = Math.max(most, running);
      await setImmediate();
      running--;
    };
    await walk(diamond(), {
      parallelism: 1,
      visit: async (node, pause) => {
        order.push(node);
        await work();
        // a waits for the visit of e, which is behind it in the queue.
        if (node === "a") await pause(released);
        if (node === "e") release?.();
        await work();
        return true;
      },
    });
    expect(order).toEqual(["a", "e", "b", "c", "d"]);
    expect(most).toBe(1);
  });

  test("reports each node that is settled, and those that are never visited", async () => {
    const settled: [string, boolean][] = [];
    await walk(diamond(), {
      parallelism: 10,
      visit: (node) => Promise.resolve(node !== "b"),
      settled: (node, visited) => settled.push([node, visited]),
    });
    expect(settled.sort()).toEqual([
      ["a", true],
      ["b", true],
      ["c", true],
      ["d", false],
      ["e", true],
    ]);
  });

  test("fails the dependents of a node that fails to settle", async () => {
    const unvisited = await walk(diamond(), {
      parallelism: 10,
      visit: (node) => Promise.resolve({ settled: Promise.resolve(node !== "a") }),
    });
    expect([...unvisited].sort()).toEqual(["b", "c", "d"]);
  });

  test("skips only the dependents of a failure", async () => {
    const visited: string[] = [];
    const unvisited = await walk(diamond(), {
      parallelism: 1,
      visit: (node) => {
        visited.push(node);
        return node !== "b";
      },
    });
    expect(visited.sort()).toEqual(["a", "b", "c", "e"]);
    expect([...unvisited]).toEqual(["d"]);
  });

  test.each([1, 2, 7])("has %d visits under way at most", async (parallelism) => {
    const graph = new Graph<number>();
    for (let node = 0; node < 30; node++) graph.add(node);
    let underWay = 0;
    let most = 0;
    await walk(graph, {
      parallelism,
      visit: async () => {
        most = Math.max(most, ++underWay);
        await setImmediate();
        underWay--;
        return true;
      },
    });
    expect(most).toBe(parallelism);
  });

  test("starts nothing new once stopped, and ends with the running visits", async () => {
    const stop = new AbortController();
    const finished: string[] = [];
    const unvisited = await walk(diamond(), {
      parallelism: 10,
      stop: stop.signal,
      visit: async (node) => {
        if (node === "e") stop.abort();
        await setImmediate();
        finished.push(node);
        return true;
      },
    });
    expect(finished).toEqual(["a", "e"]);
    expect([...unvisited].sort()).toEqual(["b", "c", "d"]);
  });

  test("rejects with an exception when all visits have ended", async () => {
    let ended = false;
    const walking = walk(diamond(), {
      parallelism: 10,
      visit: async (node) => {
        if (node === "a") throw new Error("bug");
        await setImmediate();
        ended = true;
        return true;
      },
    });
    await expect(walking).rejects.toThrow("bug");
    expect(ended).toBe(true);
  });

  test("rejects at once when nodes are left and nothing is in flight", async () => {
    const graph = new Graph<string>();
    graph.connect("a", "b");
    graph.connect("b", "a");
    graph.add("c");
    const visited: string[] = [];
    const walking = walk(graph, {
      parallelism: 10,
      visit: async (node) => {
        await setImmediate();
        return visited.push(node) > 0;
      },
    });
    await expect(walking).rejects.toThrow(
      "the walk is stuck: 2 nodes are left and none is visited\na waits for b\nb waits for a",
    );
    expect(visited).toEqual(["c"]);
  });

  test("walks a long chain without a stack overflow", async () => {
    const graph = new Graph<number>();
    for (let node = 1; node < 20_000; node++) graph.connect(node, node - 1);
    let count = 0;
    await walk(graph, { parallelism: 1, visit: () => ++count > 0 });
    expect(count).toBe(20_000);
  });
});

test("a limit runs its tasks in order, and continues after one that fails", async () => {
  const limit = new Limit(1);
  const order: number[] = [];
  const results = await Promise.allSettled(
    [0, 1, 2].map((number) =>
      limit.run(async () => {
        await setImmediate();
        order.push(number);
        if (number === 0) throw new Error("no");
      }),
    ),
  );
  expect(order).toEqual([0, 1, 2]);
  expect(results.map(({ status }) => status)).toEqual(["rejected", "fulfilled", "fulfilled"]);
});

test("a limit does not wait for a task that takes longer than its patience", async () => {
  const limit = new Limit(1, 1);
  let release: (() => void) | undefined;
  const slow = limit.run(() => new Promise<void>((resolve) => (release = resolve)));
  await limit.run(() => Promise.resolve());
  release?.();
  await slow;
  // The place of the slow task is not given back twice.
  const order: string[] = [];
  const task = (name: string) => async () => {
    order.push(`${name} starts`);
    await Promise.resolve();
    order.push(`${name} ends`);
  };
  await Promise.all([limit.run(task("a")), limit.run(task("b"))]);
  expect(order).toEqual(["a starts", "a ends", "b starts", "b ends"]);
});
