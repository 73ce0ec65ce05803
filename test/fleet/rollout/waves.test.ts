import fc from "fast-check";
import { allowedFailures } from "../../../src/fleet/rollout/failures";
import { parseShare, roundedDown, roundedUp } from "../../../src/fleet/rollout/share";
import { parseWaves, type Waves } from "../../../src/fleet/rollout/wave-steps";
import { planWaves as planned, type WaveRequest } from "../../../src/fleet/rollout/waves";

const wavesOf = (text: string): Waves => {
  const parsed = parseWaves(text);
  if ("problem" in parsed) throw new Error(parsed.problem);
  return parsed.waves;
};

const shareOf = (text: string) => {
  const share = parseShare(text);
  if (!share) throw new Error(`${text} is no share`);
  return share;
};

const planWaves = (request: WaveRequest) => planned(request).waves.map(({ stacks }) => stacks);

/** The cumulative sizes that waves ask for. */
const waveTargets = (waves: Waves, total: number) => {
  let most = 0;
  return waves.map(({ share }) => (most = Math.max(most, roundedUp(share, total))));
};

const named = (count: number) => Array.from({ length: count }, (_, at) => `tenant-${at}`);

const EACH =
  "Each wave must be a number from 1, a percentage, or a label with one of them, as in 1,5%,100% or ring=canary,region=eu/10%:5,100%.";

describe("--waves", () => {
  test("are cumulative, and rounded up", () => {
    const sizes = (text: string, total: number) => {
      const stacks = named(total);
      const all = { stacks, changed: new Set(stacks), awaited: new Map() };
      return planWaves({ ...all, waves: wavesOf(text) }).map(({ length }) => length);
    };
    expect(sizes("1,5%,100%", 1000)).toEqual([1, 49, 950]);
    expect(sizes("1,5%,100%", 30)).toEqual([1, 1, 28]);
    expect(sizes("1,5%,100%", 3)).toEqual([1, 2]);
    expect(sizes("7%,100%", 100)).toEqual([7, 93]);
    expect(sizes("0.5%,100%", 1000)).toEqual([5, 995]);
    expect(sizes("50,5%,100%", 100)).toEqual([50, 50]);
  });

  test.each([
    ["", EACH],
    ["0,100%", EACH],
    ["1,5 %,100%", EACH],
    ["1,101%", EACH],
    ["-1,100%", EACH],
    ["10%,5%,100%", "Waves are cumulative: each must be larger than the one before."],
    ["1,10%,1,100%", "Waves are cumulative: each must be larger than the one before."],
    ["1,5%", "The last wave must be 100%, as in 1,5%,100%."],
    ["1,10", "The last wave must be 100%, as in 1,5%,100%."],
  ])("refuses %j", (text, problem) => {
    expect(parseWaves(text)).toEqual({ problem });
  });
});

describe("--max-failures", () => {
  test("is rounded down, of all selected stacks", () => {
    expect(allowedFailures(shareOf("5%"), 30, true)).toBe(1);
    expect(allowedFailures(shareOf("5%"), 19, true)).toBe(0);
    expect(allowedFailures(shareOf("3"), 30, true)).toBe(3);
  });

  test("allows none with waves and any without, unless it is given", () => {
    expect(allowedFailures(undefined, 30, true)).toBe(0);
    expect(allowedFailures(undefined, 30, false)).toBe(Number.POSITIVE_INFINITY);
  });
});

test("a percentage is rounded up or down to whole stacks, without errors of fractions", () => {
  fc.assert(
    fc.property(fc.nat(100_000), fc.nat(100_000), (total, thousandths) => {
      const text = `${Math.floor(thousandths / 1000)}.${String(thousandths % 1000).padStart(3, "0")}%`;
      const exact = BigInt(total) * BigInt(thousandths);
      const down = Number(exact / 100_000n);
      expect(roundedDown(shareOf(text), total)).toBe(down);
      expect(roundedUp(shareOf(text), total)).toBe(exact % 100_000n === 0n ? down : down + 1);
    }),
  );
});

