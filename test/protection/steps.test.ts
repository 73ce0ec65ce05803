import { compareProtection, type Region } from "../../src/protection/compare";
import { lintPolicies } from "../../src/protection/lint";
import type { Policy, Scope } from "../../src/protection/policy";
import { Budget } from "../../src/protection/text-search";

const SHAPES = {
  "one starred pattern in a field": (id: string) => ({ images: [`*team${id}*`] }),
  "one starred part between shared ends": (id: string) => ({ images: [`registry/*team${id}*:v*`] }),
  "two starred parts in a field": (id: string) => ({ images: [`a*team${id}*x${id}*c`] }),
  labels: (id: string) => ({ labels: [`team:${id}`] }),
  "exemptions in two fields": (id: string) => ({
    images: ["*", `-dev${id}*`],
    labels: ["*", `-skip${id}`],
  }),
} satisfies Record<string, (id: string) => Scope>;

const shapes = Object.entries(SHAPES);

function make(count: number, scope: (id: string) => Scope): readonly Policy[] {
  return Array.from({ length: count }, (_, index) => ({
    name: `policy ${index}`,
    disabled: false,
    scope: scope(String(index).padStart(3, "0")),
    checks: { [String(40 + index)]: true },
  }));
}

const certainties = (regions: readonly Region[]) => [
  ...new Set(regions.map(({ certainty }) => certainty)),
];

describe.each(shapes)("policies that overlap by %s", (_, scope) => {
  test("are compared exactly if the last one of 60 moves to the front", () => {
    const policies = make(60, scope);
    const regions = compareProtection(policies, [...policies.slice(-1), ...policies.slice(0, -1)]);
    expect(certainties(regions)).toEqual(["certain"]);
    // Each other policy lets workloads go to the one that moved, in both directions.
    expect(regions).toHaveLength(2 * 59);
  });

  test("are compared exactly if the order of 60 is reversed", () => {
    const policies = make(60, scope);
    const regions = compareProtection(policies, [...policies].reverse());
    expect(certainties(regions)).toEqual(["certain"]);
    expect(new Set(regions.map(pairOf)).size).toBe((60 * 59) / 2);
  });

  test("are compared exactly with an empty console", () => {
    const regions = compareProtection([], make(60, scope));
    expect(certainties(regions)).toEqual(["certain"]);
    expect(regions).toHaveLength(60);
  });

  test("have no findings", () => {
    expect(lintPolicies(make(60, scope))).toEqual([]);
  });
});

/** The steps that a comparison counts, which are the same on every machine. */
function stepsOf(compare: () => unknown): number {
  const spend = jest.spyOn(Budget.prototype, "spend");
  try {
    compare();
    return spend.mock.calls.reduce((sum, [steps]) => sum + steps, 0);
  } finally {
    spend.mockRestore();
  }
}

describe.each(shapes)("the steps for policies that overlap by %s", (_, scope) => {
  const first = (policies: readonly Policy[]) => compareProtection([], policies);
  const move = (policies: readonly Policy[]) =>
    compareProtection(policies, [...policies.slice(-1), ...policies.slice(0, -1)]);

  test.each([
    ["a first plan", first],
    ["a move", move],
    ["the lint", lintPolicies],
  ])("grow with the pairs of policies in %s", (_, compare) => {
    const [few, many] = [make(30, scope), make(120, scope)];
    expect(stepsOf(() => compare(many))).toBeLessThan(18 * stepsOf(() => compare(few)));
  });

  test.each([
    ["a first plan", first],
    ["a move", move],
    ["the lint", lintPolicies],
  ])("stay below an eighth of the limit for 300 of them in %s", (_, compare) => {
    expect(stepsOf(() => compare(make(300, scope)))).toBeLessThan(5_000_000 / 8);
  });
});

test("1,000 policies of prefixes take steps as their number", () => {
  const prefixes = (count: number) => [
    ...make(count, (id) => ({ namespaces: [`team-${id}-*`, "-*-test"] })),
    ...make(1, () => ({})),
  ];
  const steps = (count: number) => stepsOf(() => compareProtection([], prefixes(count)));
  expect(steps(1000)).toBeLessThan(12 * steps(100));
});

test("a comparison that takes too long ends, and leaves possible what it did not decide", () => {
  const policies = make(12, (id) => ({
    images: ["*", `-*dev${id}*`],
    namespaces: ["*", `-*skip${id}*`],
  }));
  const regions = compareProtection(policies, [...policies].reverse());
  expect(certainties(regions)).toEqual(["certain", "possible"]);
  // Each pair of policies is one: nothing is left out.
  expect(new Set(regions.map(pairOf)).size).toBe((12 * 11) / 2);
});

function pairOf({ before, after }: Region): string {
  return `${before.position} ${after.position}`;
}
