import fc from "fast-check";
import { Rollout } from "../../../src/fleet/rollout/rollout";
import { unitsOf, withDependents } from "../../../src/fleet/rollout/units";
import { planWaves } from "../../../src/fleet/rollout/waves";
import type { Pace } from "../../../src/runtime/apply/pace";

/*
 * The promise of a budget, over schedules of a small model of the engine on a simulated clock. More by
 * ROLLOUT_SCHEDULES=10000 npx jest test/fleet/rollout/schedules
 */

const SCHEDULES = Number(process.env.ROLLOUT_SCHEDULES ?? 1_000);

/** One step of a stack, which takes some time and may wait for a step of another stack. */
interface Step {
  readonly writes: boolean;
  readonly fails: boolean;
  readonly takes: number;
  readonly waitsFor?: { readonly stack: number; readonly step: number } | undefined;
}

interface Schedule {
  readonly stacks: readonly (readonly Step[])[];
  readonly waves: readonly number[];
  readonly parallelism: number;
  readonly allowedFailures: number;
  readonly excluded: number;
  readonly late: readonly number[];
}

const schedules: fc.Arbitrary<Schedule> = fc
  .tuple(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 0, max: 60 }))
  .chain(([count, faults]) =>
    fc.record({
      stacks: fc.array(
        fc.array(
          fc.record({
            writes: fc.boolean(),
            fails: fc.integer({ min: 1, max: 100 }).map((one) => one <= faults),
            takes: fc.integer({ min: 0, max: 9 }),
            waitsFor: fc.option(fc.record({ stack: fc.nat(count - 1), step: fc.nat(3) }), {
              nil: undefined,
              freq: 6,
            }),
          }),
          { minLength: 1, maxLength: 4 },
        ),
        { minLength: count, maxLength: count },
      ),
      waves: fc.array(fc.integer({ min: 1, max: count }), { maxLength: 2 }),
      parallelism: fc.integer({ min: 1, max: 5 }),
      allowedFailures: fc.integer({ min: 0, max: 4 }),
      excluded: fc.constantFrom(0, 0, 0, 1),
      late: fc.array(fc.nat(count - 1), { maxLength: 2 }),
    }),
  )
  .map((schedule) => ({ ...schedule, stacks: schedule.stacks.map(withoutCycles) }))
  .filter(({ excluded, allowedFailures }) => excluded <= allowedFailures);

/** Steps wait only for steps of a lower number, or of the same number in an earlier stack. */
function withoutCycles(steps: readonly Step[], stack: number): readonly Step[] {
  return steps.map(({ waitsFor: other, ...step }, at) => {
    const isBefore = other && (other.step < at || (other.step === at && other.stack < stack));
    return isBefore && other.stack !== stack ? { ...step, waitsFor: other } : step;
  });
}

const nameOf = (stack: number) => `s${stack}`;

/** Wakes all sleepers of one time before the time advances. */
class Clock {
  private readonly timers: { readonly at: number; readonly wake: () => void }[] = [];
  private now = 0;

  sleep(takes: number): Promise<void> {
    return new Promise((wake) => {
      this.timers.push({ at: this.now + takes, wake });
    });
  }

  async run(): Promise<void> {
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve));
      const next = this.timers.reduce((least, { at }, index) => {
        return at < (this.timers[least]?.at ?? Infinity) ? index : least;
      }, 0);
      const [timer] = this.timers.splice(next, 1);
      if (!timer) return;
      this.now = timer.at;
      timer.wake();
    }
  }
}

type Outcome = "applied" | "failed" | "not-started";

/** The events of a run, in order. */
interface Trace {
  readonly events: readonly {
    readonly kind: "wrote" | "ended" | "failed";
    readonly stack: string;
  }[];
  readonly outcomes: ReadonlyMap<string, Outcome>;
}

async function run(
  schedule: Schedule,
): Promise<Trace & { waves: readonly (readonly string[])[]; awaited: Map<string, Set<string>> }> {
  const { stacks, parallelism, allowedFailures, excluded } = schedule;
  const names = stacks.map((_, stack) => nameOf(stack));
  const awaited = new Map(
    stacks.map((steps, stack) => {
      const others = steps.flatMap(({ waitsFor }) => (waitsFor ? [nameOf(waitsFor.stack)] : []));
      return [nameOf(stack), new Set(others)] as const;
    }),
  );
  const sizes = [...new Set(schedule.waves)].sort((a, b) => a - b);
  const { waves } = planWaves({
    stacks: unitsOf(names, awaited).flat(),
    changed: new Set(names),
    awaited,
    waves: [
      ...sizes.map((count) => ({ share: { kind: "count", count } }) as const),
      { share: { kind: "part", numerator: 1, denominator: 1 } },
    ],
  });
  const { pace } = new Rollout({
    waves,
    allowedFailures,
    excluded,
    awaited,
    late: new Set(schedule.late.map(nameOf)),
    failureMode: "strict",
    proceed: () => Promise.resolve("start"),
    stop: new AbortController().signal,
  });
  const engine = new Engine(schedule, pace, parallelism);
  await engine.run();
  return {
    events: engine.events,
    outcomes: engine.outcomes,
    waves: waves.map((wave) => wave.stacks),
    awaited,
  };
}

