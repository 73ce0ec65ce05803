import { globMatcher, isGlob, literalPrefix } from "../../../src/fleet/selection/glob";

test.each([
  ["tenant-*", ["tenant-", "tenant-1", "tenant-a-b"], ["Tenant-1", "xtenant-1"]],
  ["*-eu", ["a-eu"], ["a-eu-1"]],
  ["t?", ["t1"], ["t", "t12"]],
  ["t[1-3x]", ["t1", "t3", "tx"], ["t4", "t-"]],
  ["t[!1-3]", ["t4"], ["t2"]],
  ["{a,b*}-eu", ["a-eu", "bc-eu"], ["c-eu", "ab-eu"]],
  ["a.b", ["a.b"], ["axb"]],
  ["a[", ["a["], ["a"]],
  ["t[c-a]", ["tc", "t-", "ta"], ["tb"]],
  ["a(b|c)+", ["a(b|c)+"], ["ab"]],
  ["[😀-ﬀ]*", ["😀", "-x", "ﬀ"], ["x"]],
  ["[ﬀ-😀]", ["ﬀ", "😀"], ["-"]],
  ["[\ud800-\udfff]", ["\ud800"], ["a"]],
  ["{a,{b,c}}", ["{a,b}", "{a,c}"], ["a", "b"]],
  ["{*,}{,?}", ["", "a", "abc"], []],
])("%s matches whole names", (glob, matching, others) => {
  const matches = globMatcher(glob);
  expect(matching.filter((name) => !matches(name))).toEqual([]);
  expect(others.filter(matches)).toEqual([]);
});

test("a name without special characters is no pattern", () => {
  expect(["tenant-1", "a.b", "é"].some(isGlob)).toBe(false);
  expect(["a*", "a?", "a[b]", "{a}"].every(isGlob)).toBe(true);
  expect(literalPrefix("tenant-*")).toBe("tenant-");
});

test("takes time in proportion to the pattern and the text", () => {
  const matches = globMatcher(`${"*a".repeat(200)}b`);
  expect(matches("a".repeat(1000))).toBe(false);
  expect(matches(`${"a".repeat(1000)}b`)).toBe(true);
});
