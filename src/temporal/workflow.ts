import { allowedFailures } from "../fleet/rollout/failures";
import { Rollout, type Halt, type Wave } from "../fleet/rollout/rollout";
import { planWaves, type PlannedWave } from "../fleet/rollout/waves";
import { runInBatches, type UnitToApply } from "./batches";
import type { InputUnit, RolloutInput } from "./input";
import type {
  AppliedBatch,
  ApplyBatch,
  Decision,
  EndedWave,
  Followed,
  PlanBatch,
  PlannedBatch,
  RemoteStatus,
  ReviewPage,
  StackOutcome,
} from "./messages";
import {
  APPLY_ACTIVITY,
  CHECK_ACTIVITY,
  DECIDE,
  FOLLOW,
  PLAN_ACTIVITY,
  REVIEW,
  taskQueueOf,
} from "./names";
import { RunReport } from "./run-report";
import type { WorkflowSdk } from "./sdk";
import { awaitedIn, batchesOf, halvesOf, stacksOfUnits, type UnitBatch } from "./units";

/** Exit codes of `apply`, which are also those of a run. */
const [DONE, FAILED, INTERRUPTED] = [0, 1, 130];

const DAY_MS = 24 * 60 * 60 * 1000;

/** Attempts of a batch whose workers are lost, or have crashed. */
const MOST_ATTEMPTS = 100;

/** Times that plans which have changed are made again. Some change each time, as by `timestamp()`. */
const MOST_ROUNDS = 3;

/** Batches that are planned at a time. */
const MOST_PLANNED = 200;

/** Returns the workflow of a run: the rollout of `fleet`, with applies by the workers of queues. */
export function rolloutWorkflow(sdk: WorkflowSdk): (input: RolloutInput) => Promise<RemoteStatus> {
  return (input) => new RolloutWorkflow(sdk, input).run();
}

class RolloutWorkflow {
  private readonly report: RunReport;
  private readonly stop = new AbortController();
  private answer: "approve" | "reject" | undefined;
  /** Grows with each planning and each apply, so that a later one takes over the locks of an earlier. */
  private round = 0;
  private rollout: Rollout | undefined;
  /** The exit code of a gate that refuses plans. */
  private refusal: number | undefined;

  constructor(
    private readonly sdk: WorkflowSdk,
    private readonly input: RolloutInput,
  ) {
    this.report = new RunReport(input);
    sdk.setHandler(sdk.defineQuery(FOLLOW), (from: number): Followed => this.report.follow(from));
    sdk.setHandler(sdk.defineQuery(REVIEW), (from: number): ReviewPage => this.report.review(from));
    const decide = (decision: Decision): void => {
      this.decide(decision);
    };
    const validator = (decision: Decision): void => {
      const problem = this.report.problemOf(decision);
      if (problem !== undefined) throw new Error(problem);
    };
    sdk.setHandler(sdk.defineUpdate(DECIDE), decide, { validator });
  }

  async run(): Promise<RemoteStatus> {
    const { report, input } = this;
    const code = await this.planAndApply();
    report.code = this.isStopped() && input.operation !== "plan" ? INTERRUPTED : code;
    report.phase = "ended";
    return report.status;
  }

  private async planAndApply(): Promise<number> {
    const { report, input } = this;
    await this.plan(input.units);
    if (this.isStopped()) return INTERRUPTED;
    const isComplete = report.having("excluded").length === 0;
    const refusal = this.refused();
    if (refusal !== undefined) return refusal;
    if (input.operation === "plan") return isComplete ? DONE : FAILED;
    const waves = this.waves();
    const total = report.status.total;
    report.waves = waves.map(({ stacks }) => stacks.length);
    report.allowedFailures = allowedFailures(input.maxFailures, total, input.waves !== undefined);
    if (report.having("excluded").length > report.allowedFailures) return FAILED;
    const changed = this.changedOf(waves.flatMap(({ stacks }) => stacks));
    if (changed > 0 && !(await this.asks(1, waves))) return FAILED;
    let halt = await this.apply(input.units, waves);
    // A plan that has changed since its review is reviewed again, alone.
    for (let left = MOST_ROUNDS; left > 0 && halt === undefined; left--) {
      const changes = report.having("changed");
      if (changes.length === 0) break;
      const units = input.units.filter(({ stacks }) =>
        stacks.some(({ name }) => changes.includes(name)),
      );
      report.forget(stacksOfUnits(units));
      await this.plan(units);
      if (this.refused() !== undefined || this.isStopped()) break;
      const again = [{ stacks: this.planned(units) }];
      const wave = { number: waves.length + 1, count: waves.length + 1 };
      const isAsked = this.changedOf(again.flatMap(({ stacks }) => stacks)) > 0;
      if (isAsked && !(await this.asksAbout(wave, again[0]?.stacks ?? [], false))) break;
      halt = await this.apply(units, again);
    }
    const { applied } = report.status;
    return this.refused() ?? (applied === total ? DONE : FAILED);
  }

