import fc from "fast-check";
import { compareProtection } from "../../src/protection/compare";
import type { WorkloadQuery } from "../../src/protection/explain";
import { DecisionTally, LiveTally, type RunningContainer } from "../../src/protection/live";
import { fitOfQuery } from "../../src/protection/possible-decisions";
import { sumLive, type LiveCounts } from "../../src/protection/live-counts";
import {
  compileScope,
  effectOf,
  matchesScope,
  type Policy,
  type Workload,
} from "../../src/protection/policy";
import { cases } from "../support/cases";
import { plainDecision } from "./plain-decision";
import { fewFields, pair, policies, policy, workload } from "./random-policies";

const CHECKS = ["41", "51", "599"];
const workloads = fc.array(workload, { minLength: 30, maxLength: 30 });
const failing = fc.uniqueArray(fc.constantFrom(...CHECKS));

/** The changes of one workload as the plain function decides, as `599 blocks alerts`. */
function plainChanges(before: readonly Policy[], after: readonly Policy[], one: Workload) {
  const [was, is] = [plainDecision(before, one), plainDecision(after, one)];
  return CHECKS.map((id) => [
    id,
    effectOf(before[was] ?? null, id),
    effectOf(after[is] ?? null, id),
  ])
    .filter(([, old, now]) => old !== now)
    .map(([id, old, now]) => `${id} ${old} ${now}`);
}

function tallied(
  before: readonly Policy[],
  after: readonly Policy[],
  containers: readonly RunningContainer[],
  regions = compareProtection(before, after),
): LiveCounts {
  const tally = new LiveTally(before, after, regions);
  for (const container of containers) tally.add(container);
  return tally.counts();
}

function running(one: WorkloadQuery, failed: readonly string[] = []): RunningContainer {
  return { workload: one, failing: new Map(failed.map((id) => [id, undefined])) };
}

const namesOf = ({ changes }: LiveCounts) =>
  changes.map(({ id, before, after }) => `${id} ${before} ${after}`).sort();

test("containers are counted as a plain loop over all policies counts them", () => {
  fc.assert(
    fc.property(pair, workloads, failing, ([before, after], all, failed) => {
      const counts = tallied(
        before,
        after,
        all.map((one) => running(one, failed)),
      );
      const expected = new Map<string, number>();
      for (const name of all.flatMap((one) => plainChanges(before, after, one)))
        expected.set(name, (expected.get(name) ?? 0) + 1);
      const found = counts.changes.map((one) => [
        `${one.id} ${one.before} ${one.after}`,
        one.running,
      ]);
      expect(new Map(found as [string, number][])).toEqual(expected);
      expect(counts).toMatchObject({ running: 30, uncertain: 0, consoles: 1 });
      for (const one of counts.changes) {
        expect(one.failing).toBe(failed.includes(one.id) ? one.running : 0);
        expect(one.namespaces.reduce((sum, each) => sum + each.running, 0)).toBe(one.running);
      }
    }),
    { numRuns: cases(50) },
  );
});

test("a region counts the containers that are in it", () => {
  fc.assert(
    fc.property(pair, workloads, ([before, after], all) => {
      const regions = compareProtection(before, after);
      const counts = tallied(
        before,
        after,
        all.map((one) => running(one)),
      );
      for (const [index, { where, before: was, after: is }] of regions.entries()) {
        const inside = all.filter(
          (one) =>
            where.all.every((scope) => matchesScope(compileScope(scope), one)) &&
            !where.none.some((scope) => matchesScope(compileScope(scope), one)) &&
            plainDecision(before, one) === (was.position ?? 0) - 1 &&
            plainDecision(after, one) === (is.position ?? 0) - 1,
        );
        const example = inside[0] ?? null;
        expect(counts.regions[index]).toEqual({
          consoles: inside.length > 0 ? 1 : 0,
          running: inside.length,
          uncertain: 0,
          example,
        });
      }
    }),
    { numRuns: cases(37) },
  );
});

const MEMBERS = ["image", "container", "namespace", "host", "account_id", "labels"] as const;

test("a container that lacks members changes only if it does with any value of them", () => {
  fc.assert(
    fc.property(
      pair,
      workloads,
      fc.subarray([...MEMBERS], { minLength: 1 }),
      ([before, after], all, lacking) => {
        const [known] = all;
        const kept = Object.entries(known!).filter(
          ([name]) => !lacking.some((one) => one === name),
        );
        const lacks: WorkloadQuery = Object.fromEntries(kept);
        const counts = tallied(before, after, [running(lacks)], []);
        for (const other of all) {
          const completed = { ...other, ...lacks };
          const expected = plainChanges(before, after, completed).sort();
          if (counts.uncertain === 0) expect(namesOf(counts)).toEqual(expected);
          if (expected.length > 0) expect(counts.uncertain + counts.changes.length).not.toBe(0);
        }
        if (counts.uncertain === 1) expect(counts.missing.length).toBeGreaterThan(0);
      },
    ),
    { numRuns: cases(100) },
  );
});

