import { valueOf } from "./scope";

/* With quadratic time these would not end within the time limit of a test. */

const digits = `${"7".repeat(1_000_000)}x`;
const words = Array.from({ length: 200_000 }, (_, index) => `w${index}`).join(",");
const list = 'split(",", local.words)';

test.each([
  ["can(tonumber(local.digits))", "false"],
  ['can(timeadd("2020-01-01T00:00:00Z", local.digits))', "false"],
  [`length(setsubtract(${list}, ${list}))`, "0"],
  [`length(setintersection(${list}, ${list}))`, "200000"],
  [`length(matchkeys(${list}, ${list}, ${list}))`, "200000"],
])("%s takes time in proportion to its input", async (expression, expected) => {
  const values = { "local.digits": digits, "local.words": words };
  expect(await valueOf(`result: \${${expression}}`, values)).toBe(`result: ${expected}`);
});
