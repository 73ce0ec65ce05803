import fc from "fast-check";
import type { Region } from "../../../src/protection/compare";
import {
  compileScope,
  matchesScope,
  type Scope,
  type Workload,
} from "../../../src/protection/policy";
import type { ObjectValue } from "../../../src/core/values";
import type { ResourceChange } from "../../../src/core/documents/stack-plan";
import {
  countWeaker,
  reviewDrift,
  reviewProtection,
  type ProtectionReview,
} from "../../../src/review/protection/review-protection";
import { describeProtection } from "../../../src/review/protection/protection-text";
import { policyChange } from "../entries/changes";
import { protecting } from "./sets";

/** 50 plans with the other tests; `PROTECTION_PLANS=10000` for the long run. */
const PLANS = Number(process.env.PROTECTION_PLANS ?? 50);

const DEFAULT = "Default - ignore own components";
const one = (change: ResourceChange): ProtectionReview => {
  const [review] = reviewProtection({ changes: [change] }).values();
  if (!review) throw new Error("the change has no review");
  return review;
};
const lines = ({ regions }: Pick<ProtectionReview, "regions">) =>
  regions.map(({ change, certainty, checks, before, after }) =>
    [
      change,
      certainty,
      checks.map(({ id }) => id).join(),
      `${before.policy ?? before.unknown ?? "none"} -> ${after.policy ?? after.unknown ?? "none"}`,
    ].join(" | "),
  );

const root = protecting("root", { namespaces: ["prod-*"] }, "599");
const all = protecting("all", {}, "~41");
const prefix = { object: { ownership: "prefix" } };
const suffix = { object: { ownership: "suffix" } };

describe("policies that a plan does not hold", () => {
  test("lie behind a set that is a prefix: what is added there may weaken", () => {
    expect(lines(one(policyChange([root], [root, all], prefix)))).toEqual([
      "weaker | possible |  | unmanaged policies -> all",
      "stronger | possible | 41 | unmanaged policies -> all",
    ]);
    expect(lines(one(policyChange([root], [], prefix)))).toEqual([
      "weaker | possible | 599 | root -> unmanaged policies",
      "stronger | possible |  | root -> unmanaged policies",
    ]);
  });

  test("lie in front of a set that is a suffix: all of it is possible", () => {
    const weaker = protecting("root", { namespaces: ["prod-*"] }, "~599");
    expect(lines(one(policyChange([root], [weaker], suffix)))).toEqual([
      "weaker | possible | 599 | root -> root",
    ]);
    expect(lines(one(policyChange([root], [], suffix)))).toEqual([
      "weaker | possible | 599 | root -> none",
    ]);
  });

  test.each([
    ["is disabled", { ...all, disabled: true }],
    ["has no checks, behind those that have some", protecting("last", {})],
  ])("do not weaken a suffix that gets a policy which %s", (_, added) => {
    const { regions } = one(policyChange([root], [root, added], suffix));
    expect(regions.filter(({ change }) => change === "weaker")).toEqual([]);
  });

  test("may have a policy that a suffix takes over from a place in front of others", () => {
    expect(lines(one(policyChange([root], [root, all], suffix)))).toEqual([
      "weaker | possible | 41 | unmanaged policies -> unmanaged policies",
      "stronger | possible |  | unmanaged policies -> unmanaged policies",
      "weaker | possible | 41 | unmanaged policies -> root",
      "stronger | possible | 599 | unmanaged policies -> root",
      "stronger | possible | 41 | none -> all",
    ]);
  });

  test("leave what is in front of them certain, and no change where there is none", () => {
    const weaker = protecting("root", { namespaces: ["prod-*"] }, "~599");
    expect(lines(one(policyChange([root], [weaker], prefix)))).toEqual([
      "weaker | certain | 599 | root -> root",
    ]);
    const renamed = one(policyChange([root], [{ ...root, name: "no-root" }], prefix));
    expect(renamed.complete).toBe(false);
    expect(describeProtection(renamed).headline).toBe("Protection does not change");
  });

  test("may be in front of managed ones that are not in their position", () => {
    const { object } = prefix;
    const change = policyChange([root], [root], { object: { ...object, in_position: false } });
    const moved = { ...change, after: { ...change.after, in_position: true } };
    expect(lines(one(moved))).toEqual([
      "weaker | possible |  | unmanaged policies among the managed ones -> root",
      "stronger | possible | 599 | unmanaged policies among the managed ones -> root",
    ]);
  });

  test("are those that a create finds, and those that a destroy restores", () => {
    expect(lines(one(policyChange(undefined, [all], { isExcerpt: true })))).toEqual([
      "weaker | possible |  | policies that the console has now -> all",
      "stronger | possible | 41 | policies that the console has now -> all",
    ]);
    expect(lines(one(policyChange([root], undefined)))).toEqual([
      "weaker | possible | 599 | root -> policies that the destroy restores",
      "stronger | possible |  | root -> policies that the destroy restores",
      "stronger | possible |  | none -> policies that the destroy restores",
    ]);
  });

  test("take part in drift", () => {
    expect(lines(reviewDrift(policyChange([root], [], prefix))!)).toContain(
      "weaker | possible | 599 | root -> unmanaged policies",
    );
  });

  test("have no position, and neither have those behind them", () => {
    const [region] = one(policyChange([root], [], suffix)).regions;
    expect(region?.before).toEqual({ policy: "root", position: null });
    const { effects } = describeProtection(one(policyChange([root], [], prefix)));
    expect(effects[0]).toMatchObject({
      text: "check 599 blocks -> not checked (possibly)",
      places: [{ deciders: '"root" decided, now unmanaged policies or none' }],
    });
  });
});

