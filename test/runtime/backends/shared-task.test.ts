import { SharedTask } from "../../../src/runtime/backends/shared-task";

it("shares the next run between all that ask during a run", async () => {
  let runs = 0;
  const task = new SharedTask(async () => {
    runs += 1;
    await new Promise(setImmediate);
  });
  const first = task.run();
  await Promise.resolve();
  await Promise.all([first, task.run(), task.run(), task.run()]);
  expect(runs).toBe(2);
});

it("rejects those of a run that fails, and begins a new one for the next", async () => {
  const answers = [Promise.reject(new Error("the disk is full")), Promise.resolve()];
  const task = new SharedTask(() => answers.shift() ?? Promise.resolve());
  await expect(Promise.all([task.run(), task.run()])).rejects.toThrow("the disk is full");
  await task.ended();
  await expect(task.run()).resolves.toBeUndefined();
});
