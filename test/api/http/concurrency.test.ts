import { ConcurrencyLimit } from "../../../src/api/http/concurrency";
import { AbortedError } from "../../../src/api/errors";

/** Tasks that run until the test ends them. */
function tasks() {
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    started,
    task: (name: string) => () => {
      started.push(name);
      return new Promise<string>((resolve) => {
        ends.set(name, () => {
          resolve(name);
        });
      });
    },
    end: (name: string) => ends.get(name)?.(),
  };
}

test("runs a limited number of tasks, the others in order", async () => {
  const { started, task, end } = tasks();
  const limit = new ConcurrencyLimit(2);
  const [a, b, c, d] = ["a", "b", "c", "d"].map((name) => limit.run(task(name)));
  expect(started).toEqual(["a", "b"]);
  end("b");
  expect(await b).toBe("b");
  expect(started).toEqual(["a", "b", "c"]);
  end("a");
  await a;
  expect(started).toEqual(["a", "b", "c", "d"]);
  end("c");
  end("d");
  expect(await Promise.all([c, d])).toEqual(["c", "d"]);
});

test("starts the next task when one fails", async () => {
  const limit = new ConcurrencyLimit(1);
  const failing = limit.run(() => Promise.reject(new Error("failed")));
  const next = limit.run(() => Promise.resolve("done"));
  await expect(failing).rejects.toThrow("failed");
  expect(await next).toBe("done");
});

test("never starts a task that is aborted in the queue", async () => {
  const { started, task, end } = tasks();
  const limit = new ConcurrencyLimit(1);
  const abort = new AbortController();
  const first = limit.run(task("first"));
  const aborted = limit.run(task("aborted"), abort.signal);
  const last = limit.run(task("last"));
  abort.abort(new Error("enough"));
  await expect(aborted).rejects.toThrow(AbortedError);
  end("first");
  await first;
  await Promise.resolve();
  end("last");
  await last;
  expect(started).toEqual(["first", "last"]);
});