describe("planned waves", () => {
  const plan = (
    stacks: readonly string[],
    waves: string,
    awaited: Record<string, readonly string[]> = {},
    changed: readonly string[] = stacks,
  ) =>
    planWaves({
      stacks,
      changed: new Set(changed),
      awaited: new Map(Object.entries(awaited).map(([name, others]) => [name, new Set(others)])),
      waves: wavesOf(waves),
    });

  test("have the stacks in their order", () => {
    expect(plan(named(5), "1,50%,100%")).toEqual([
      ["tenant-0"],
      ["tenant-1", "tenant-2"],
      ["tenant-3", "tenant-4"],
    ]);
  });

  test("start what another stack waits for first", () => {
    expect(plan(["app", "base", "other"], "1,100%", { app: ["base"] })).toEqual([
      ["base"],
      ["app", "other"],
    ]);
  });

  test("move stacks that wait for each other to the first wave with room for all of them", () => {
    const awaited = { a: ["b"], b: ["c"], c: ["a"], after: ["a"] };
    expect(plan(["a", "b", "c", "after", "d", "e"], "1,50%,100%", awaited)).toEqual([
      ["d"],
      ["e"],
      ["a", "b", "c", "after"],
    ]);
  });

  test("count stacks with changes only", () => {
    expect(plan(["a", "b", "c", "d"], "1,100%", { c: ["b"] }, ["c", "d"])).toEqual([
      ["a", "b", "c"],
      ["d"],
    ]);
    expect(plan(["a", "b"], "1,100%", {}, [])).toEqual([["a", "b"]]);
  });

  const cases = fc
    .record({
      count: fc.integer({ min: 1, max: 30 }),
      edges: fc.array(fc.tuple(fc.nat(29), fc.nat(29)), { maxLength: 40 }),
      unchanged: fc.array(fc.nat(29), { maxLength: 10 }),
      shares: fc.uniqueArray(fc.integer({ min: 1, max: 99 }), { maxLength: 4 }),
    })
    .map(({ count, edges, unchanged, shares }) => {
      const stacks = named(count);
      const nameAt = (at: number) => stacks[at % count] ?? "";
      const awaited = new Map<string, Set<string>>();
      for (const [from, to] of edges) {
        const others = awaited.get(nameAt(from)) ?? new Set();
        awaited.set(nameAt(from), others.add(nameAt(to)));
      }
      const still = new Set(unchanged.map(nameAt));
      const parts = [...shares.sort((a, b) => a - b), 100].map((part) => `${part}%`);
      const waves = wavesOf(parts.join(","));
      const changed = new Set(stacks.filter((stack) => !still.has(stack)));
      return { stacks, changed, awaited, waves };
    });

  test("have each stack once, none before what it waits for, and none too many", () => {
    fc.assert(
      fc.property(cases, (request) => {
        const { stacks, changed, awaited, waves } = request;
        const planned = planWaves(request);
        expect(planned.flat().sort()).toEqual([...stacks].sort());
        const at = (stack: string) => planned.findIndex((wave) => wave.includes(stack));
        for (const [stack, others] of awaited) {
          for (const other of others) expect(at(other)).toBeLessThanOrEqual(at(stack));
        }
        const targets = waveTargets(waves, changed.size);
        let sum = 0;
        for (const wave of planned) {
          const size = wave.filter((stack) => changed.has(stack)).length;
          sum += size;
          expect(size > 0 || changed.size === 0).toBe(true);
          // A wave may be empty and left out, so the sum belongs to its target or to a later one.
          expect(targets.some((target) => sum <= target)).toBe(true);
        }
        for (const [index, target] of targets.entries()) {
          const wave = planned[index];
          if (!wave || planned.length < targets.length) break;
          const before = planned.slice(0, index + 1).flat();
          expect(before.filter((stack) => changed.has(stack)).length).toBeLessThanOrEqual(target);
        }
      }),
    );
  });

  test("are exactly as large as asked for, if no stack waits for another", () => {
    fc.assert(
      fc.property(cases, ({ stacks, changed, waves }) => {
        const planned = planWaves({ stacks, changed, waves, awaited: new Map() });
        let sum = 0;
        const sums = planned.map((wave) => (sum += wave.filter((one) => changed.has(one)).length));
        expect(sums).toEqual([...new Set(waveTargets(waves, changed.size))]);
      }),
    );
  });
});
