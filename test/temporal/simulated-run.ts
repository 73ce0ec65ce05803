import fc from "fast-check";
import type {
  AppliedBatch,
  ApplyBatch,
  EndedWave,
  Followed,
  InputUnit,
  Machine,
  PlanBatch,
  PlannedBatch,
  RolloutInput,
} from "../../src/temporal";
import { parseWaves } from "../../src/fleet/rollout/wave-steps";

/** A run whose workers plan and apply nothing: the outcomes are drawn. */
export interface DrawnRun {
  readonly units: readonly {
    readonly size: number;
    readonly queue: "eu" | "us";
    readonly changed: boolean;
    readonly fate: "applied" | "failed" | "excluded" | "changed";
  }[];
  readonly waves: string | undefined;
  readonly allowedFailures: number | undefined;
  readonly check: boolean;
  /** The largest batch whose review is not too large. */
  readonly mostReviewed: number;
  /** Started stacks after which somebody decides. */
  readonly decisions: readonly {
    readonly after: number;
    readonly kind: "stop" | "pause" | "set";
  }[];
}

export const drawnRuns: fc.Arbitrary<DrawnRun> = fc.record({
  units: fc.array(
    fc.record({
      size: fc.constantFrom(1, 1, 1, 2, 3),
      queue: fc.constantFrom("eu" as const, "us" as const),
      changed: fc.constantFrom(true, true, true, false),
      fate: fc.constantFrom(
        ...(["applied", "applied", "applied", "applied", "applied"] as const),
        ...(["failed", "excluded", "changed"] as const),
      ),
    }),
    { minLength: 1, maxLength: 60 },
  ),
  waves: fc.constantFrom(undefined, "100%", "1,50%,100%", "2,10%,40%:3,100%:manual"),
  allowedFailures: fc.constantFrom(undefined, 0, 1, 2, 5, 40),
  check: fc.constantFrom(true, true, true, true, false),
  mostReviewed: fc.constantFrom(25, 25, 4),
  decisions: fc.array(
    fc.record({
      after: fc.nat(30),
      kind: fc.constantFrom("stop" as const, "pause" as const, "pause" as const, "set" as const),
    }),
    { maxLength: 2 },
  ),
});

type Drawn = DrawnRun["units"][number] & { readonly stacks: readonly string[] };

/** The run with the names of its stacks. */
export class SimulatedRun {
  readonly units: readonly Drawn[];
  private readonly unitOf = new Map<string, Drawn>();
  /** Stacks whose plans have changed once. */
  private readonly changed = new Set<string>();
  private readonly applied = new Set<string>();
  readonly batches: (readonly string[])[] = [];

  constructor(
    readonly id: string,
    readonly drawn: DrawnRun,
  ) {
    this.units = drawn.units.map((unit, at) => ({
      ...unit,
      stacks: Array.from({ length: unit.size }, (_, part) => `s${at}.${part}`),
    }));
    for (const unit of this.units) for (const stack of unit.stacks) this.unitOf.set(stack, unit);
  }

  get input(): RolloutInput {
    const { waves, allowedFailures } = this.drawn;
    const parsed = waves === undefined ? undefined : parseWaves(waves);
    return {
      runId: this.id,
      ...{
        operation: "apply",
        by: "me@here",
        startedAt: "2026-11-29T12:00:00Z",
        queueBy: "region",
      },
      basis: { program: "p", contract: "c" },
      gate: {},
      units: this.units.map(({ queue, stacks }): InputUnit => ({
        queue,
        stacks: stacks.map((name) => ({ name })),
      })),
      ...(parsed && "waves" in parsed && { waves: parsed.waves }),
      ...(allowedFailures !== undefined && {
        maxFailures: { kind: "count", count: allowedFailures },
      }),
      failureMode: "strict",
      autoApprove: true,
      attributes: [],
      leaseMs: 30_000,
    };
  }

  plan({ stacks }: PlanBatch): PlannedBatch | "too large" {
    const { mostReviewed } = this.drawn;
    const isOneUnit = stacks.every((stack) => this.unit(stack) === this.unit(stacks[0] ?? ""));
    if (stacks.length > mostReviewed && !isOneUnit) return "too large";
    const isExcluded = (stack: string) => this.unit(stack).fate === "excluded";
    return {
      stacks: stacks
        .filter((stack) => !isExcluded(stack))
        .map((stack) => {
          const digest = this.changed.has(stack) ? "second" : "first";
          const changed = this.unit(stack).changed && !this.applied.has(stack);
          return { stack, digest, changed, add: changed ? 1 : 0, change: 0, remove: 0 };
        }),
      excluded: stacks.filter(isExcluded).map((stack) => ({ stack, reason: "drawn" })),
      review: "",
    };
  }

