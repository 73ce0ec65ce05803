import { didYouMean } from "../../src/core/suggest";

test("suggests the most similar name", () => {
  expect(didYouMean("jsonencod", ["jsondecode", "jsonencode"])).toBe(' Did you mean "jsonencode"?');
});

test("counts two letters in the wrong order as one mistake", () => {
  expect(didYouMean("plna", ["plan", "apply"])).toBe(' Did you mean "plan"?');
});

test("suggests nothing for a name that is far from all others", () => {
  expect(didYouMean("a", ["jsondecode", "jsonencode"])).toBe("");
});

test("compares no names that are very long", () => {
  const long = "x".repeat(100_000);
  const { user } = process.cpuUsage();
  expect(didYouMean(long, [...Array<string>(100).fill("jsonencode"), `${long}y`])).toBe("");
  expect(process.cpuUsage().user - user).toBeLessThan(1_000_000);
});
