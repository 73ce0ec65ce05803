import { allowedFailures } from "../fleet/rollout/failures";
import { Rollout, type Halt, type Wave } from "../fleet/rollout/rollout";
import type { PlannedWave } from "../fleet/rollout/waves";
import { runInBatches, unchangedOutcome, type UnitToApply } from "./batches";
import { Decisions } from "./decisions";
import type { InputUnit, RolloutInput, RolloutStart } from "./input";
import {
  isReadOnly,
  type Followed,
  type RemoteStatus,
  type ResultPage,
  type ReviewPage,
  type StackOutcome,
} from "./messages";
import { FOLLOW, RESULT, RESULT_ATTRIBUTE, REVIEW, runIdOf, WAVE_ATTRIBUTE } from "./names";
import { pack, unpack } from "./pack";
import { shortProgress, type ShortProgress, type RunSteps, wholeProgress } from "./progress";
import { DONE, FAILED, INTERRUPTED, resultName, worst } from "./result-codes";
import { RunReport } from "./run-report";
import { RunStacks } from "./run-stacks";
import type { WorkflowSdk } from "./sdk";
import { awaitedIn, batchesOf, halvesOf, stacksOfUnits, type UnitBatch } from "./units";
import { WorkerCalls } from "./worker-calls";

/** Times that plans which have changed are made again. Some change each time, as by `timestamp()`. */
const MOST_ROUNDS = 3;

/** Batches that are planned at a time: each has up to 0.9 MB, and Temporal ends a run that has 50. */
const MOST_PLANNED = 50;

/**
 * Returns the workflow of a run: the rollout of `fleet`, with applies by the workers of queues.
 * Lists of stacks are packed.
 */
export function rolloutWorkflow(sdk: WorkflowSdk) {
  return (start: RolloutStart, units: Uint8Array, progress?: Uint8Array): Promise<RemoteStatus> => {
    // A schedule gives each of its runs another ID.
    const runId = runIdOf(sdk.workflowInfo().workflowId);
    const input = { ...start, runId, units: unpack(units) as readonly InputUnit[] };
    const kept = progress && (unpack(progress) as ShortProgress);
    return new RolloutWorkflow(sdk, input, kept).run(start, units);
  };
}

class RolloutWorkflow {
  private readonly report: RunReport;
  private readonly calls: WorkerCalls;
  private readonly stacks: RunStacks;
  private readonly steps: RunSteps;
  private readonly decisions: Decisions;
  /** A wave has ended, and the next one has not begun. */
  private isProceeding = false;

  constructor(
    private readonly sdk: WorkflowSdk,
    private readonly input: RolloutInput,
    kept: ShortProgress | undefined,
  ) {
    const progress = kept && wholeProgress(kept, stacksOfUnits(input.units));
    this.report = new RunReport(input, progress?.report);
    this.calls = new WorkerCalls(sdk, input);
    this.stacks = new RunStacks(input, this.report);
    const first = { round: 0, repeats: 0, waves: undefined, begun: 0, refusal: undefined };
    this.steps = progress?.steps ?? first;
    sdk.setHandler(sdk.defineQuery(FOLLOW), (from: number): Followed => this.report.follow(from));
    sdk.setHandler(sdk.defineQuery(REVIEW), (from: number): ReviewPage => this.report.review(from));
    sdk.setHandler(sdk.defineQuery(RESULT), (from: number): ResultPage => this.report.result(from));
    this.decisions = new Decisions(sdk, this.report, input.autoApprove);
  }

  async run(start: RolloutStart, units: Uint8Array): Promise<RemoteStatus> {
    const { report, sdk, input, steps } = this;
    const code = await this.planAndApply();
    if (code === "leaves") {
      const kept = { steps, report: report.kept(sdk.workflowInfo().runId) };
      const progress = shortProgress(kept, stacksOfUnits(input.units));
      return sdk.continueAsNew(start, units, pack(progress));
    }
    report.code = this.isStopped() && !isReadOnly(input.operation) ? INTERRUPTED : code;
    report.phase = "ended";
    this.mark(RESULT_ATTRIBUTE, [resultName(report.code)]);
    return report.status;
  }

