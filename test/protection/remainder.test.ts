import fc from "fast-check";
import {
  compileScope,
  matchesScope,
  type Scope,
  type Where,
  type Workload,
} from "../../src/protection/policy";
import { findOutside, remainder } from "../../src/protection/remainder";
import { cases } from "../support/cases";

const listOf = (...patterns: readonly string[]) =>
  fc.array(fc.constantFrom(...patterns), { minLength: 1, maxLength: 3 });
const scope: fc.Arbitrary<Scope> = fc.record(
  {
    namespaces: listOf("a", "b*", "*b", "*a*", "*", "-a", "-b*"),
    labels: listOf("a", "b", "*", "-a", "--a"),
  },
  { requiredKeys: [] },
);
const where: fc.Arbitrary<Where> = fc.record({
  all: fc.array(scope, { maxLength: 2 }),
  none: fc.array(scope, { maxLength: 2 }),
});

const NAMESPACES = [null, "a", "b", "z", "ab", "ba", "bab", "za", "zb"];
const LABELS = [[], ["a"], ["b"], ["z"], ["a", "b"], ["-a"], ["b", "-a"]];
const WORKLOADS: readonly Workload[] = NAMESPACES.flatMap((namespace) =>
  LABELS.map((labels) => ({
    ...{ namespace, labels, image: null, container: null, host: null, account_id: null },
  })),
);

function isIn({ all, none }: Where, workload: Workload): boolean {
  const matches = (one: Scope) => matchesScope(compileScope(one), workload);
  return all.every(matches) && !none.some(matches);
}

test("each workload that is in no other region is in exactly one part of the remainder", () => {
  fc.assert(
    fc.property(where, fc.array(where, { maxLength: 3 }), (region, others) => {
      const parts = remainder(region, others);
      for (const one of WORKLOADS) {
        const isLeft = isIn(region, one) && !others.some((other) => isIn(other, one));
        expect(parts.filter((part) => isIn(part.where, one))).toHaveLength(isLeft ? 1 : 0);
      }
      for (const { where: part, example } of parts) expect(isIn(part, example!)).toBe(true);
      const outside = findOutside(region, others);
      expect(outside === null).toBe(parts.length === 0);
      if (outside) expect(others.some((other) => isIn(other, outside))).toBe(false);
    }),
    { numRuns: cases(100) },
  );
});
