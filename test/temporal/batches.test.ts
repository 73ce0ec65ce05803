import fc from "fast-check";
import { Rollout } from "../../src/fleet/rollout/rollout";
import { BATCH, runInBatches, type UnitToApply } from "../../src/temporal/batches";
import type { StackOutcome } from "../../src/temporal/messages";

// The promises of a rollout in one process, for batches of workers whose applies take drawn times.

interface Schedule {
  readonly units: readonly (UnitToApply & { readonly fails: boolean; readonly wave: number })[];
  readonly takes: readonly number[];
  readonly allowedFailures: number;
  /** The turn after which the run is stopped, if it is. */
  readonly stopAt: number | undefined;
}

const schedules: fc.Arbitrary<Schedule> = fc.record({
  units: fc
    .array(
      fc.record({
        size: fc.constantFrom(1, 1, 1, 2, 3),
        queue: fc.constantFrom("eu", "us"),
        changed: fc.constantFrom(true, true, true, false),
        fails: fc.constantFrom(false, false, false, false, true),
        wave: fc.nat(2),
      }),
      { minLength: 1, maxLength: 60 },
    )
    .map((units) =>
      units.map(({ size, ...unit }, at) => ({
        ...unit,
        stacks: Array.from({ length: size }, (_, part) => `s${at}.${part}`),
      })),
    ),
  takes: fc.array(fc.nat(20), { minLength: 1, maxLength: 10 }),
  allowedFailures: fc.constantFrom(0, 1, 2, 5, 40, Number.POSITIVE_INFINITY),
  stopAt: fc.option(fc.nat(60), { nil: undefined, freq: 4 }),
});

/** Resolves after some turns of the event loop. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn <= count; turn++) await new Promise((resolve) => setImmediate(resolve));
}

async function run({ units, takes, allowedFailures, stopAt }: Schedule) {
  const stop = new AbortController();
  const waves = [0, 1, 2]
    .map((wave) => ({ stacks: units.flatMap((one) => (one.wave === wave ? one.stacks : [])) }))
    .filter(({ stacks }) => stacks.length > 0);
  const awaited = new Map(
    units.flatMap(({ stacks }) =>
      stacks.map(
        (stack, at) => [stack, new Set([stacks[(at + 1) % stacks.length] ?? ""])] as const,
      ),
    ),
  );
  const ended = new Set<string>();
  const given: { readonly stacks: readonly string[]; readonly ended: ReadonlySet<string> }[] = [];
  const failed = new Set<string>();
  let open = 0;
  const rollout = new Rollout({
    waves,
    allowedFailures,
    failureMode: "strict",
    awaited,
    excluded: 0,
    stop: stop.signal,
    proceed: () => Promise.resolve("start"),
    ended: ({ stack }) => ended.add(stack),
  });
  const failing = new Set(units.flatMap(({ fails, stacks }) => (fails ? stacks : [])));
  const apply = async (queue: string, stacks: readonly string[]) => {
    expect(stop.signal.aborted).toBe(false);
    expect(units.filter((one) => one.queue !== queue).flatMap((one) => one.stacks)).not.toContain(
      stacks[0],
    );
    given.push({ stacks, ended: new Set(ended) });
    await turns(takes[open++ % takes.length] ?? 0);
    return new Map(
      stacks.map((stack): [string, StackOutcome] => {
        const status = failing.has(stack) ? "failed" : "applied";
        if (status === "failed") failed.add(stack);
        return [stack, { stack, status, add: 0, change: 0, remove: 0 }];
      }),
    );
  };
  if (stopAt !== undefined) {
    void turns(stopAt).then(() => {
      stop.abort();
    });
  }

  await runInBatches({
    rollout,
    units,
    apply,
    open: () => Promise.resolve(),
    isOpen: () => true,
  });
  return { given, failed, ended, waves, halted: rollout.halted };
}

test("keeps waves, units, batches and the budget for every schedule", async () => {
  await fc.assert(
    fc.asyncProperty(schedules, async (schedule) => {
      const { units, allowedFailures } = schedule;
      const { given, failed, ended, waves, halted } = await run(schedule);
      const all = given.flatMap(({ stacks }) => stacks);
      // Nothing is applied twice, and stacks without changes by no worker.
      expect(new Set(all).size).toBe(all.length);
      const unchanged = units.flatMap((one) => (one.changed ? [] : one.stacks));
      expect(unchanged.filter((stack) => all.includes(stack))).toEqual([]);
      for (const { stacks } of given) {
        // A unit is in one batch, and a batch no larger than allowed, unless one unit is.
        const whole = units.filter((one) => one.stacks.some((stack) => stacks.includes(stack)));
        expect([...stacks].sort()).toEqual(whole.flatMap((one) => one.stacks).sort());
        expect(stacks.length <= BATCH || whole.length === 1).toBe(true);
      }
      for (const { stacks, ended: before } of given) {
        const at = waves.findIndex((wave) => stacks.some((one) => wave.stacks.includes(one)));
        const earlier = waves.slice(0, at).flatMap((wave) => wave.stacks);
        expect(earlier.filter((stack) => !before.has(stack))).toEqual([]);
      }
      const failedUnits = units.filter(({ stacks }) => stacks.some((one) => failed.has(one)));
      expect(failedUnits.length).toBeLessThanOrEqual(allowedFailures + 1);
      if (halted === undefined) {
        expect(ended.size).toBe(units.flatMap(({ stacks }) => stacks).length);
      }
    }),
    { numRuns: 300 },
  );
});
