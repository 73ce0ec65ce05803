import fc from "fast-check";
import { shortfalls, violations, type Requirement } from "../../src/protection/contract";
import { waive, type Waiver } from "../../src/protection/waiver";
import {
  compileScope,
  effectOf,
  matchesScope,
  type CheckEffect,
  type Policy,
  type Scope,
  type Where,
  type Workload,
} from "../../src/protection/policy";
import type { Region } from "../../src/protection/compare";
import { plainDecision } from "./plain-decision";

/** 50 pairs with the other tests; `PROTECTION_PAIRS=10000` for the long run. */
const PAIRS = Number(process.env.PROTECTION_PAIRS ?? 50);

/** Two fields with short patterns, so that all workloads which differ can be enumerated. */
const TEXTS = ["a", "b", "z", "aa", "ab", "az", "ba", "bb", "za", "aab", "aba", "bab"];
const VALUES: readonly (string | null)[] = [null, ...TEXTS];
const WORKLOADS: readonly Workload[] = VALUES.flatMap((namespace) =>
  VALUES.map((image) => ({
    image,
    namespace,
    container: null,
    host: null,
    account_id: null,
    labels: [],
  })),
);
const CHECKS = ["41", "51"];

const pattern = fc.constantFrom("a", "b", "a*", "*b", "b*", "*a*", "*", "-a", "-b*", "-a*", "ab");
const patterns = fc.array(pattern, { minLength: 1, maxLength: 3 });
const scope: fc.Arbitrary<Scope> = fc.record(
  { namespaces: patterns, images: patterns },
  { requiredKeys: [] },
);
const checks = fc.dictionary(fc.constantFrom(...CHECKS), fc.boolean());
const policy: fc.Arbitrary<Policy> = fc.record({
  name: fc.constantFrom("p", "q", "r"),
  disabled: fc.oneof({ weight: 5, arbitrary: fc.constant(false) }, fc.boolean()),
  scope,
  checks,
});
const policies = fc.array(policy, { maxLength: 6 });
const where: fc.Arbitrary<Where> = fc.record({
  all: fc.array(scope, { maxLength: 2 }),
  none: fc.array(scope, { maxLength: 2 }),
});
const requirement: fc.Arbitrary<Requirement> = fc.record({
  name: fc.constant("required"),
  where,
  checks,
});
const effect: fc.Arbitrary<CheckEffect> = fc.constantFrom("blocks", "alerts", null);
const waiver: fc.Arbitrary<Waiver> = fc.record({
  where,
  checks: fc
    .dictionary(fc.constantFrom(...CHECKS), fc.record({ from: effect, to: effect }))
    .map((entries) => new Map(Object.entries(entries))),
});

const RANK = { blocks: 2, alerts: 1, null: 0 };
const rank = (one: CheckEffect) => RANK[`${one}`];

function effectFor(set: readonly Policy[], workload: Workload, id: string): CheckEffect {
  return effectOf(set[plainDecision(set, workload)] ?? null, id);
}

/** True if one policy with the scope, and no other, decides for the workload. */
function isIn(some: Scope, workload: Workload): boolean {
  return plainDecision([{ name: "", disabled: false, scope: some, checks: {} }], workload) === 0;
}

function isWithin({ all, none }: Where, workload: Workload): boolean {
  return all.every((some) => isIn(some, workload)) && !none.some((some) => isIn(some, workload));
}

function regionHas({ where: { all, none } }: Pick<Region, "where">, workload: Workload): boolean {
  const matches = (one: Scope) => matchesScope(compileScope(one), workload);
  return all.every(matches) && !none.some(matches);
}

/** Check IDs for which the policies do less than `least` for the workload. */
function lacking(
  set: readonly Policy[],
  workload: Workload,
  least: (id: string) => CheckEffect,
): readonly string[] {
  return CHECKS.filter((id) => rank(effectFor(set, workload, id)) < rank(least(id)));
}

function claimed(found: readonly { readonly region: Region }[], workload: Workload) {
  const regions = found.map(({ region }) => region).filter((region) => regionHas(region, workload));
  return regions.flatMap((region) => region.checks.map(({ id }) => id)).sort();
}

test("a requirement is violated for exactly the workloads of which the plain function says so", () => {
  fc.assert(
    fc.property(policies, requirement, (set, one) => {
      const found = violations(set, one);
      const least =
        (workload: Workload) =>
        (id: string): CheckEffect => {
          return isWithin(one.where, workload)
            ? effectOf({ ...one, disabled: false, scope: {} }, id)
            : null;
        };
      const examples = found.flatMap(({ region }) => region.example ?? []);
      expect(examples).toHaveLength(found.length);
      for (const workload of [...WORKLOADS, ...examples]) {
        expect(claimed(found, workload)).toEqual(lacking(set, workload, least(workload)));
      }
      for (const { region } of found) {
        expect(region.certainty).toBe("certain");
        expect(regionHas(region, region.example!)).toBe(true);
        expect(region.after.position ?? 0).toBe(plainDecision(set, region.example!) + 1);
      }
    }),
    { numRuns: PAIRS },
  );
}, 3_600_000);

test("a set falls short of a base line for exactly the workloads that it protects less", () => {
  fc.assert(
    fc.property(policies, policies, (set, base) => {
      const found = shortfalls(set, base);
      for (const workload of WORKLOADS) {
        const least = (id: string) => effectFor(base, workload, id);
        expect(claimed(found, workload)).toEqual(lacking(set, workload, least));
      }
    }),
    { numRuns: PAIRS },
  );
}, 3_600_000);

test("a policy that would be enough matches the example and does what is required", () => {
  fc.assert(
    fc.property(policies, requirement, (set, one) => {
      for (const { region, enough } of violations(set, one)) {
        if (!enough) continue;
        const moved = set[enough.position! - 1]!;
        expect(enough.position!).toBeGreaterThan(region.after.position!);
        expect(plainDecision([moved], region.example!)).toBe(0);
        for (const { id, before } of region.checks) {
          expect(rank(effectOf(moved, id))).toBeGreaterThanOrEqual(rank(before));
        }
      }
    }),
    { numRuns: PAIRS },
  );
}, 3_600_000);

test("a weakening is waived if each of its workloads is, for each of its checks", () => {
  fc.assert(
    fc.property(policies, policies, fc.array(waiver, { maxLength: 3 }), (set, base, waivers) => {
      for (const { region } of shortfalls(set, base)) {
        const { by, outside } = waive(region, waivers);
        const contained = (workload: Workload, some: readonly Waiver[]) =>
          region.checks.every(({ id, before, after }) =>
            some.some(({ where, checks: allowed }) => {
              const { from, to } = allowed.get(id) ?? {};
              if (from === undefined || to === undefined) return false;
              const allows = rank(before) <= rank(from) && rank(after) >= rank(to);
              return allows && isWithin(where, workload);
            }),
          );
        const members = [...WORKLOADS, region.example!].filter((one) => regionHas(region, one));
        const open = members.filter((one) => !contained(one, waivers));
        if (outside === undefined) {
          expect(open).toEqual([]);
          for (const one of members) expect(contained(one, by)).toBe(true);
          continue;
        }
        expect(by).toEqual([]);
        if (outside === null) {
          expect(open).toEqual(members);
          continue;
        }
        expect(regionHas(region, outside)).toBe(true);
        expect(contained(outside, waivers)).toBe(false);
      }
    }),
    { numRuns: PAIRS },
  );
}, 3_600_000);