  apply({ stacks, digests }: ApplyBatch): AppliedBatch {
    this.batches.push(stacks);
    return {
      stacks: stacks.map((stack) => {
        const { fate, stacks: unit } = this.unit(stack);
        const changes = fate === "changed" && stack === unit.at(-1);
        const isNew = changes && !this.changed.has(stack);
        if (isNew) this.changed.add(stack);
        else if (digests[stack] !== (changes ? "second" : "first")) {
          throw new Error(`${stack} has another digest than was approved`);
        }
        const status = isNew ? "changed" : fate === "failed" ? "failed" : "applied";
        if (status === "applied") this.applied.add(stack);
        return { stack, status, add: status === "applied" ? 1 : 0, change: 0, remove: 0 };
      }),
      problems: [],
    };
  }

  unit(stack: string): Drawn {
    const unit = this.unitOf.get(stack);
    if (!unit) throw new Error(`${stack} is not in run ${this.id}`);
    return unit;
  }
}

/** A machine that has many runs, by their IDs. */
export function machineOf(
  runs: ReadonlyMap<string, SimulatedRun>,
  queue: string,
  failed: (failure: unknown) => void,
): Machine {
  const of = ({ runId }: { readonly runId: string }) => {
    const run = runs.get(runId);
    if (!run) throw new Error(`there is no run ${runId}`);
    return run;
  };
  const isOwn = (run: SimulatedRun, stacks: readonly string[]) => {
    if (stacks.some((stack) => run.unit(stack).queue !== queue)) {
      throw new Error(`${run.id}: stacks of another queue than ${queue}`);
    }
  };
  return {
    plan: async (batch) => {
      isOwn(of(batch), batch.stacks);
      return Promise.resolve(of(batch).plan(batch));
    },
    apply: async (batch) => {
      isOwn(of(batch), batch.stacks);
      return Promise.resolve(of(batch).apply(batch));
    },
    check: (wave: EndedWave) => Promise.resolve(of(wave).drawn.check),
    failed,
    lost: () => undefined,
  };
}

/** Returns what a run has not kept of its promises. */
export function brokenPromises(
  run: SimulatedRun,
  news: Followed["news"],
  { code, allowed_failures: allowed, add }: Followed["status"],
): readonly string[] {
  const broken: string[] = [];
  const expects = (holds: boolean, promise: string) => {
    if (!holds) broken.push(`${run.id}: ${promise}`);
  };
  const ended = new Map<string, string>();
  const open = new Set<string>();
  const waves: (readonly string[])[] = [];
  let isStopped = false;
  let isPaused = false;
  for (const one of news) {
    if (one.kind === "wave") {
      const earlier = waves.flat();
      expects(
        earlier.every((stack) => ended.has(stack) || !run.unit(stack).changed),
        `wave ${one.wave} begins before those before it have ended`,
      );
      waves.push(one.stacks);
    } else if (one.kind === "started") {
      expects(!isStopped, "stacks are started after the stop");
      expects(!isPaused, "stacks are started in a pause");
      for (const stack of one.stacks) {
        const before = ended.get(stack);
        expects(!open.has(stack), `${stack} is started twice`);
        expects(before === undefined || before === "changed", `${stack} is started again`);
        expects(waves.at(-1)?.includes(stack) === true, `${stack} is not in the wave`);
        expects(run.unit(stack).changed, `${stack} needs no worker`);
        open.add(stack);
      }
      const whole = new Set(one.stacks.map((stack) => run.unit(stack)));
      expects(one.stacks.length <= 25 || whole.size === 1, "a batch is too large");
      const isLeft = (stack: string) => ended.get(stack) !== "applied";
      const stacks = [...whole].flatMap((unit) => unit.stacks.filter(isLeft));
      expects(stacks.sort().join() === [...one.stacks].sort().join(), "a unit is divided");
    } else if (one.kind === "ended") {
      open.delete(one.outcome.stack);
      ended.set(one.outcome.stack, one.outcome.status);
    } else if (one.kind === "decided") {
      isStopped ||= one.decision === "stop";
      isPaused = one.decision === "pause" || (isPaused && one.decision !== "continue");
    }
  }
  const failedUnits = run.units.filter((unit) =>
    unit.stacks.some((stack) => ended.get(stack) === "failed"),
  );
  const bound = (allowed ?? Number.POSITIVE_INFINITY) + 1;
  const isLimited = run.drawn.decisions.some(({ kind }) => kind === "set");
  expects(
    failedUnits.length <= (isLimited ? Math.max(bound, 4) : bound),
    `${failedUnits.length} units have failed`,
  );
  expects(open.size === 0, "stacks are open at the end");
  const written = [...ended.keys()].filter((stack) => {
    return ended.get(stack) === "applied" && run.unit(stack).changed;
  });
  expects(add === written.length, `${add} changes are reported of ${written.length}`);
  const all = run.units.flatMap(({ stacks }) => stacks);
  if (code === 0) {
    expects(
      all.every((stack) => ended.get(stack) === "applied"),
      "not all stacks were applied",
    );
  }
  expects(code !== undefined, "the run has not ended");
  return broken;
}
