import { childEnvironment } from "../../core/io/child-environment";
import { error, hasErrors } from "../../core/diagnostics";
import { printed } from "../../core/printed";
import type { ExcludedStack } from "../../core/documents/excluded-stack";
import { digestOfPlan } from "../../fleet/rollout/plan-digest";
import { withDependents } from "../../fleet/rollout/units";
import { formatStackCount } from "../../formats/text/counts";
import type { StackEntry } from "../../language";
import { withCheckTitles } from "../../review/protection/check-titles";
import { verdictDiagnostics } from "../../review/protection/verdict-text";
import { countChanges, isApplyable, Session, type AppliedStack } from "../../runtime";
import type {
  AppliedBatch,
  ApplyBatch,
  Basis,
  EndedWave,
  Lease,
  Machine,
  PlanBatch,
  PlannedBatch,
  StackOutcome,
} from "../../temporal";
import { ExitCode } from "../exit-code";
import { runCheck } from "../rollout/check-command";
import { adviceOf } from "../stacks/advice";
import type { AppOptions } from "../stacks/app-stacks";
import { ProtectionGate, type GateOptions } from "../stacks/protection-gate";
import { describeStatus } from "../stored/read-status";
import { loadOptions, type VariableOptions } from "../stacks/run-options";
import { readLabels } from "../stacks/selection";
import type { CommonOptions, Screen } from "../terminal/screen";
import {
  failedOutcome,
  failedToPlan,
  notApplied,
  NOTHING,
  outcomeOf,
  reasonsOf,
  stackProblems,
  withEarlier,
} from "./batch-results";
import { modeOf, planningVerb } from "./basis";
import { readChanges } from "./found-records";
import { encodePart } from "./review-part";
import { encodeStatus } from "./status-part";
import { openRecords, type StackRecord } from "./stack-record";

export interface WorkerOptions extends CommonOptions, AppOptions, VariableOptions {
  readonly queue?: string;
  readonly allow: readonly string[];
  /** Shell command to run after a wave. */
  readonly check?: string;
  readonly contract?: string;
  readonly parallelism?: number;
  /** Milliseconds. */
  readonly lockTimeout: number;
}

/** The app of a worker. */
export interface WorkerApp {
  readonly directory: string;
  readonly stacks: readonly StackEntry[];
  readonly basis: Basis;
}

/** Days, the default of `status --within`. */
const WITHIN = 30;

/** Attempts of one round; rounds follow each other. */
const ATTEMPTS_OF_ROUND = 1_000;

/** Plans and applies the batches of a worker, with the executor. */
export class BatchMachine implements Machine {
  constructor(
    private readonly screen: Screen,
    private readonly app: WorkerApp,
    private readonly options: WorkerOptions,
  ) {}

  async plan(batch: PlanBatch, lease: Lease): Promise<PlannedBatch | "too large"> {
    const refused = this.refusalOf(batch);
    if (refused !== undefined) return failedToPlan(batch, [error(refused, "")]);
    const { screen } = this;
    screen.print(
      printed`${planningVerb(batch.operation)} ${formatStackCount(batch.stacks.length)} of run ${batch.runId}\n`,
    );
    const opened = await ProtectionGate.open(screen.terminal, this.gateOf(batch), {
      names: this.app.stacks.map(({ name }) => name),
      labels: () => readLabels(this.app.stacks),
      mode: modeOf(batch.operation),
    });
    if ("problems" in opened) return failedToPlan(batch, opened.problems);
    const { gate } = opened;
    const session = await this.open(batch, lease);
    try {
      if (hasErrors(session.problems)) return failedToPlan(batch, session.problems);
      if (batch.operation === "status") return await this.readStatus(batch, session, gate);
      const { excluded, plans, problems } = session;
      const verdict = gate.judge(withCheckTitles(plans, gate.checkTitles), excluded);
      const found = verdictDiagnostics(verdict);
      const isWeaker = batch.gate.failOn !== undefined && verdict.outcome === "weaker";
      const refusal = hasErrors(found) ? (isWeaker ? ExitCode.WEAKER : ExitCode.ERROR) : undefined;
      const review = encodePart({ plans, excluded, problems, verdict: found });
      if (review === undefined) return "too large";
      return {
        stacks: plans.map((plan) => {
          const { add, change, destroy: remove } = countChanges(plan);
          const digest = digestOfPlan(plan);
          return { stack: plan.stack, digest, changed: isApplyable(plan), add, change, remove };
        }),
        excluded: reasonsOf(excluded),
        review,
        ...(refusal !== undefined && { refusal }),
      };
    } finally {
      screen.report(await session.close());
    }
  }