test("a console that cannot be read yet is assumed to have its default policies", () => {
  const endpoint = "https://one.example.com";
  const review = one(policyChange(undefined, [root], { endpoint }));
  expect(
    review.regions.map(({ assumed, ...region }) => [assumed, ...lines({ regions: [region] })]),
  ).toEqual([
    [true, `weaker | certain | 56,57 | ${DEFAULT} -> root`],
    [true, `stronger | certain | 599 | ${DEFAULT} -> root`],
    [true, `weaker | certain | 56,57 | ${DEFAULT} -> none`],
  ]);
  expect(describeProtection(review).notes).toEqual([
    "digest d94b133a3615, for --allow-weaker NAME@DIGEST",
    "Review is incomplete: The console cannot be read yet, so the default policies of a new one are assumed.",
  ]);
});

describe("policies with collections", () => {
  const found = (...entries: readonly (readonly [ObjectValue, boolean])[]) => ({
    entries: entries.map(([value, isPartial]) => ({ value, isPartial })),
  });

  test("make what is behind them possible, and change nothing themselves", () => {
    const weaker = { ...all, checks: {} };
    const given = { found: found([root, true], [all, false]) };
    expect(lines(one(policyChange([root, all], [root, weaker], given)))).toEqual([
      // Outside of the namespaces of `root`, and in them.
      "weaker | certain | 41 | all -> all",
      "weaker | possible | 41 | all -> all",
    ]);
  });

  test("that a policy gets are another scope", () => {
    const limited = { ...root, extra_json: '{"collections":[{"name":"A"}]}' };
    const given = { found: found([root, false]) };
    expect(lines(one(policyChange([root], [limited], given)))).toContain(
      "weaker | possible | 599 | root -> none",
    );
    const same = { found: found([root, true]) };
    expect(lines(one(policyChange([limited], [limited, all], same)))).toEqual([
      "stronger | certain | 41 | none -> all",
      "stronger | possible | 41 | none -> all",
    ]);
  });
});

const scopes: readonly Readonly<Record<string, readonly string[]>>[] = [
  {},
  { namespaces: ["a*"] },
  { namespaces: ["ab*"] },
  { namespaces: ["*b"] },
  { images: ["x*"] },
  { namespaces: ["*", "-a*"] },
  { namespaces: ["a*"], images: ["x*"] },
];
const texts = [null, "a", "ab", "b", "abb", "c"];
const workloads: readonly Workload[] = texts.flatMap((namespace) =>
  [null, "x", "y"].map((image) => ({
    ...{ container: null, host: null, account_id: null, labels: [] },
    namespace,
    image,
  })),
);

const contents = fc.record({
  scope: fc.constantFrom(...scopes),
  checks: fc.array(fc.constantFrom("1", "~1", "2", "~2"), { maxLength: 2 }),
});
const entry = (name: string) =>
  contents.map(({ scope, checks }) => protecting(name, { ...scope }, ...checks));