  /** Returns the exit code, or "leaves" if a new execution has to go on. */
  private async planAndApply(): Promise<number | "leaves"> {
    const { report, input, steps } = this;
    for (;;) {
      if (!steps.waves) {
        await this.plan(this.stacks.unplanned());
        if (this.isStopped()) return INTERRUPTED;
        if (this.isLeaving()) return "leaves";
        const code = this.judge();
        if (code !== undefined) return code;
        if (this.isLeaving()) return "leaves";
      }
      const waves = steps.waves ?? [];
      if (steps.begun === 0 && !(await this.asksFirst(waves))) return this.end();
      const halt = await this.apply(waves);
      if (halt === "leaves") return halt;
      // A plan that has changed since its review is reviewed again, alone.
      const changes = new Set(report.having("changed"));
      if (changes.size === 0 || halt !== undefined || steps.repeats === MOST_ROUNDS) break;
      const units = input.units.filter(({ stacks }) =>
        stacks.some(({ name }) => changes.has(name)),
      );
      report.forget(stacksOfUnits(units));
      Object.assign(steps, { waves: undefined, begun: 0, repeats: steps.repeats + 1 });
    }
    return this.end();
  }

  private end(): number {
    const { applied, total } = this.report.status;
    return this.steps.refusal ?? (applied === total ? DONE : FAILED);
  }

  /** Decides if the plans may be applied, and in which waves. Returns an exit code if they may not. */
  private judge(): number | undefined {
    const { report, input, steps } = this;
    if (steps.repeats > 0) {
      steps.waves = [{ stacks: this.stacks.left(stacksOfUnits(input.units)) }];
      return steps.refusal;
    }
    const isWhole = report.having("excluded").length === 0;
    if (isReadOnly(input.operation)) return worst(steps.refusal, isWhole ? DONE : FAILED);
    if (steps.refusal !== undefined) return steps.refusal;
    steps.waves = this.stacks.waves();
    report.waves = steps.waves.map(({ stacks }) => stacks.length);
    const { total } = report.status;
    report.allowedFailures = allowedFailures(input.maxFailures, total, input.waves !== undefined);
    return report.countedExclusions > report.allowedFailures ? FAILED : undefined;
  }

  private asksFirst(waves: readonly PlannedWave[]): boolean | Promise<boolean> {
    const [first = { stacks: [] }] = waves;
    if (this.stacks.changed(waves.flatMap(({ stacks }) => stacks)) === 0) return true;
    if (this.steps.repeats === 0) return this.asks(1, waves);
    // Each round has another number: an approval is about the plans that it has shown.
    const number = this.report.waves.length + this.steps.repeats;
    return this.asksAbout({ number, count: number }, first.stacks, false);
  }

  /** Plans units by the workers of their queues. */
  private async plan(units: readonly InputUnit[]): Promise<void> {
    this.report.phase = "planning";
    const [round, batches] = [this.steps.round++, batchesOf(units)];
    const lane = async (): Promise<void> => {
      for (let batch = batches.shift(); batch; batch = batches.shift()) {
        batches.unshift(...(await this.planBatch(batch, round)));
        if (this.isStopped() || this.isLeaving()) return;
      }
    };
    await Promise.all(Array.from({ length: MOST_PLANNED }, lane));
  }

  /** Returns the batches that are planned instead: the review of this one may be too large. */
  private async planBatch(batch: UnitBatch, round: number): Promise<readonly UnitBatch[]> {
    const { report, steps } = this;
    const stacks = stacksOfUnits(batch.units);
    const planned = await this.calls.plan(batch.queue, stacks, round);
    if (planned === "too large") {
      const halves = halvesOf(batch);
      if (halves.length === 0) report.exclude(stacks, "The review is larger than 900 KB");
      return halves;
    }
    if ("failure" in planned) {
      report.exclude(stacks, planned.failure);
      return [];
    }
    report.addPlanned(planned);
    const { refusal } = planned;
    if (refusal !== undefined) steps.refusal = worst(steps.refusal, refusal);
    return [];
  }

