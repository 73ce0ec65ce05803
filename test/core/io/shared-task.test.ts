import { SharedTask } from "../../../src/core/io/shared-task";

test("shares the next run between all that ask during a run", async () => {
  const runs: (() => void)[] = [];
  const task = new SharedTask(() => new Promise((end) => void runs.push(end)));
  const first = task.run();
  await new Promise(setImmediate);
  const others = [task.run(), task.run(), task.run()];
  runs[0]?.();
  await first;
  await new Promise(setImmediate);
  runs[1]?.();
  await Promise.all(others);
  expect(runs).toHaveLength(2);
});

test("rejects those of a run that fails, and begins a new one for the next", async () => {
  const answers = [Promise.reject(new Error("the disk is full")), Promise.resolve()];
  const task = new SharedTask(() => answers.shift() ?? Promise.resolve());
  await expect(Promise.all([task.run(), task.run()])).rejects.toThrow("the disk is full");
  await task.ended();
  await expect(task.run()).resolves.toBeUndefined();
});