  /** Plans units by the workers of their queues. */
  private async plan(units: readonly InputUnit[]): Promise<void> {
    const { report } = this;
    report.phase = "planning";
    const round = this.round++;
    const batches = batchesOf(units);
    const lane = async (): Promise<void> => {
      for (let batch = batches.shift(); batch; batch = batches.shift()) {
        if (this.isStopped()) return;
        batches.unshift(...(await this.planBatch(batch, round)));
      }
    };
    await Promise.all(Array.from({ length: MOST_PLANNED }, lane));
  }

  /** Returns the batches that are planned instead: the review of this one may be too large. */
  private async planBatch(batch: UnitBatch, round: number): Promise<readonly UnitBatch[]> {
    const { report } = this;
    const { queue } = batch;
    const stacks = stacksOfUnits(batch.units);
    const given: PlanBatch = { ...this.about(stacks), round };
    const planned = await this.activity<PlannedBatch | "too large">(
      PLAN_ACTIVITY,
      queue,
      given,
      stacks,
    );
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
    if (refusal !== undefined) this.refusal = Math.max(this.refusal ?? 0, refusal);
    return [];
  }

  /** Applies units in waves. Returns why not all of them were started. */
  private async apply(
    units: readonly InputUnit[],
    waves: readonly PlannedWave[],
  ): Promise<Halt | undefined> {
    const { report, input } = this;
    const round = this.round++;
    const known = new Set(waves.flatMap(({ stacks }) => stacks));
    const queues = new Map(
      units.flatMap((unit) => stacksOfUnits([unit]).map((name) => [name, unit])),
    );
    const applied = units.flatMap((unit): UnitToApply[] => {
      const stacks = stacksOfUnits([unit]).filter((name) => known.has(name));
      const changed = this.changedOf(stacks) > 0;
      return stacks.length === 0 ? [] : [{ stacks, queue: unit.queue, changed }];
    });
    const rollout = new Rollout({
      waves,
      get allowedFailures() {
        return report.allowedFailures;
      },
      get most() {
        return report.parallelism;
      },
      failureMode: input.failureMode,
      awaited: awaitedIn(applied),
      excluded: report.having("excluded").length + report.having("failed").length,
      stop: this.stop.signal,
      proceed: (done, next) => this.proceed(done, next, waves, queues),
      waveStarted: ({ number, stacks }) => {
        report.begin(number, stacks);
      },
    });
    this.rollout = rollout;
    await runInBatches({
      rollout,
      units: applied,
      open: () => this.sdk.condition(() => !report.isPaused || this.isStopped()),
      apply: (queue, stacks) => this.applyBatch(queue, stacks, round),
    });
    for (const { stacks, changed } of applied) {
      for (const stack of stacks) {
        const status = changed || rollout.halted !== undefined ? "not started" : "applied";
        if (!report.outcome(stack)) report.end({ stack, status, add: 0, change: 0, remove: 0 });
      }
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
    const given: ApplyBatch = { ...this.about(stacks), round, digests };
    report.handOut(stacks);
    const result = await this.activity<AppliedBatch>(APPLY_ACTIVITY, queue, given, stacks);
    const batch =
      "failure" in result
        ? { stacks: stacks.map((stack) => failed(stack, result.failure)), problems: [] }
        : result;
    report.takeBack(stacks, batch);
    return new Map(batch.stacks.map((one) => [one.stack, one]));
  }

  /** Runs the checks of the workers that had stacks of the wave, and asks about the next one. */
  private async proceed(
    done: Wave,
    next: Wave,
    waves: readonly PlannedWave[],
    units: ReadonlyMap<string, InputUnit>,
  ): Promise<"start" | "refused"> {
    const queues = new Set(done.stacks.flatMap((stack) => units.get(stack)?.queue ?? []));
    const { number: wave, count } = done;
    const checks = await Promise.all(
      [...queues].map((queue) => {
        const stacks = done.stacks.filter((stack) => units.get(stack)?.queue === queue);
        const given: EndedWave = { runId: this.input.runId, wave, count, stacks };
        return this.activity<boolean>(CHECK_ACTIVITY, queue, given, [`wave ${wave}`]);
      }),
    );
    if (checks.some((passed) => passed !== true) || this.isStopped()) return "refused";
    return (await this.asks(next.number, waves)) ? "start" : "refused";
  }

  private asks(wave: number, waves: readonly PlannedWave[]): Promise<boolean> {
    const { stacks, manual = false } = waves[wave - 1] ?? { stacks: [] };
    return this.asksAbout({ number: wave, count: waves.length }, stacks, manual);
  }

  /** Waits for an answer, where one is needed. Returns true if the wave may start. */
  private async asksAbout(
    { number, count }: Pick<Wave, "number" | "count">,
    stacks: readonly string[],
    isManual: boolean,
  ): Promise<boolean> {
    const { report, input } = this;
    if (input.autoApprove && !isManual) return true;
    this.answer = undefined;
    const changed = this.changedOf(stacks);
    report.question = { wave: number, count, stacks: stacks.length, changed };
    await this.sdk.condition(() => this.answered() !== undefined || this.isStopped());
    report.question = undefined;
    return this.answered() === "approve" && !this.isStopped();
  }

  // Methods, because these change while the workflow waits.

  private answered(): "approve" | "reject" | undefined {
    return this.answer;
  }

  private refused(): number | undefined {
    return this.refusal;
  }

  private isStopped(): boolean {
    return this.stop.signal.aborted;
  }

  private decide(decision: Decision): void {
    const { report } = this;
    // The question may have changed since the decision was accepted.
    if (report.problemOf(decision) !== undefined) return;
    if (decision.kind === "set") this.limit(decision);
    report.decided(decision);
    if (decision.kind === "approve" || decision.kind === "reject") this.answer = decision.kind;
    else if (decision.kind === "stop") {
      report.isStopping = true;
      this.stop.abort();
    } else if (decision.kind !== "set") report.isPaused = decision.kind === "pause";
  }

  private limit({ maxFailures, parallelism }: Extract<Decision, { kind: "set" }>): void {
    const { report } = this;
    if (maxFailures)
      report.allowedFailures = allowedFailures(maxFailures, report.status.total, true);
    if (parallelism !== undefined) report.parallelism = parallelism;
    this.rollout?.limited();
  }

  /** Divides the stacks with a plan. A stack that no wave takes is refused before a run starts. */
  private waves(): readonly PlannedWave[] {
    const { input, report } = this;
    const stacks = this.planned(input.units);
    if (!input.waves) return [{ stacks }];
    const all = input.units.flatMap((unit) => unit.stacks);
    const labels = new Map(all.map((stack) => [stack.name, stack.labels ?? {}]));
    const changed = new Set(stacks.filter((stack) => report.plan(stack)?.changed));
    const awaited = awaitedIn(input.units.map((unit) => ({ stacks: stacksOfUnits([unit]) })));
    const request = { stacks, changed, awaited, waves: input.waves };
    return planWaves({ ...request, labels: (stack) => labels.get(stack) ?? {} }).waves;
  }

  private planned(units: readonly InputUnit[]): readonly string[] {
    return stacksOfUnits(units).filter((stack) => this.report.plan(stack));
  }

  private changedOf(stacks: readonly string[]): number {
    return stacks.filter((stack) => this.report.plan(stack)?.changed).length;
  }

  private about(stacks: readonly string[]): Omit<PlanBatch, "round"> {
    const { runId, operation, basis, gate } = this.input;
    return { runId, operation, basis, gate, stacks: [...stacks] };
  }

  /** Calls a worker. A worker that is lost is replaced when it has certainly stopped to write. */
  private async activity<R>(
    type: string,
    queue: string,
    given: object,
    stacks: readonly string[],
  ): Promise<R | { readonly failure: string }> {
    const { leaseMs } = this.input;
    const [first = "", ...others] = stacks;
    try {
      return await this.sdk.scheduleActivity<R>(type, [given], {
        taskQueue: taskQueueOf(queue),
        startToCloseTimeout: DAY_MS,
        heartbeatTimeout: leaseMs,
        retry: {
          initialInterval: leaseMs,
          backoffCoefficient: 1,
          maximumAttempts: MOST_ATTEMPTS,
        },
        summary: others.length === 0 ? first : `${first} and ${others.length} more`,
      });
    } catch {
      // The worker has printed the reason; the history has none of its texts.
      return { failure: "The worker failed" };
    }
  }
}

function failed(stack: string, reason: string): StackOutcome {
  return { stack, status: "failed", reason, add: 0, change: 0, remove: 0 };
}
