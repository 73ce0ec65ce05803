import { UNKNOWN, type ObjectValue, type Value } from "../../../src/core/values";
import {
  countStronger,
  countWeaker,
  reviewDrift,
  reviewProtection,
  type ProtectionReview,
} from "../../../src/review/protection/review-protection";
import type { ResourceChange } from "../../../src/core/documents/stack-plan";
import { policy, policyChange } from "../entries/changes";
import { NEUTRAL, protecting, SET, STRENGTHENING, WEAKENING } from "./sets";

const one = (change: ResourceChange): ProtectionReview => {
  const [review] = reviewProtection({ changes: [change] }).values();
  if (!review) throw new Error("the change has no review");
  return review;
};
const counts = (before: Value | undefined, after: Value | undefined) => {
  const review = one(
    policyChange(before, after, { found: { entries: foundOf(before), left: [] } }),
  );
  return [countWeaker(review) > 0, countStronger(review) > 0];
};
const foundOf = (entries: Value | undefined, isPartial = false) =>
  (Array.isArray(entries) ? (entries as ObjectValue[]) : []).map((value) => ({ value, isPartial }));
const lines = ({ regions }: ProtectionReview) =>
  regions.map(({ change, certainty, before, after }) =>
    [change, certainty, before.policy, after.policy].join(" "),
  );

/** These weaken some workloads and strengthen others. */
const BOTH = [
  "root removed",
  "root disabled",
  "root for prod-a* only",
  "rest first",
  "root for everything",
  "root with an exemption",
  "img before root",
  "off enabled",
  "root for images x/* in prod-*",
  "root for hosts of prod",
  "root replaced by two with a gap",
  "legacy labels exempted in front",
];

describe("the changes of the table of gates", () => {
  test.each(WEAKENING)("%s weakens, and its reverse strengthens", (name, after) => {
    const strengthens = BOTH.includes(name);
    expect(counts([...SET], after && [...after])).toEqual([true, strengthens]);
    expect(counts(after && [...after], [...SET])).toEqual([strengthens, true]);
  });

  test.each(STRENGTHENING)("%s strengthens, and its reverse weakens", (_, after) => {
    expect(counts([...SET], after && [...after])).toEqual([false, true]);
    expect(counts(after && [...after], [...SET])).toEqual([true, false]);
  });

  test.each(NEUTRAL)("%s changes nothing, nor does its reverse", (_, after) => {
    expect(counts([...SET], after && [...after])).toEqual([false, false]);
    expect(counts(after && [...after], [...SET])).toEqual([false, false]);
  });
});

describe("the console's policies count as before", () => {
  const strict = policy("strict", { checks: { "5": true } });
  const lax = policy("lax", { checks: { "5": false } });
  const defaults = [policy("Default", { checks: { "41": false } })];

  test("of a set that is created in place of the default policies", () => {
    const change = policyChange(undefined, [strict], { found: { entries: foundOf(defaults) } });
    expect(lines(one(change))).toEqual([
      "weaker certain Default strict",
      "stronger certain Default strict",
    ]);
  });

  test("with unmanaged policies in their places", () => {
    const prefix = { object: { ownership: "prefix" } };
    const found = { entries: foundOf([strict, lax]) };
    const change = policyChange([strict], [{ ...strict, checks: {} }], { ...prefix, found });
    const [region] = one(change).regions;
    expect(region).toMatchObject({ before: { policy: "strict", position: 1 } });
    // The policy behind now decides.
    expect(lines(one(policyChange([strict], [], { ...prefix, found })))).toEqual([
      "weaker certain strict lax",
    ]);
    const suffix = { object: { ownership: "suffix" } };
    const behind = { entries: foundOf([lax, strict]) };
    expect(lines(one(policyChange([strict], [], { ...suffix, found: behind })))).toEqual([]);
  });

  test("of a set that is destroyed, and those that it restores as after", () => {
    const found = { entries: foundOf([strict]), left: foundOf([lax]) };
    expect(lines(one(policyChange([strict], undefined, { found })))).toEqual([
      "weaker certain strict lax",
    ]);
    const kept = { object: { on_destroy: "keep" } };
    expect(lines(one(policyChange([strict], undefined, kept)))).toEqual([]);
    const unknown = one(policyChange([strict], undefined));
    expect(unknown).toMatchObject({
      complete: false,
      reasons: ["The plan does not have the policies that the destroy restores."],
    });
  });

  test("of a set that was changed outside", () => {
    const drift = policyChange([strict], [lax, strict], {
      found: { entries: foundOf([lax, strict]) },
    });
    expect(reviewDrift(drift)?.regions).toMatchObject([
      { change: "weaker", before: { policy: "strict" }, after: { policy: "lax", position: 1 } },
    ]);
  });

  test("of two sets of one console together", () => {
    const endpoint = "https://one.example.com";
    const found = { entries: foundOf([strict, lax]) };
    const first = policyChange([strict], [policy("weak", { checks: {} })], {
      address: "a",
      endpoint,
      found,
      object: { ownership: "prefix" },
    });
    const last = policyChange([lax], [policy("last", { checks: { "5": true } })], {
      address: "b",
      endpoint,
      found,
      object: { ownership: "suffix" },
    });
    const reviews = [...reviewProtection({ changes: [first, last] }).values()];
    expect(reviews).toMatchObject([{ addresses: ["a", "b"] }]);
    expect(reviews.flatMap(lines)).toEqual(["weaker certain strict weak"]);
  });
});

