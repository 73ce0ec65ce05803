import fc from "fast-check";
import { isFaulty } from "../../src/simulator/faults";

const text = fc.string({ unit: fc.constantFrom("a", "b", ".", "-", "\n"), maxLength: 8 });
const pattern = fc.string({ unit: fc.constantFrom("a", "b", ".", "*"), maxLength: 6 });

/** Compares by definition: a star is any text. */
function isMatch(pattern: string, name: string): boolean {
  if (pattern === "") return name === "";
  const first = pattern.slice(0, 1);
  const rest = pattern.slice(1);
  if (first !== "*") return name.startsWith(first) && isMatch(rest, name.slice(1));
  return [...Array(name.length + 1).keys()].some((skip) => isMatch(rest, name.slice(skip)));
}

const fault = (tenant: string) => ({ tenant }) as Parameters<typeof isFaulty>[0];

test("a fault concerns the consoles whose names its pattern matches", () => {
  fc.assert(
    fc.property(pattern, text, (tenant, name) => {
      expect(isFaulty(fault(tenant), name)).toBe(isMatch(tenant, name));
    }),
    { numRuns: 2000 },
  );
});

test("a pattern of many stars is compared in a moment", () => {
  expect(isFaulty(fault(`${"*a".repeat(5_000)}b`), "a".repeat(20_000))).toBe(false);
});
