import fc from "fast-check";
import { compareProtection, type Region } from "../../src/protection/compare";
import {
  compileScope,
  matchesPolicy,
  effectOf,
  matchesScope,
  type Policy,
  type Scope,
  type Workload,
} from "../../src/protection/policy";
import { plainDecision } from "./plain-decision";
import { fewFields, pair, policies, policy, workload } from "./random-policies";

/** 150 pairs with the other tests; `PROTECTION_PAIRS=10000` for the long run. */
const PAIRS = Number(process.env.PROTECTION_PAIRS ?? 150);

test("each workload is in exactly the regions that claim it, and each example is one", () => {
  fc.assert(
    fc.property(pair, fc.array(workload, { minLength: 40, maxLength: 40 }), (sets, workloads) => {
      const [before, after] = sets;
      const regions = compareProtection(before, after);
      for (const { certainty, example } of regions) {
        expect(certainty).toBe("certain");
        expect(example).not.toBeNull();
      }
      const examples = regions.flatMap(({ example }) => example ?? []);
      for (const one of [...workloads, ...examples, ...neighbours(regions)]) {
        const claimed = regions.filter((region) => isIn(region, one)).map(claimOf);
        expect(claimed.sort()).toEqual(claimsFor(before, after, one).sort());
      }
      for (const region of regions) expect(isIn(region, region.example!)).toBe(true);
    }),
    { numRuns: PAIRS },
  );
}, 3_600_000);

test("one function decides as the rules are written", () => {
  fc.assert(
    fc.property(policies, workload, (set, one) => {
      const decides = (policy: Policy) => !policy.disabled && matchesPolicy(policy, one);
      expect(set.findIndex(decides)).toBe(plainDecision(set, one));
    }),
    { numRuns: 2_000 },
  );
});

test("no scope that a region names can be left out", () => {
  fc.assert(
    fc.property(pair, ([before, after]) => {
      for (const { where } of compareProtection(before, after)) {
        const keys = [...where.all, ...where.none].map((one) => JSON.stringify(one));
        expect(new Set(keys).size).toBe(keys.length);
      }
    }),
    { numRuns: Math.min(PAIRS, 500) },
  );
});

/** The examples with one member of another: workloads at the regions' edges. */
function neighbours(regions: readonly Region[]): Workload[] {
  const examples = regions.flatMap(({ example }) => example ?? []).slice(0, 6);
  return examples.flatMap((one) =>
    examples.flatMap((other) =>
      (Object.keys(one) as (keyof Workload)[]).map((key) => ({ ...one, [key]: other[key] })),
    ),
  );
}

function isIn({ where: { all, none } }: Region, one: Workload): boolean {
  const matches = (some: Scope) => matchesScope(compileScope(some), one);
  return all.every(matches) && !none.some(matches);
}

function claimOf({ change, before, after, checks }: Region): string {
  return JSON.stringify([change, before.position, after.position, checks]);
}

/** The regions that the plain function puts one workload in. */
function claimsFor(before: readonly Policy[], after: readonly Policy[], one: Workload): string[] {
  const [was, is] = [plainDecision(before, one), plainDecision(after, one)];
  const rank = { blocks: 2, alerts: 1, null: 0 };
  const changes = ["41", "51", "599"].flatMap((id) => {
    const [old, now] = [effectOf(before[was] ?? null, id), effectOf(after[is] ?? null, id)];
    return old === now ? [] : [{ id, before: old, after: now }];
  });
  return (["weaker", "stronger"] as const).flatMap((change) => {
    const checks = changes.filter(
      (each) => rank[`${each.after}`] < rank[`${each.before}`] === (change === "weaker"),
    );
    const position = (index: number) => (index < 0 ? null : index + 1);
    return checks.length > 0 ? [JSON.stringify([change, position(was), position(is), checks])] : [];
  });
}

test("what is certain holds for each scope that an unknown one can turn out to have", () => {
  fc.assert(
    fc.property(
      policies,
      policies,
      fc.nat(),
      policy,
      fc.array(fewFields, { minLength: 3, maxLength: 3 }),
      fc.array(workload, { minLength: 20, maxLength: 20 }),
      (before, others, place, given, narrower, workloads) => {
        const at = place % (others.length + 1);
        const inPlace = (one: Policy) => [...others.slice(0, at), one, ...others.slice(at)];
        const open: Policy = { ...given, disabled: false, unknown: "scope" };
        const regions = compareProtection(before, inPlace(open)).filter(
          ({ certainty }) => certainty === "certain",
        );
        const instances = [
          { ...given, disabled: true },
          { ...given, disabled: false },
          ...narrower.map((scope) => ({ ...given, disabled: false, scope: within(given, scope) })),
        ].map(inPlace);
        const examples = regions.flatMap(({ example }) => example ?? []);
        for (const one of [...examples, ...workloads])
          for (const region of regions.filter((some) => isIn(some, one)))
            for (const after of instances)
              expect(claimsFor(before, after, one)).toContainEqual(claimOf(region));
      },
    ),
    { numRuns: Math.ceil(PAIRS / 5) },
  );
});

/** The scope of a policy with the exemptions of another one, and its patterns where it has all. */
function within({ scope: bound }: Policy, narrower: Scope): Scope {
  const fields = Object.entries(narrower).map(([field, some = []]) => {
    const all = bound[field as keyof Scope] ?? ["*"];
    const isOpen = all.length === 1 && all[0] === "*";
    const exempted = some.filter((one) => one.startsWith("-"));
    return [field, isOpen ? some : [...all, ...exempted]] as const;
  });
  return { ...bound, ...Object.fromEntries(fields) };
}
