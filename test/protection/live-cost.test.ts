import { compareProtection } from "../../src/protection/compare";
import { LiveTally } from "../../src/protection/live";
import {
  compileScope,
  matchesScope,
  type Policy,
  type Workload,
} from "../../src/protection/policy";

const CONTAINERS = process.env.LONG_TESTS ? 10_000 : 3_000;
const POLICIES = 300;

const before: readonly Policy[] = Array.from({ length: POLICIES }, (_, index) => ({
  name: `policy ${index}`,
  disabled: false,
  scope: { namespaces: ["*", `-dev${index}*`], images: [`registry/team${index}/*`] },
  checks: { [String(40 + index)]: true },
}));
const after = [...before.slice(-1), ...before.slice(0, 150), ...before.slice(151, -1)];

function workload(index: number): Workload {
  const team = index % (POLICIES + 50);
  return {
    image: `registry/team${team}/app:${index}`,
    container: `app-${index}`,
    namespace: `team-${team}`,
    host: `node-${index % 50}`,
    account_id: "210987654321",
    labels: [`team:${team}`],
  };
}

function cpuOf(work: () => void): number {
  const start = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(start);
  return user + system;
}

/**
 * The CPU of the second in terms of the first, the least of three turns: collections of garbage come at
 * any time, and the other core slows one or the other.
 */
function leastRatio(first: () => void, second: () => void): number {
  const turns = [1, 2, 3].map(() => [cpuOf(first), cpuOf(second)] as const);
  return Math.min(...turns.map(([one, other]) => other / one));
}

test("many containers take at most one and a half plain loops over 300 policies, without being kept", () => {
  const workloads = Array.from({ length: CONTAINERS }, (_, index) => workload(index));
  let changed = 0;
  const loop = () => {
    changed = 0;
    const sides = [before, after].map((policies) =>
      policies.map(({ scope, checks }) => ({ scope: compileScope(scope), checks })),
    );
    for (const one of workloads) {
      const [was, is] = sides.map((side) => side.find(({ scope }) => matchesScope(scope, one)));
      if (was?.checks !== is?.checks) changed += 1;
    }
  };
  const regions = compareProtection(before, after);
  let tally = new LiveTally(before, after, regions);
  const counting = () => {
    tally = new LiveTally(before, after, regions);
    for (const one of workloads) tally.add({ workload: one, failing: new Map() });
  };
  expect(leastRatio(loop, counting)).toBeLessThan(1.5);
  const { changes, running } = tally.counts();
  expect(running).toBe(CONTAINERS);
  expect(changes.map((one) => one.running)).toEqual([changed]);
  expect(JSON.stringify(tally.counts()).length).toBeLessThan(2_000);
});

test("300 checks that are lost in 1,000 namespaces take at most one and a half plain loops", () => {
  const checks = Object.fromEntries(
    Array.from({ length: 300 }, (_, index) => [String(index), true]),
  );
  const all: readonly Policy[] = [{ name: "all", disabled: false, scope: {}, checks }];
  const containers = Array.from({ length: CONTAINERS }, (_, index) => ({
    workload: { ...workload(index), namespace: `namespace-${index % 1_000}` },
    failing: new Map([[String(index % 300), undefined]]),
  }));
  const counts = new Map<string, number>();
  const loop = () => {
    for (const { workload: one } of containers)
      for (const check of Object.keys(checks)) {
        const key = `${check} ${one.namespace}`;
        counts.set(key, (counts.get(key) ?? 0) + 1);
      }
  };
  const regions = compareProtection(all, []);
  let tally = new LiveTally(all, [], regions);
  const counting = () => {
    tally = new LiveTally(all, [], regions);
    for (const container of containers) tally.add(container);
    expect(tally.counts().changes).toHaveLength(300);
  };
  expect(leastRatio(loop, counting)).toBeLessThan(1.5);
  for (const { running, failing, namespaces } of tally.counts().changes) {
    expect([running, namespaces.length]).toEqual([CONTAINERS, 1_000]);
    expect(failing).toBeGreaterThanOrEqual(Math.floor(CONTAINERS / 300));
  }
});