  private async readStatus(
    { stacks: names }: PlanBatch,
    session: Session,
    gate: ProtectionGate,
  ): Promise<PlannedBatch | "too large"> {
    const request = { session, gate, stacks: this.stacksOf(names), within: WITHIN };
    const document = await describeStatus(this.screen.terminal, request);
    const review = encodeStatus(document);
    if (review === undefined) return "too large";
    const read = names.map((stack) => ({ ...NOTHING, stack, digest: "", changed: false }));
    const refusal = document.exit_code;
    return { stacks: read, excluded: [], review, ...(refusal > 0 && { refusal }) };
  }

  async apply(batch: ApplyBatch, lease: Lease): Promise<AppliedBatch> {
    const refused = this.refusalOf(batch);
    if (refused !== undefined) return notApplied(batch.stacks, refused);
    const { screen } = this;
    screen.print(
      printed`Applying ${formatStackCount(batch.stacks.length)} of run ${batch.runId}\n`,
    );
    const session = await this.open(batch, lease);
    try {
      if (hasErrors(session.problems)) {
        const failed = batch.stacks.map((stack) => ({ stack, diagnostics: session.problems }));
        return { stacks: failed.map(failedOutcome), problems: stackProblems(failed) };
      }
      const others = this.notApproved(batch, session);
      const { records, faults } = await openRecords(batch, session, others);
      const isStarted = (stack: string) => !others.has(stack) && !faults.has(stack);
      const isWritable = session.applicable && session.plans.some(isApplyable);
      const written = isWritable ? await this.write(session, lease, records, isStarted) : [];
      const unrecorded = [...faults].map(([stack, fault]) => ({ stack, diagnostics: [fault] }));
      const applied = [...written, ...unrecorded];
      const known = new Map(applied.map((one) => [one.stack, one]));
      for (const { stack, diagnostics } of applied) {
        if (hasErrors(diagnostics)) screen.report(diagnostics);
        else screen.print(printed`Applied ${stack}\n`);
      }
      const outcomes = session.plans.map((plan): StackOutcome => {
        const { stack } = plan;
        if (others.has(stack)) return { ...NOTHING, stack, status: "changed" };
        const found = known.get(stack);
        if (found) return outcomeOf(found);
        // Also where an earlier attempt of the run has done all of it.
        return { ...NOTHING, stack, status: isApplyable(plan) ? "failed" : "applied" };
      });
      const all = [...outcomes, ...session.excluded.map(failedOutcome)];
      return {
        stacks: all.map((one) => withEarlier(one, records.get(one.stack)?.earlier)),
        problems: stackProblems([...applied, ...session.excluded]),
      };
    } finally {
      screen.report(await session.close());
    }
  }

  async check({ wave: number, count, stacks }: EndedWave, { stop }: Lease): Promise<boolean> {
    const { check: command } = this.options;
    if (command === undefined) return true;
    const { environment: own } = this.screen.terminal;
    // Any of them may be a secret.
    const variables = Object.keys(own).flatMap((name) => /^TF_VAR_(.+)$/.exec(name)?.[1] ?? []);
    const environment = childEnvironment(own, new Set(variables));
    const wave = { number, count, stacks };
    const problem = await runCheck(this.screen, { command, environment, stop }, wave);
    return !problem || !this.screen.report([problem]);
  }

  failed(failure: unknown): void {
    this.screen.note(printed`The worker failed: ${String(failure)}\n`);
  }

  lost(): void {
    const text = "The server was not heard of in time, or this worker ends. Another one continues.";
    this.screen.note(printed`${text}\n`);
  }

