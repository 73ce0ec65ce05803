import fc from "fast-check";
import { compareProtection } from "../../src/protection/compare";
import {
  compileScope,
  matchesScope,
  type Policy,
  type Workload,
} from "../../src/protection/policy";

const letters = (names: readonly string[]) =>
  fc.array(fc.constantFrom(...names), { minLength: 1, maxLength: 4 }).map((some) => some.join(""));
const exemption = letters(["a", "b", "*"]).map((one) => `-${one}`);
const patterns = fc.oneof(
  fc.array(letters(["a", "b", "*", "*"]), { minLength: 1, maxLength: 2 }),
  fc.array(exemption, { minLength: 1, maxLength: 2 }).map((some) => ["*", ...some]),
);
const policies = fc
  .array(fc.tuple(patterns, fc.constantFrom("41", "51", "599")), { maxLength: 6 })
  .map((some): readonly Policy[] =>
    some.map(([namespaces, id], index) => ({
      name: `policy ${index}`,
      disabled: false,
      scope: { namespaces },
      checks: { [id]: true },
    })),
  );

const NONE = { image: null, container: null, host: null, account_id: null, labels: [] };
const WORKLOADS: readonly Workload[] = [null, ...texts(6)].map((namespace) => ({
  ...NONE,
  namespace,
}));

test("each scope that a region leaves out takes something away which no other one does", () => {
  fc.assert(
    fc.property(policies, policies, (before, after) => {
      for (const { where } of compareProtection(before, after)) {
        for (const [index, one] of where.none.entries()) {
          const inside = [...where.all, one].map(compileScope);
          const others = where.none.filter((_, at) => at !== index).map(compileScope);
          const isNeeded = (workload: Workload) =>
            inside.every((each) => matchesScope(each, workload)) &&
            !others.some((each) => matchesScope(each, workload));
          expect([where, one, WORKLOADS.some(isNeeded)]).toEqual([where, one, true]);
        }
      }
    }),
    { numRuns: 300 },
  );
});

function texts(length: number): readonly string[] {
  if (length === 0) return [];
  const shorter = texts(length - 1);
  const longer = shorter
    .filter((text) => text.length === length - 1)
    .flatMap((text) => ["a", "b", "z"].map((letter) => text + letter));
  return length === 1 ? ["a", "b", "z"] : [...shorter, ...longer];
}
