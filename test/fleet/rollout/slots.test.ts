import { Slots } from "../../../src/fleet/rollout/slots";

const waitsFor = (...pairs: readonly (readonly [string, string])[]) =>
  new Map(pairs.map(([stack, other]) => [stack, new Set([other])]));

test("counts a unit whose other stack failed before the first write", async () => {
  const slots = new Slots({
    stacks: ["a", "b", "c", "d"],
    awaited: waitsFor(["a", "b"], ["b", "a"]),
    allowedFailures: () => 1,
  });
  slots.failed("a");
  slots.ended("a");
  expect(await slots.take("b")).toBe(true);
  slots.ended("b");
  // One more may fail.
  expect(await slots.take("c")).toBe(true);
  const asked = slots.take("d");
  slots.failed("c");
  slots.ended("c");
  slots.close();
  expect(await asked).toBe(false);
});

test("does not count a failure without a write", async () => {
  const slots = new Slots({ stacks: ["a", "b"], awaited: new Map(), allowedFailures: () => 0 });
  slots.failed("a");
  slots.ended("a");
  expect(await slots.take("b")).toBe(true);
});

test("grants slots when the limits are raised", async () => {
  const limits = { allowedFailures: 0, most: 1 };
  const slots = new Slots({
    stacks: ["a", "b", "c"],
    awaited: new Map(),
    allowedFailures: () => limits.allowedFailures,
    most: () => limits.most,
  });
  expect(await slots.take("a")).toBe(true);
  const granted: string[] = [];
  const asked = ["b", "c"].map(async (stack) => {
    if (await slots.take(stack)) granted.push(stack);
  });
  limits.most = 3;
  slots.grant();
  await Promise.resolve();
  expect(granted).toEqual([]);
  limits.allowedFailures = 2;
  slots.grant();
  await Promise.all(asked);
  expect(granted).toEqual(["b", "c"]);
});
