import { readFileSync } from "node:fs";
import { join } from "node:path";
import { drawn, mutantsOf, mutated } from "../../scripts/loop/mutants";
import { RECORDED } from "../../scripts/loop/recorded";

const mutantTexts = (text: string) => mutantsOf(text).map((mutant) => mutated(text, mutant));

test.each([
  ["f(a === b);", ["f(a !== b);"]],
  ["f(a < b && c);", ["f(a < b || c);", "f(a <= b && c);"]],
  ['f("a" + b);', []],
  ["if (a) f(b);", ["if (!(a)) f(b);"]],
  ["f(a ? b : c);", ["f(!(a) ? b : c);"]],
  ["function g() { return a; }", ["function g() { return undefined as never; }"]],
  ["type A = B extends C ? D : E;", []],
])("mutants of %s", (text, expected) => {
  expect(mutantTexts(text)).toEqual(expected);
});

test("draws the same places for the same seed, and others for another", () => {
  const draw = (seed: number) => Array.from({ length: 20 }, (_, at) => drawn(seed, at, 1000));
  expect(draw(7)).toEqual(draw(7));
  expect(draw(8)).not.toEqual(draw(7));
  expect(new Set(draw(7)).size).toBeGreaterThan(15);
});

test.each(RECORDED)("the recorded mutant of $file has its place in it", ({ file, text }) => {
  const source = readFileSync(join(__dirname, "../..", file), "utf8");
  expect(source.split(text)).toHaveLength(2);
});