/** A model of the executor: a step runs after those that it waits for, and a failure skips what waits for it. */
class Engine {
  readonly events: { kind: "wrote" | "ended" | "failed"; stack: string }[] = [];
  readonly outcomes = new Map<string, Outcome>();
  private readonly clock = new Clock();
  private readonly done = new Map<
    string,
    { promise: Promise<boolean>; settle: (ok: boolean) => void }
  >();
  private running = 0;
  private readonly queue: (() => void)[] = [];

  constructor(
    private readonly schedule: Schedule,
    private readonly pace: Pace,
    private readonly parallelism: number,
  ) {
    for (const [stack, steps] of schedule.stacks.entries()) {
      for (const at of steps.keys()) {
        let settle: (ok: boolean) => void = () => undefined;
        const promise = new Promise<boolean>((resolve) => (settle = resolve));
        this.done.set(`${stack}.${at}`, { promise, settle });
      }
    }
  }

  async run(): Promise<void> {
    for (const stack of this.schedule.stacks.keys()) void this.stack(stack);
    await this.clock.run();
  }

  private async stack(number: number): Promise<void> {
    const stack = nameOf(number);
    const steps = this.schedule.stacks[number] ?? [];
    await this.pace.admit?.(stack);
    const outcome = this.pace.start?.(stack) === false ? "not-started" : await this.steps(number);
    for (const at of steps.keys()) this.done.get(`${number}.${at}`)?.settle(false);
    this.outcomes.set(stack, outcome);
    this.events.push({ kind: "ended", stack });
    if (outcome === "not-started") this.pace.refused?.(stack);
    else
      this.pace.ended?.({ stack, complete: outcome === "applied" } as Parameters<
        NonNullable<Pace["ended"]>
      >[0]);
  }

  private async steps(number: number): Promise<Outcome> {
    const stack = nameOf(number);
    let wrote = false;
    for (const [at, step] of (this.schedule.stacks[number] ?? []).entries()) {
      const { waitsFor, writes, takes, fails } = step;
      const other = waitsFor && this.done.get(`${waitsFor.stack}.${waitsFor.step}`);
      if (other && !(await other.promise)) return wrote ? "failed" : "not-started";
      await this.begin();
      await this.clock.sleep(takes);
      if (writes) {
        this.end();
        const granted = await this.pace.beforeWrite?.(stack);
        if (granted === false) return "not-started";
        wrote = true;
        this.events.push({ kind: "wrote", stack });
        await this.begin();
        await this.clock.sleep(takes);
      }
      this.end();
      if (fails) {
        this.events.push({ kind: "failed", stack });
        this.pace.failed?.(stack);
        return "failed";
      }
      this.done.get(`${number}.${at}`)?.settle(true);
    }
    return "applied";
  }

  private async begin(): Promise<void> {
    if (this.running >= this.parallelism)
      await new Promise<void>((resume) => this.queue.push(resume));
    this.running++;
  }

  private end(): void {
    this.running--;
    this.queue.shift()?.();
  }
}

test("holds for every schedule of stacks, waves, units, parallelism and faults", async () => {
  await fc.assert(
    fc.asyncProperty(schedules, async (schedule) => {
      const { events, outcomes, waves, awaited } = await run(schedule);
      const { allowedFailures, excluded } = schedule;
      // No deadlock.
      expect(outcomes.size).toBe(schedule.stacks.length);
      const wrote = new Set(events.flatMap(({ kind, stack }) => (kind === "wrote" ? [stack] : [])));
      const units = unitsOf([...outcomes.keys()], awaited);
      const failedAfterWrite = units.filter(
        (unit) =>
          unit.some((stack) => wrote.has(stack)) &&
          unit.some((stack) => outcomes.get(stack) === "failed"),
      );
      expect(failedAfterWrite.length).toBeLessThanOrEqual(allowedFailures + 1);
      // Units that begin to write after too many failures: none.
      const failed = new Set<string>();
      const begun = new Set<string>();
      for (const { kind, stack } of events) {
        if (kind === "failed") failed.add(stack);
        if (kind !== "wrote") continue;
        const unit = units.find((one) => one.includes(stack)) ?? [];
        const isNew = unit.every((one) => !begun.has(one));
        if (isNew) expect(excluded + failed.size).toBeLessThanOrEqual(allowedFailures);
        begun.add(stack);
      }
      // Waves in order: nothing is written before every stack of the earlier waves has ended.
      const waveOf = new Map(
        waves.flatMap((wave, at) => wave.map((stack) => [stack, at] as const)),
      );
      const late = withDependents(new Set(schedule.late.map(nameOf)), awaited);
      const ended = new Set<string>();
      for (const { kind, stack } of events) {
        if (kind === "ended") ended.add(stack);
        if (kind !== "wrote") continue;
        const wave = waves[waveOf.get(stack) ?? 0] ?? [];
        const early = late.has(stack) ? wave.filter((one) => !late.has(one)) : [];
        const earlier = [...waves.slice(0, waveOf.get(stack)).flat(), ...early];
        expect(earlier.filter((one) => !ended.has(one))).toEqual([]);
      }
      // Without a failure everything is applied.
      const isFaultless = schedule.stacks.flat().every(({ fails }) => !fails);
      if (isFaultless) expect([...outcomes.values()].every((one) => one === "applied")).toBe(true);
    }),
    { numRuns: SCHEDULES },
  );
});
