import { compareProtection } from "../src/protection/compare";
import { lintPolicies } from "../src/protection/lint";
import type { Policy, Scope } from "../src/protection/policy";

/** Prints the milliseconds of CPU that one action takes in a fresh process: `SHAPE ACTION`. */

interface Shape {
  readonly scope: (id: string, index: number) => Scope;
  readonly count: number;
  /** At most so many times the CPU of an empty program. */
  readonly aim: number;
}

export const SHAPES: Readonly<Record<string, Shape>> = {
  "prefixes before a catch-all": {
    scope: (id, index) => (index === 999 ? {} : { namespaces: [`team-${id}-*`, "-*-test"] }),
    count: 1000,
    aim: 3,
  },
  "overlapping in three fields": {
    scope: (_, index) => ({
      ...(index % 2 === 0 && { namespaces: [`team-${index % 20}-*`] }),
      ...(index % 3 === 0 && { images: [`registry-${index % 7}/*`] }),
      ...(index % 5 !== 0 && { labels: [`env:${index % 11}`] }),
    }),
    count: 300,
    aim: 2,
  },
  "one starred pattern": { scope: (id) => ({ images: [`*team${id}*`] }), count: 300, aim: 2 },
  "one starred part between shared ends": {
    scope: (id) => ({ images: [`registry/*team${id}*:v*`] }),
    count: 300,
    aim: 2,
  },
  labels: { scope: (id) => ({ labels: [`team:${id}`] }), count: 300, aim: 2 },
  "exemptions in two fields": {
    scope: (id) => ({ images: ["*", `-dev${id}*`], labels: ["*", `-skip${id}`] }),
    count: 300,
    aim: 2,
  },
  "two starred parts": {
    scope: (id) => ({ images: [`a*team${id}*x${id}*c`] }),
    count: 30,
    aim: 2,
  },
  "many with two starred parts": {
    scope: (id) => ({ images: [`a*team${id}*x${id}*c`] }),
    count: 300,
    aim: 4,
  },
};

export const ACTIONS: Readonly<Record<string, (policies: readonly Policy[]) => unknown>> = {
  "first plan": (policies) => compareProtection([], policies),
  "last moved to first": (policies) =>
    compareProtection(policies, [...policies.slice(-1), ...policies.slice(0, -1)]),
  "changed checks of each tenth": (policies) =>
    compareProtection(
      policies,
      policies.map((policy, index) => (index % 10 === 5 ? { ...policy, checks: {} } : policy)),
    ),
  lint: (policies) => lintPolicies(policies),
};

function main([shape = "", action = ""]: readonly string[]): void {
  const [made, act] = [SHAPES[shape], ACTIONS[action]];
  if (!made || !act) throw new Error(`unknown shape or action: ${shape}, ${action}`);
  const policies = Array.from({ length: made.count }, (_, index): Policy => {
    const checks = { [String(40 + (index % 30))]: true, 41: index % 2 === 0 };
    const scope = made.scope(String(index).padStart(4, "0"), index);
    return { name: `policy ${index}`, disabled: false, scope, checks };
  });
  const before = process.cpuUsage();
  act(policies);
  const { user, system } = process.cpuUsage(before);
  console.log((user + system) / 1e3);
}

if (require.main === module) main(process.argv.slice(2));
