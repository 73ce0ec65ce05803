import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { proposal } from "../../src/cli/contract/proposal";
import { readContract } from "../../src/cli/contract/read-contract";
import { compareProtection, type Region } from "../../src/protection/compare";
import { shortfalls } from "../../src/protection/contract";
import { effectOf, rankOf, type Policy, type Workload } from "../../src/protection/policy";
import { waive, type Waiver } from "../../src/protection/waiver";
import { plainDecision } from "../protection/plain-decision";

/** 12 changes with the other tests; `PROTECTION_PAIRS=2000` for the long run. */
const CHANGES = Number(process.env.PROTECTION_PAIRS ?? 12);

/* Short patterns, so that all workloads which differ can be enumerated. */
const TEXTS = [null, "a", "b", "z", "aa", "ab", "az", "ba", "za", "aab", "bab"];
const LABELS = [[], ["a"], ["b"], ["z"], ["a", "b"], ["-a"], ["a", "-b"], ["ab"], ["-ab", "b"]];
const WORKLOADS: readonly Workload[] = TEXTS.flatMap((namespace) =>
  [null, "a", "b", "ab", "z"].flatMap((image) =>
    LABELS.map((labels) => ({
      ...{ image, namespace, labels, container: null, host: null, account_id: null },
    })),
  ),
);
const CHECKS = ["41", "51"];

const listOf = (...patterns: readonly string[]) =>
  fc.array(fc.constantFrom(...patterns), { minLength: 1, maxLength: 3 });
const scope = fc.record(
  {
    namespaces: listOf("a", "b", "a*", "*b", "*a*", "*", "-a", "-b*", "-a*"),
    images: listOf("a", "a*", "*", "-a", "-*b"),
    labels: listOf("a", "b", "*", "-a", "--a", "--*", "a*"),
  },
  { requiredKeys: [] },
);
const policy: fc.Arbitrary<Policy> = fc.record({
  name: fc.constantFrom("p", "q", "r"),
  disabled: fc.oneof({ weight: 5, arbitrary: fc.constant(false) }, fc.boolean()),
  scope,
  checks: fc.dictionary(fc.constantFrom(...CHECKS), fc.boolean(), { minKeys: 1 }),
});
const exemption = policy.map((one): Policy => ({ ...one, disabled: false, checks: {} }));
const policies = fc.array(policy, { minLength: 1, maxLength: 5 });

/** Puts a policy in a place, in front of what is there or instead of it, or removes that. */
const edit = fc.record({
  at: fc.nat({ max: 5 }),
  removed: fc.nat({ max: 1 }),
  added: fc.option(fc.oneof(policy, exemption)),
});
interface Edit {
  readonly at: number;
  readonly removed: number;
  readonly added: Policy | null;
}
function edited(set: readonly Policy[], { at, removed, added }: Edit) {
  const copy = [...set];
  copy.splice(at % (set.length + 1), removed, ...(added ? [added] : []));
  return copy;
}

/** The ranks of the effects on each workload, by the plain function. */
function ranks(set: readonly Policy[], workloads: readonly Workload[]): readonly number[][] {
  return workloads.map((one) => {
    const decider = set[plainDecision(set, one)] ?? null;
    return CHECKS.map((id) => rankOf(effectOf(decider, id)));
  });
}

const weakerIn = (before: readonly Policy[], after: readonly Policy[]) =>
  compareProtection(before, after, ["weaker"]);

/** Signs a proposal, and reads it as a contract. */
async function signed(proposed: string): Promise<readonly Waiver[]> {
  const folder = mkdtempSync(join(tmpdir(), "proposal-"));
  const text = proposed.replaceAll(/: ""$/gm, (_, at: number) =>
    proposed.slice(0, at).endsWith("expires") ? ": 2999-01-01" : ": me",
  );
  writeFileSync(join(folder, "signed.yaml"), text);
  const { contract, diagnostics } = await readContract(folder, "signed.yaml");
  rmSync(folder, { recursive: true });
  expect(diagnostics).toEqual([]);
  return contract.waivers;
}

const passes = (regions: readonly Region[], waivers: readonly Waiver[]) =>
  regions.every((region) => waive(region, waivers).outside === undefined);

/** Finds workloads that have less than before, and less than with the change that is signed. */
function losing(
  before: readonly Policy[],
  after: readonly Policy[],
  workloads: readonly Workload[],
): (further: readonly Policy[]) => boolean {
  const [was, signedFor] = [ranks(before, workloads), ranks(after, workloads)];
  return (further) =>
    ranks(further, workloads).some((effects, at) =>
      effects.some((rank, nth) => rank < Math.min(was[at]![nth]!, signedFor[at]![nth]!)),
    );
}

test("a signed proposal lets through its change, and no other one by which a workload loses more", async () => {
  let refused = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.tuple(policies, policies, edit, fc.boolean()),
      policies,
      fc.array(edit, { minLength: 10, maxLength: 10 }),
      async ([before, unrelated, first, isEdited], base, edits) => {
        const after = isEdited ? edited(before, first) : unrelated;
        const found = [
          weakerIn(before, after),
          shortfalls(after, base).map(({ region }) => region),
        ];
        const needed = found.map((regions) => ({
          stack: "prod",
          regions: regions.map((region) => ({ region, enough: null, outside: null })),
          isHidden: false,
        }));
        const waivers = await signed(proposal(needed, new Map()));
        expect(found.every((regions) => passes(regions, waivers))).toBe(true);
        for (const waiver of waivers) {
          const others = waivers.filter((one) => one !== waiver);
          expect(found.every((regions) => passes(regions, others))).toBe(false);
        }
        const own = await signed(proposal(needed.slice(0, 1), new Map()));
        const loses = losing(before, after, WORKLOADS);
        for (const one of edits) {
          const further = edited(after, one);
          const witnesses = weakerIn(before, further).flatMap((region) => {
            const { outside } = waive(region, own);
            return outside === undefined ? [] : [outside ?? region.example!];
          });
          if (witnesses.length === 0) expect(loses(further)).toBe(false);
          for (const witness of witnesses) {
            expect(losing(before, after, [witness])(further)).toBe(true);
          }
          refused += witnesses.length > 0 ? 1 : 0;
        }
      },
    ),
    { numRuns: CHANGES },
  );
  expect(refused).toBeGreaterThan(0);
}, 3_600_000);