  /** Applies what is left of the waves. Returns why not all stacks were started. */
  private async apply(waves: readonly PlannedWave[]): Promise<Halt | "leaves" | undefined> {
    const { report, input, steps } = this;
    const round = steps.round++;
    const left = waves.map((wave) => ({ ...wave, stacks: this.stacks.left(wave.stacks) }));
    const known = new Set(left.flatMap(({ stacks }) => stacks));
    const units = new Map(
      input.units.flatMap((unit) => stacksOfUnits([unit]).map((name) => [name, unit])),
    );
    const applied = input.units.flatMap((unit): UnitToApply[] => {
      const stacks = stacksOfUnits([unit]).filter((name) => known.has(name));
      const changed = this.stacks.changed(stacks) > 0;
      return stacks.length === 0 ? [] : [{ stacks, queue: unit.queue, changed }];
    });
    const rollout = new Rollout({
      waves: left,
      get allowedFailures() {
        return report.allowedFailures;
      },
      get most() {
        return report.parallelism;
      },
      failureMode: input.failureMode,
      awaited: awaitedIn(applied),
      excluded: report.failures,
      failedBefore: this.stacks.failedUnits(),
      stop: this.decisions.stop,
      proceed: (done, next) =>
        this.proceed({ ...done, stacks: waves[done.number - 1]?.stacks ?? [] }, next, waves, units),
      ended: ({ stack }) => {
        // Nothing is to be done for a stack without changes.
        if (!report.outcome(stack)) report.end(unchangedOutcome(stack, "applied"));
      },
      waveStarted: ({ number, stacks }) => {
        if (number !== steps.begun) report.begin(number, stacks);
        steps.begun = number;
        this.mark(WAVE_ATTRIBUTE, [number]);
      },
    });
    this.decisions.rollout = rollout;
    const isOpen = () => (!report.isPaused && !this.isLeaving()) || this.isStopped();
    const isLeft = () => this.isLeaving() && report.running === 0 && !this.isProceeding;
    const batches = runInBatches({
      rollout,
      units: applied,
      isOpen,
      open: () => this.sdk.condition(isOpen),
      apply: (queue, stacks) => this.applyBatch(queue, stacks, round),
    });
    const run = { hasEnded: false };
    const end = batches.then(() => {
      run.hasEnded = true;
    });
    await this.sdk.condition(() => run.hasEnded || isLeft());
    if (!run.hasEnded) return "leaves";
    await end;
    for (const stack of known) {
      if (!report.outcome(stack)) report.end(unchangedOutcome(stack, "not started"));
    }
    return rollout.halted;
  }

  private async applyBatch(
    queue: string,
    stacks: readonly string[],
    round: number,
  ): Promise<ReadonlyMap<string, StackOutcome>> {
    const { report } = this;
    const digests = Object.fromEntries(
      stacks.map((stack) => [stack, report.plan(stack)?.digest ?? ""]),
    );
    report.handOut(stacks);
    const result = await this.calls.apply(queue, stacks, round, digests);
    const batch =
      "failure" in result
        ? {
            stacks: stacks.map((stack) => unchangedOutcome(stack, "failed", result.failure)),
            problems: [],
          }
        : result;
    report.takeBack(stacks, batch);
    return new Map(batch.stacks.map((one) => [one.stack, one]));
  }

  /** Runs the checks of the workers that had stacks of the wave, and asks about the next one. */
  private async proceed(
    { number: wave, count, stacks: ended }: Wave,
    next: Wave,
    waves: readonly PlannedWave[],
    units: ReadonlyMap<string, InputUnit>,
  ): Promise<"start" | "refused"> {
    this.isProceeding = true;
    try {
      const queues = new Set(ended.flatMap((stack) => units.get(stack)?.queue ?? []));
      const { runId } = this.input;
      const checks = await Promise.all(
        [...queues].map((queue) => {
          const stacks = ended.filter((stack) => units.get(stack)?.queue === queue);
          return this.calls.check(queue, { runId, wave, count, stacks });
        }),
      );
      if (checks.some((passed) => passed !== true) || this.isStopped()) return "refused";
      return (await this.asks(next.number, waves)) ? "start" : "refused";
    } finally {
      this.isProceeding = false;
    }
  }

  private asks(wave: number, waves: readonly PlannedWave[]): Promise<boolean> {
    const { stacks, manual = false } = waves[wave - 1] ?? { stacks: [] };
    return this.asksAbout({ number: wave, count: waves.length }, stacks, manual);
  }

  private asksAbout(
    { number, count }: Pick<Wave, "number" | "count">,
    stacks: readonly string[],
    isManual: boolean,
  ): Promise<boolean> {
    const counts = { stacks: stacks.length, changed: this.stacks.changed(stacks) };
    return this.decisions.ask({ wave: number, count, ...counts }, isManual);
  }

  private isStopped(): boolean {
    return this.decisions.isStopped();
  }

  /** True if the history has become long: a new execution goes on when nothing is open. */
  private isLeaving(): boolean {
    return this.sdk.workflowInfo().continueAsNewSuggested && !this.isStopped();
  }

  /** Sets a search attribute, where the namespace has it. */
  private mark(name: string, values: string[] | number[]): void {
    if (this.input.attributes.includes(name)) this.sdk.upsertSearchAttributes({ [name]: values });
  }
}
