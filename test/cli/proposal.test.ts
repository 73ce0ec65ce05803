import { proposal } from "../../src/cli/contract/proposal";
import { reviewProtection } from "../../src/review/protection/review-protection";
import { NO_VALUES } from "../../src/protection/explain";
import { policyChange } from "../review/entries/changes";
import { protecting } from "../review/protection/sets";
import { withNote } from "../../src/core/notes";
import { LIVE } from "../../src/review/protection/live-reading";

const root = (...exempted: readonly string[]) =>
  protecting("root", { namespaces: ["prod-*", ...exempted] }, "599");

/** The needs of a stack whose policies change, with twelve containers of which some lose a block. */
function needed(stack: string, running: number, exempted = "-prod-pay") {
  const counts = {
    ...{ consoles: 1, running: 12, uncertain: 0, missing: [], changes: [] },
    regions: [{ consoles: 1, running, uncertain: 0, example: null }],
  };
  const live = { read: [{ console: "https://a", at: new Date(0) }], unread: [], counts };
  const change = withNote(policyChange([root()], [root(exempted)]), LIVE, live);
  const [review] = reviewProtection({ changes: [change] }).values();
  const regions = review!.regions.map((region) => ({ region, enough: null, outside: null }));
  return { stack, regions, isHidden: false, review: review! };
}

test("a waiver shows its region, an example and the running containers of all its stacks", () => {
  const titles = new Map([["599", "runs as root"]]);
  expect(proposal([needed("a", 3), needed("b", 2)], titles)).toContain(`
  # namespaces prod-pay: check 599 (runs as root) blocks -> not checked
  # for example namespace prod-pay
  # live: 5 running containers
  - where: {"namespaces":["prod-pay"]}
    checks: {"599":{"from":"block","to":"none"}}
    stacks: ["a","b"]
    owner: ""
`);
});

test("a workload without any value is an example, too", () => {
  const { regions, ...rest } = needed("a", 3);
  const [one] = regions;
  const region = { ...one!.region, example: NO_VALUES };
  const text = proposal(
    [{ stack: rest.stack, isHidden: false, regions: [{ ...one!, region }] }],
    new Map(),
  );
  expect(text).toContain("  # for example a workload without these values\n");
});

test("a region that another one contains needs no waiver, and its containers are counted there", () => {
  const whole = needed("a", 0, "-prod-*");
  const text = proposal(
    [needed("a", 3), { stack: "a", regions: whole.regions, isHidden: false }],
    new Map(),
  );
  expect(text.match(/checks:/g)).toHaveLength(1);
  expect(text).toContain('# live: 3 running containers\n  - where: {"namespaces":["prod-*"]}');
});

test("what no waiver can allow is a comment with its reason, once for all stacks", () => {
  const { regions, ...rest } = needed("a", 3);
  const unknown = regions.map((one) => ({ ...one, region: { ...one.region, checks: [] } }));
  const endless = regions.map((one) => ({ ...one, region: { ...one.region, example: null } }));
  const text = proposal(
    [
      { ...rest, regions: [...unknown, ...unknown, ...endless] },
      { ...rest, stack: "b", regions: unknown },
    ],
    new Map(),
  );
  expect(text).toContain(
    "# No waiver for a, b: the checks that change are not known (namespaces prod-pay).\n" +
      "# No waiver for a: the search for the exact workloads takes too long (namespaces prod-pay: check 599 blocks -> not checked).\n" +
      "version: 1\nwaivers: []\n",
  );
});