describe("what is not known", () => {
  const strict = policy("strict", { checks: { "5": true } });

  test("unmanaged policies make the review incomplete", () => {
    const change = policyChange([strict], [], { object: { ownership: "prefix" } });
    expect(one(change)).toMatchObject({
      complete: false,
      reasons: ["The plan does not have the unmanaged policies of the console."],
    });
    expect(one({ ...change, others: [] })).toMatchObject({ complete: true });
  });

  test.each<[string, Value, boolean]>([
    ["names collections", '{"collections":[{"name":"All"}]}', false],
    ["is not known yet", UNKNOWN, false],
    ["names no collections", '{"notes":"x"}', true],
  ])("a policy whose extra_json %s", (_, extra_json, complete) => {
    const after = policy("strict", { checks: { "5": true }, extra_json });
    const found = { entries: [] };
    expect(one(policyChange(undefined, [after], { found })).complete).toBe(complete);
  });

  test("so do policies with collections", () => {
    const found = { entries: foundOf([strict], true) };
    expect(one(policyChange([strict], [strict], { found })).reasons).toEqual([
      '"strict" has collections, which are not evaluated.',
    ]);
  });

  test.each<[string, Value]>([
    ["the list", UNKNOWN],
    ["a policy", [UNKNOWN]],
    ["a scope", [policy("strict", { checks: { "5": true }, resources: { hosts: UNKNOWN } })]],
    [
      "a pattern",
      [policy("strict", { checks: { "5": true }, resources: { hosts: ["a", UNKNOWN] } })],
    ],
    ["the switch", [policy("strict", { checks: { "5": true }, disabled: UNKNOWN })]],
    ["the checks", [policy("strict", { checks: UNKNOWN })]],
    ["a check", [policy("strict", { checks: { "5": UNKNOWN } })]],
  ])("%s may weaken, depending on values known after apply", (_, after) => {
    const { regions } = one(policyChange([strict], after));
    expect(regions).toContainEqual(
      expect.objectContaining({ change: "weaker", certainty: "unknown" }),
    );
    expect(regions.filter(({ certainty }) => certainty === "certain")).toEqual([]);
  });

  test("sensitive parts hide everything but the direction", () => {
    const change = policyChange([strict], [], { beforeSensitive: [["policies", 0, "checks"]] });
    expect(one(change)).toMatchObject({ isHidden: true });
    const elsewhere = policyChange([strict], [], { beforeSensitive: [["policies", 0, "verbose"]] });
    expect(one(elsewhere)).toMatchObject({ isHidden: false });
  });
});

test("objects that stay as they are have no review", () => {
  const change = policyChange([policy("a")], [], { action: "forget" });
  expect(reviewProtection({ changes: [change, { ...change, action: "no-op" }] }).size).toBe(0);
});

test("compares 300 policies of which one moved exactly", () => {
  const all = Array.from({ length: 300 }, (_, index) =>
    protecting(`p${index}`, { namespaces: [`team-${index}-*`] }, "41", String(index + 100)),
  );
  const everything = protecting("everything", {}, "41");
  const { regions, noLongerDeciding } = one(
    policyChange([...all, everything], [everything, ...all]),
  );
  expect(new Set(regions.map(({ certainty }) => certainty))).toEqual(new Set(["certain"]));
  expect(regions).toHaveLength(300);
  expect(noLongerDeciding).toHaveLength(300);
});