  /**
   * Applies the stacks whose plans are approved, as long as the lease holds. Each change is recorded
   * before it is made.
   */
  private async write(
    session: Session,
    lease: Lease,
    records: ReadonlyMap<string, StackRecord>,
    start: (stack: string) => boolean,
  ): Promise<readonly (ExcludedStack & Partial<AppliedStack>)[]> {
    const { stacks } = await session.apply({
      start,
      beforeWrite: () => lease.holds(),
      // Before each write: a worker that was cut off or suspended writes nothing any more.
      record: async (stack, objects) => {
        const mark = lease.holds() ? await records.get(stack)?.addObjects(objects) : undefined;
        if (mark && lease.holds()) return mark;
        throw new Error("the lease has ended");
      },
    });
    const ended = stacks.map(async (applied) => {
      const record = records.get(applied.stack);
      if (lease.holds()) await record?.end(applied, lease.stop.aborted);
      const problems = record?.problems ?? [];
      const complete = applied.complete && problems.length === 0;
      return { ...applied, complete, diagnostics: [...problems, ...applied.diagnostics] };
    });
    return Promise.all(ended);
  }

  /**
   * The stacks whose plan is another one than was approved. After an attempt of the run that was lost,
   * the rest of what it has begun is approved; the mark in the state shows that it has.
   */
  private notApproved({ runId, digests }: ApplyBatch, session: Session): ReadonlySet<string> {
    const approved = new Map(Object.entries(digests));
    const changed = session.plans.filter(
      (plan) =>
        isApplyable(plan) &&
        digestOfPlan(plan) !== approved.get(plan.stack) &&
        !session.hasMarkOf(runId, plan.stack),
    );
    return withDependents(new Set(changed.map(({ stack }) => stack)), session.awaited());
  }

  private async open(batch: PlanBatch, lease: Lease): Promise<Session> {
    const { screen, app, options } = this;
    const stacks = this.stacksOf(batch.stacks);
    const isStatus = batch.operation === "status";
    const { parallelism, lockTimeout } = options;
    const { rollsBack } = batch;
    const changes = rollsBack && (await readChanges(screen.terminal, stacks, rollsBack));
    return Session.plan({
      ...loadOptions(screen, app.directory, stacks, options),
      mode: modeOf(batch.operation),
      operation: isStatus ? "plan" : batch.operation,
      readOnly: isStatus,
      ...(changes && {
        rollback: changes.recorded,
        judge: ({ stack }) => Promise.resolve(changes.faults.get(stack) ?? []),
      }),
      runId: batch.runId,
      attempt: batch.round * ATTEMPTS_OF_ROUND + lease.attempt,
      stop: lease.stop,
      abort: lease.abort,
      lockWaitMs: lockTimeout,
      advice: adviceOf(options),
      environment: screen.terminal.environment,
      ...(parallelism !== undefined && { parallelism }),
    });
  }

  private stacksOf(names: readonly string[]): readonly StackEntry[] {
    const wanted = new Set(names);
    return this.app.stacks.filter(({ name }) => wanted.has(name));
  }

  private gateOf({ gate: { failOn, allowWeaker, allowUnknown } }: PlanBatch): GateOptions {
    const { contract } = this.options;
    return {
      ...(failOn && { failOn }),
      ...(allowWeaker && { allowWeaker }),
      ...(allowUnknown && { allowUnknown }),
      ...(contract !== undefined && { contract }),
    };
  }

  /** Why this worker takes no part in a run. */
  private refusalOf({ operation, basis, stacks }: PlanBatch): string | undefined {
    const { app, options } = this;
    // A status reads what a plan reads.
    const needed = operation === "status" ? "plan" : operation;
    if (!options.allow.includes(needed)) return `The worker does not allow ${needed}`;
    if (basis.program !== app.basis.program) return "The worker has another program";
    if (basis.contract !== app.basis.contract) return "The worker has another contract";
    const names = new Set(app.stacks.map(({ name }) => name));
    return stacks.every((stack) => names.has(stack)) ? undefined : "The worker lacks the stack";
  }
}
