import { compareProtection, type Region } from "../../src/protection/compare";
import type { Policy } from "../../src/protection/policy";
import { checks, policy } from "./policies";

const root = policy("root", { namespaces: ["prod-*"] }, "599", "41");
const img = policy("img", { images: ["trusted/*", "x/*"] }, "41", "51");
const off: Policy = { ...policy("off", {}, "41"), disabled: true };
const rest = policy("rest", {}, "~41", "~51");
const SET = [root, img, off, rest];

/** `- 599 blocks -> alerts, 41 … [prod-*] root -> exempt`: a region in one line. */
function line({ change, checks: changed, before, after }: Region): string {
  const list = changed.map(({ id, before: was, after: is }) => `${id} ${was} -> ${is}`).join(", ");
  return `${change === "weaker" ? "-" : "+"} ${list} | ${before.policy} -> ${after.policy}`;
}

const lines = (after: readonly Policy[], before: readonly Policy[] = SET) =>
  compareProtection(before, after).map(line);

const directions = (before: readonly Policy[], after: readonly Policy[]) => [
  ...new Set(compareProtection(before, after).map(({ change }) => change)),
];

const changed = (change: Partial<Policy>) => [{ ...root, ...change }, img, off, rest];
const inFront = (added: Policy) => [added, ...SET];

describe("changes that weaken protection", () => {
  test.each<[string, readonly Policy[], boolean]>([
    ["root disabled", changed({ disabled: true }), true],
    ["root removed", [img, off, rest], true],
    ["root without 41", changed({ checks: checks("599") }), false],
    ["root alerts for 599", changed({ checks: checks("~599", "41") }), false],
    ["root for prod-a* only", changed({ scope: { namespaces: ["prod-a*"] } }), true],
    ["img without x/*", [root, { ...img, scope: { images: ["trusted/*"] } }, off, rest], false],
    ["all removed", [], false],
    ["rest first", [rest, root, img, off], true],
    ["root for everything", changed({ scope: {} }), true],
    ["exempt-all without checks in front", inFront(policy("exempt-all", {})), false],
    ["img before root", [img, root, off, rest], true],
    ["exempt with 599 alerting in front", inFront(policy("exempt", root.scope, "~599")), false],
    ["same without checks in front", inFront(policy("same", root.scope)), false],
    [
      "half with 599 alerting in front",
      inFront(policy("half", { namespaces: ["prod-pay*"] }, "~599")),
      false,
    ],
    ["root with an exemption", changed({ scope: { namespaces: ["prod-*", "-prod-pay*"] } }), true],
  ])("%s", (_, after, strengthensToo) => {
    expect(directions(SET, after)).toContain("weaker");
    expect(directions(SET, after).includes("stronger")).toBe(strengthensToo);
    // The reverse gives the same regions, turned round.
    expect(directions(after, SET)).toContain("stronger");
    expect(compareProtection(after, SET)).toHaveLength(compareProtection(SET, after).length);
  });
});

describe("changes that change no protection", () => {
  test.each<[string, readonly Policy[]]>([
    ["root renamed", changed({ name: "no-root" })],
    ["root written PROD-*", changed({ scope: { namespaces: ["PROD-*"] } })],
    [
      "root split in root-a and root-b",
      [
        { ...root, name: "root-a" },
        { ...root, name: "root-b", scope: { namespaces: ["prod-a*"] } },
        img,
        off,
        rest,
      ],
    ],
  ])("%s", (_, after) => {
    expect(lines(after)).toEqual([]);
    expect(lines(SET, after)).toEqual([]);
  });
});

test("a region names who decided, who decides and where, as short as it is", () => {
  const exempt = policy("exempt", { namespaces: ["prod-pay*"] }, "~599");
  expect(compareProtection(SET, inFront(exempt))).toEqual([
    {
      change: "weaker",
      certainty: "certain",
      checks: [
        { id: "41", before: "blocks", after: null },
        { id: "599", before: "blocks", after: "alerts" },
      ],
      where: { all: [{ namespaces: ["prod-pay*"] }], none: [] },
      before: { policy: "root", position: 1 },
      after: { policy: "exempt", position: 1 },
      example: expect.objectContaining({ namespace: "prod-payx" }) as unknown,
    },
  ]);
});

test("edges of patterns are found where no pattern is its own example", () => {
  const both = policy("both", { namespaces: ["ab*"], images: ["*"] }, "1");
  const ends = policy("ends", { namespaces: ["*ba"] }, "2");
  const whole = policy("whole", { namespaces: ["ab*ba"] }, "1", "2");
  const [region] = compareProtection([whole, both, ends], [whole, ends, both]);
  expect(region?.example?.namespace).toBe("aba");
  expect(region?.where.none).toEqual([{ namespaces: ["ab*ba"] }]);
});

test("a workload without a namespace is matched by * alone", () => {
  const named = policy("named", { namespaces: ["?*", "a*"] }, "1");
  const [region, ...more] = compareProtection([rest], [policy("all", {}, "1", "41", "51")]);
  expect([region?.where, more]).toEqual([{ all: [], none: [] }, []]);
  const some = compareProtection([], [{ ...named, scope: { namespaces: ["*", "-x"] } }]);
  expect(some).toHaveLength(1);
});

describe("unknown values", () => {
  test("keeps what depends on an unknown scope as unknown", () => {
    const maybe: Policy = { ...policy("maybe", {}, "~599"), unknown: "scope" };
    const regions = compareProtection(SET, [maybe, ...SET]);
    expect(new Set(regions.map(({ certainty }) => certainty))).toEqual(new Set(["unknown"]));
    expect(regions.map(line)).toContain(
      "- 41 blocks -> null, 599 blocks -> alerts | root -> maybe",
    );
  });

  test("does not take an unknown scope for one that decides", () => {
    const maybe: Policy = { ...policy("maybe", {}, "599"), unknown: "scope" };
    const regions = compareProtection([maybe, root], [maybe, { ...root, disabled: true }]);
    expect(regions.map(({ certainty }) => certainty)).toContain("unknown");
  });
});

test("a label that two scopes share stays when another one is left out", () => {
  const first = policy("first", { labels: ["r*", "o", "-r1"] }, "1");
  const second = policy("second", { labels: ["*x", "-r1"] }, "2");
  const last = policy("last", { labels: ["o"] }, "3");
  const regions = compareProtection([], [first, second, last]);
  // All with `o` but those with `r1` are in the first scope: the second one takes nothing away.
  expect(regions.at(-1)?.where).toEqual({
    all: [{ labels: ["o"] }, { labels: ["r1"] }],
    none: [],
  });
});