const entriesOf = (...names: string[]) =>
  fc
    .tuple(fc.shuffledSubarray(names), fc.tuple(...names.map(entry)))
    .map(([chosen, entries]) => chosen.map((name) => entries[names.indexOf(name)]!));

const plan = fc.record({
  ownership: fc.constantFrom("prefix", "suffix"),
  unmanaged: entriesOf("u", "v", "w"),
  before: fc.option(entriesOf("m", "n", "o")),
  after: fc.option(entriesOf("m", "n", "o", "p", DEFAULT)),
  /** The console has an equal policy of the name, which the plan takes over. */
  taken: fc.option(fc.nat({ max: 3 })),
  default: fc.option(entry(DEFAULT), { freq: 1 }),
  /** The places of managed policies that are not in their position. */
  places: fc.option(fc.array(fc.nat({ max: 6 }), { minLength: 3, maxLength: 3 })),
});

test("a review of the JSON of a plan never contradicts the review of the plan", () => {
  fc.assert(
    fc.property(plan, ({ ownership, unmanaged, before, after, taken, default: added, places }) => {
      if (before === null && after === null) return;
      const managed = (before ?? []).map(({ name }) => name);
      const fresh = (after ?? []).filter(({ name }) => !managed.includes(name));
      const adopted = fresh.find(({ name }) => name !== DEFAULT);
      const others = [...unmanaged];
      if (taken !== null && adopted) others.splice(taken, 0, adopted);
      if (added) others.splice(1, 0, added);
      const own = before ?? [];
      const inPlace = ownership === "prefix" ? [...own, ...others] : [...others, ...own];
      const items = places ? spread(own, others, places) : inPlace;
      const entries = items.map((value) => ({ value, isPartial: false }));
      const isInPlace = JSON.stringify(items) === JSON.stringify(inPlace);
      const change = policyChange(before ?? undefined, after ?? undefined, {
        object: { ownership },
      });
      if (change.before && !isInPlace) Object.assign(change.before, { in_position: false });
      const ours = one({ ...change, found: { entries } }).regions;
      const theirs = one({ ...change, isExcerpt: true }).regions;
      for (const workload of [...workloads, ...ours.flatMap(({ example }) => example ?? [])]) {
        const claims = claimsOf(ours, workload);
        for (const claim of claims) expect(theirs.some(allows(claim, workload))).toBe(true);
        const certain = theirs.filter(({ certainty }) => certainty === "certain");
        expect(claims).toEqual(expect.arrayContaining(claimsOf(certain, workload)));
      }
    }),
    { numRuns: PLANS },
  );
}, 3_600_000);

/** Puts entries among others, in their order. */
function spread(
  own: readonly ObjectValue[],
  others: readonly ObjectValue[],
  places: readonly number[],
): readonly ObjectValue[] {
  const inFront = [...places].sort((a, b) => a - b);
  const before = (index: number) =>
    own.filter((_, nth) => Math.min(inFront[nth] ?? 0, others.length) === index);
  return [...others.flatMap((one, index) => [...before(index), one]), ...before(others.length)];
}

interface Claim {
  readonly change: Region["change"];
  readonly id: string;
  readonly before: string | null;
  readonly after: string | null;
}

function claimsOf(regions: readonly Region[], workload: Workload): readonly Claim[] {
  return regions
    .filter((region) => isIn(region, workload))
    .flatMap(({ change, checks }) => checks.map((check) => ({ change, ...check })));
}

/** True for a region that makes the same claim, or says that it is possible. */
function allows(claim: Claim, workload: Workload) {
  return (region: Region): boolean =>
    region.change === claim.change &&
    isIn(region, workload) &&
    (region.certainty === "certain"
      ? claimsOf([region], workload).some((one) => JSON.stringify(one) === JSON.stringify(claim))
      : region.checks.length === 0 || region.checks.some(({ id }) => id === claim.id));
}

function isIn({ where: { all: inside, none } }: Region, workload: Workload): boolean {
  const matches = (scope: Scope) => matchesScope(compileScope(scope), workload);
  return inside.every(matches) && !none.some(matches);
}

test("counts what may weaken", () => {
  expect(countWeaker(one(policyChange([root], [root, all], prefix)))).toBe(1);
});
