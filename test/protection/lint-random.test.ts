import fc from "fast-check";
import { lintPolicies } from "../../src/protection/lint";
import type { Policy, Workload } from "../../src/protection/policy";
import { plainDecision } from "./plain-decision";

const pattern = fc
  .array(fc.constantFrom("a", "b", "*", "*"), { minLength: 1, maxLength: 3 })
  .map((letters) => letters.join(""));
const namespaces = fc.oneof(
  fc.array(pattern, { minLength: 1, maxLength: 2 }),
  fc.array(pattern, { maxLength: 2 }).map((some) => ["*", ...some.map((one) => `-${one}`)]),
);
const checks = fc.constantFrom<Policy["checks"]>({}, {}, { 41: true }, { 41: false }, { 51: true });
const policies = fc
  .array(fc.tuple(namespaces, checks), { maxLength: 6 })
  .map((some): readonly Policy[] =>
    some.map(([namespaces, checks], index) => ({
      name: `policy ${index}`,
      disabled: false,
      scope: { namespaces },
      checks,
    })),
  );

const NONE = { image: null, container: null, host: null, account_id: null, labels: [] };
const WORKLOADS: readonly Workload[] = [null, ...texts(6)].map((namespace) => ({
  ...NONE,
  namespace,
}));

test("the lint finds exactly the policies without which each workload has the same checks", () => {
  fc.assert(
    fc.property(policies, (set) => {
      const effects = effectsOf(set);
      const superfluous = [...set.keys()].filter((index) => {
        const others = set.filter((_, at) => at !== index);
        return effectsOf(others).every((effect, at) => effect === effects[at]);
      });
      const found = lintPolicies(set).filter(({ kind }) => kind !== "case");
      expect([...new Set(found.map(({ index }) => index))]).toEqual(superfluous);
    }),
    { numRuns: 300 },
  );
});

function effectsOf(set: readonly Policy[]): readonly string[] {
  return WORKLOADS.map((workload) =>
    JSON.stringify(set[plainDecision(set, workload)]?.checks ?? {}),
  );
}

function texts(length: number): readonly string[] {
  let [all, last]: [string[], string[]] = [[], [""]];
  for (let at = 0; at < length; at += 1) {
    last = last.flatMap((text) => ["a", "b", "z"].map((letter) => text + letter));
    all = [...all, ...last];
  }
  return all;
}
