import { availableParallelism } from "node:os";
import { defaultParallelism } from "../../../src/runtime/plan/open-stacks";

test("ten operations run at once in one stack, and more in many stacks, as processors allow", () => {
  const most = 50 * availableParallelism();
  expect([1, 2].map(defaultParallelism)).toEqual([10, 10]);
  expect(defaultParallelism(10)).toBe(Math.min(40, most));
  expect(defaultParallelism(10_000)).toBe(most);
});