test("a container is uncertain only if it changes with some values of what it lacks", () => {
  const named = fc.record({
    namespaces: fc.array(fc.constantFrom("a*", "*b", "*", "-a*", "-b"), {
      minLength: 1,
      maxLength: 3,
    }),
  });
  const plain = fc.record({
    name: fc.constantFrom("p", "q"),
    disabled: fc.constant(false),
    scope: named,
    checks: fc.dictionary(fc.constantFrom(...CHECKS), fc.boolean(), { maxKeys: 1 }),
  });
  const set = fc.array(plain, { maxLength: 4 });
  fc.assert(
    fc.property(set, set, (before, after) => {
      const lacks = { image: null, container: null, host: null, account_id: null, labels: [] };
      const counts = tallied(before, after, [running(lacks)]);
      const completed = [null, "a", "b", "z", "az", "zb", "ab", "azb", "bz"].map((namespace) =>
        plainChanges(before, after, { ...lacks, namespace })
          .sort()
          .join(),
      );
      expect(counts.uncertain === 1).toBe(new Set(completed).size > 1);
      expect(namesOf(counts).join()).toBe(counts.uncertain === 1 ? "" : completed[0]);
      for (const { running: there, uncertain } of counts.regions)
        if (there + uncertain > 0) expect(completed.some((one) => one !== "")).toBe(true);
    }),
    { numRuns: cases(100) },
  );
});

test("a container behind policies that are not known changes only if it does in each case", () => {
  fc.assert(
    fc.property(
      policies,
      policies,
      fc.nat(),
      policy,
      fc.array(fewFields, { minLength: 3, maxLength: 3 }),
      workloads,
      (before, others, place, given, scopes, all) => {
        const at = place % (others.length + 1);
        const inPlace = (one: Policy) => [...others.slice(0, at), one, ...others.slice(at)];
        const open: Policy = { ...given, scope: {}, disabled: false, unknown: "scope" };
        const instances = [
          { ...given, disabled: true },
          ...scopes.map((scope) => ({ ...given, disabled: false, scope })),
        ].map(inPlace);
        for (const one of all) {
          const counts = tallied(before, inPlace(open), [running(one)], []);
          if (counts.uncertain > 0) continue;
          for (const after of instances)
            expect(plainChanges(before, after, one).sort()).toEqual(namesOf(counts));
        }
      },
    ),
    { numRuns: cases(25) },
  );
});

test("the counts of several consoles are the sums of each", () => {
  fc.assert(
    fc.property(pair, workloads, ([before, after], all) => {
      const containers = all.map((one) => running(one));
      const parts = [containers.slice(0, 10), containers.slice(10)] as const;
      const whole = tallied(before, after, containers);
      const sum = sumLive([tallied(before, after, parts[0]), tallied(before, after, parts[1])]);
      const numbers = ({ running, uncertain, changes }: LiveCounts) => ({
        running,
        uncertain,
        // In any order.
        changes: new Map(
          changes.map(({ namespaces, ...one }) => [
            `${one.id} ${one.before} ${one.after}`,
            [one, new Map(namespaces.map(({ namespace, running }) => [namespace, running]))],
          ]),
        ),
      });
      expect(numbers(sum)).toEqual(numbers(whole));
      expect(sum.regions.map(({ running }) => running)).toEqual(
        whole.regions.map(({ running }) => running),
      );
    }),
    { numRuns: cases(25) },
  );
});

test("containers are counted by the policy that decides for them", () => {
  fc.assert(
    fc.property(policies, workloads, (set, all) => {
      const tally = new DecisionTally(set);
      for (const one of all) tally.add(running(one));
      const expected = new Map<number | null, number>();
      for (const index of all.map((one) => plainDecision(set, one))) {
        const position = index < 0 ? null : index + 1;
        expected.set(position, (expected.get(position) ?? 0) + 1);
      }
      const { decisions, uncertain } = tally.counts();
      expect(uncertain).toBe(0);
      expect(new Map(decisions.map((one) => [one.position, one.running]))).toEqual(expected);
    }),
    { numRuns: cases(25) },
  );
});

test.each([
  [{}, {}, "yes"],
  [{ namespace: "prod" }, { namespace: "PROD", image: "x" }, "yes"],
  [{ namespace: "prod" }, { namespace: "production" }, "no"],
  [{ namespace: "prod" }, { namespace: null }, "no"],
  [{ namespace: null }, { namespace: null }, "yes"],
  [{ namespace: null }, { namespace: "prod" }, "no"],
  [{ namespace: "prod" }, {}, "maybe"],
  [{ namespace: "prod", host: "h" }, { host: "i" }, "no"],
  [{ labels: ["a:b"] }, { labels: ["c:d", "A:B"] }, "yes"],
  [{ labels: ["a:b", "x:y"] }, { labels: ["a:b"] }, "no"],
  [{ labels: [] }, { labels: [] }, "yes"],
  [{ labels: [] }, { labels: ["a:b"] }, "no"],
] as const)("a query %j takes a container %j: %s", (query, one, fit) => {
  expect(fitOfQuery(query, one)).toBe(fit);
});
