import { valueOf } from "./scope";

/** Patterns that take exponential time where a matcher backtracks. */
const text = `${"a".repeat(50_000)}b`;

test.each([
  ['${length(regexall("(a+)+$", local.text))} found', "0 found"],
  ['${length(regexall("(a|a)*$", local.text))} found', "1 found"],
  ['${replace(local.text, "/(a*)*c/", "-")}', text],
  ['found: ${can(regex("^(a|aa)+$", local.text))}', "found: false"],
])("%s takes linear time", async (expression, expected) => {
  const { user } = process.cpuUsage();
  expect(await valueOf(expression, { "local.text": text })).toBe(expected);
  expect(process.cpuUsage().user - user).toBeLessThan(5_000_000);
});
