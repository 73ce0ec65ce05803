import { expectLinear } from "../../support/growth";
import { valueOf } from "./scope";

/* With quadratic time these would not end within the time limit of a test. */
test.each([
  ["can(tonumber(local.digits))"],
  ['can(timeadd("2020-01-01T00:00:00Z", local.digits))'],
])("%s ends for a text of a million digits", async (expression) => {
  const digits = `${"7".repeat(1_000_000)}x`;
  const value = await valueOf(`result: \${${expression}}`, { "local.digits": digits });
  expect(value).toBe("result: false");
});

const list = 'split(",", local.words)';

test.each([
  [`length(setsubtract(${list}, ${list}))`, () => 0],
  [`length(setintersection(${list}, ${list}))`, (length: number) => length],
  [`length(matchkeys(${list}, ${list}, ${list}))`, (length: number) => length],
])("%s takes time in proportion to its input", (expression, expected) =>
  expectLinear(async (length) => {
    const words = Array.from({ length }, (_, index) => `w${index}`).join(",");
    const value = await valueOf(`result: \${${expression}}`, { "local.words": words });
    expect(value).toBe(`result: ${expected(length)}`);
  }, 1_000),
);
