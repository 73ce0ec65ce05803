import { childEnvironment } from "../../core/io/child-environment";
import { printed } from "../../core/printed";
import { shellWord } from "../../core/io/shell-word";
import { Rollout, type Wave } from "../../fleet/rollout/rollout";
import type { RecordedRollout, RunOperation, RunResult } from "../../fleet/run-log/entries";
import { formatStackCount } from "../../formats/text/counts";
import { world } from "../../core/io/world";
import type { ApplyResult, StackPlan } from "../../runtime";
import { ExitCode } from "../exit-code";
import { VERBS, type RunFollower } from "../stacks/follow-run";
import type { RunOptions } from "../stacks/run-options";
import { reportApplied } from "../stacks/run-report";
import { confirm } from "../terminal/confirmation";
import type { Interruption } from "../terminal/interruption";
import type { Screen } from "../terminal/screen";
import { runCheck } from "./check-command";
import { tooManyFailures, type RolloutPlan, type RolloutRequest } from "./plan-rollout";
import type { RunLog } from "./run-log";

/** An apply or a destroy of a session. */
export interface RolloutRun extends RolloutRequest {
  readonly screen: Screen;
  readonly interruption: Interruption;
  readonly log: RunLog;
  readonly follower: RunFollower;
  /** Somebody has answered for the plan, at a terminal or in a pipe, and answers for the waves too. */
  readonly isAnswered?: boolean;
  /** Called with the result. */
  readonly ended?: (result: ApplyResult) => void;
}

/** Applies the session in waves, records and reports the result. */
export async function rollOut(run: RolloutRun, plan: RolloutPlan): Promise<ExitCode> {
  const { screen, session, operation, interruption, log, follower } = run;
  const options = { ...run.options, ...(log.name !== undefined && { runLog: log.name }) };
  const { stop } = interruption;
  const verb = VERBS[operation];
  const operations = new Map(
    session.plans.map((one) => [one.stack, countOperations(one)] as const),
  );
  let waits: { readonly wave: number; readonly count: number } | undefined;
  if (isLimited(run)) log.add({ type: "rollout", rollout: describeRollout(run, plan) });
  const first = plan.waves.findIndex(({ stacks }) => stacks.length > 0) + 1;
  // A person who was asked has approved the first wave with the plan.
  const isAsked = asksBetween(run) && !options.autoApprove && first <= plan.until;
  if (first > 0 && !isAsked && needsApproval(run, plan, first)) {
    const stacks = session.plans.map((one) => one.stack);
    const nothing = { stacks: [], skipped: stacks, interrupted: false, diagnostics: [] };
    const next = { wave: first, count: plan.waves.length };
    log.addRunResult(nothing, session.excluded.length, next);
    printWaiting(screen, operation, options, next);
    return screen.report(log.close()) ? ExitCode.ERROR : ExitCode.DONE;
  }
  const rollout = new Rollout({
    waves: plan.waves,
    allowedFailures: plan.allowedFailures,
    failureMode: plan.failureMode,
    awaited: plan.awaited,
    excluded: plan.failures,
    failedBefore: plan.failedBefore,
    // Without a rollout to hold up, all consoles boot at the same time.
    late: new Set(isLimited(run) ? plan.unready : []),
    stop,
    proceed: async (done, next) => {
      follower.pause();
      const answer = await proceed(run, plan, done, next);
      if (answer === "waiting") waits = { wave: next.number, count: next.count };
      return answer;
    },
    waveStarted: ({ number, count, stacks }) => {
      log.add({ type: "wave_start", wave: { number, count, stacks: stacks.length } });
      if (count > 1 && !screen.stream) {
        const title = printed`Wave ${number} of ${count}: ${formatStackCount(stacks.length)}`;
        const line = screen.style.bold(title);
        // Further waves follow line by line.
        screen.print(number === 1 ? printed`\n${line}\n` : printed`${line}\n`);
      }
      const ofWave = new Map(stacks.map((stack) => [stack, operations.get(stack) ?? 0]));
      follower.begin(verb, stacks.length, ofWave);
    },
    waits: follower.waits,
    started: (stack) => {
      const origin = log.name === undefined ? undefined : session.origin?.(stack);
      log.add({ type: "stack_start", stack, ...(origin && { origin }) });
      follower.started(stack);
    },
    ended: (result) => {
      log.addApplied(result, stop.aborted);
      follower.ended(result.stack, !result.complete);
    },
  });
  if (log.name !== run.options.runLog) {
    screen.print(printed`\nThe run is recorded in ${options.runLog ?? ""}.\n`);
  }
  const pace = {
    ...rollout.pace,
    ...(options.wait !== undefined && { waitUntil: world.clock.steady() + options.wait }),
    ...(log.name !== undefined && { record: log.addObjects.bind(log) }),
  };
  const result = await session.apply(pace).finally(follower.pause);
  run.ended?.(result);
  log.addRunResult(result, session.excluded.length, waits);
  const code = reportApplied(screen, operation, { ...result, excluded: session.excluded }, options);
  const left = result.skipped.length;
  if (rollout.halted === "failures" && left > 0) {
    screen.report([tooManyFailures(plan, rollout.failures, left, options)]);
  }
  if (waits) printWaiting(screen, operation, options, waits);
  const isIncomplete = screen.report(log.close()) || (left > 0 && !waits);
  return isIncomplete && code === ExitCode.DONE ? ExitCode.ERROR : code;
}

/** The number of steps that change an object; a replacement has two. */
function countOperations({ changes }: StackPlan): number {
  return sum(
    changes.map(({ action }) => {
      if (action === "delete-then-create" || action === "create-then-delete") return 2;
      return action === "create" || action === "update" || action === "delete" ? 1 : 0;
    }),
  );
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

function printWaiting(
  screen: Screen,
  operation: RunOperation,
  { runLog }: Pick<RunOptions, "runLog">,
  { wave, count }: NonNullable<RunResult["waits_for"]>,
): void {
  const next =
    runLog === undefined
      ? "Without --run-log, it cannot be continued: run it again with one."
      : `After a review, start it with "cdktf-console ${operation} --resume ${shellWord(runLog)} --approve-wave ${wave}".`;
  screen.print(printed`\nThe run waits for wave ${wave} of ${count}. ${next}\n`);
}

/** Reports whether a wave is started by an approval only. */
function needsApproval(
  { course }: RolloutRun,
  { waves, until }: RolloutPlan,
  wave: number,
): boolean {
  return wave > until || (waves[wave - 1]?.manual === true && course.approvedWave < wave);
}

function asksBetween({ screen: { terminal }, options }: RolloutRun): boolean {
  return !options.json && terminal.interactive && options.input !== false;
}

/** Reports whether waves or failures limit the run, so that its record has them. */
function isLimited({ options, course }: RolloutRun): boolean {
  return Boolean(options.waves ?? options.maxFailures ?? course.recorded);
}

function describeRollout(
  { course }: RolloutRun,
  { waves, allowedFailures, failureMode, total, failedBefore, until, digests }: RolloutPlan,
): RecordedRollout {
  // The waves that the record had stay, whatever this run has of their stacks.
  const members = course.recorded?.waves ?? [];
  return {
    waves: waves.map(({ stacks, most, manual }, at) => ({
      stacks: [...new Set([...(members[at]?.stacks ?? []), ...stacks])],
      ...(most !== undefined && { most }),
      ...(manual && { manual }),
    })),
    max_failures: Number.isFinite(allowedFailures) ? allowedFailures : null,
    failure_mode: failureMode,
    total,
    failed: failedBefore,
    ...(Number.isFinite(until) && { until }),
    ...(course.approval && { approval: course.approval }),
    plans: digests,
  };
}

/** Runs the check and asks the user, as far as the options say so. */
async function proceed(
  run: RolloutRun,
  plan: RolloutPlan,
  done: Wave,
  next: Wave,
): Promise<"start" | "refused" | "waiting"> {
  const { screen, session, options, interruption } = run;
  const { stop } = interruption;
  const { terminal } = screen;
  if (options.check !== undefined) {
    const environment = childEnvironment(terminal.environment, session.ephemeralVariables);
    const problem = await runCheck(screen, { command: options.check, environment, stop }, done);
    if (stop.aborted) return "refused";
    if (problem && screen.report([problem])) return "refused";
  }
  const isManual = needsApproval(run, plan, next.number);
  const asks = asksBetween(run) || (run.isAnswered === true && !isManual);
  if (next.number > plan.until || (isManual && !asks)) return "waiting";
  if (!asks || (options.autoApprove && !isManual)) return stop.aborted ? "refused" : "start";
  const approved = await confirm(
    screen,
    {
      title: `Do you want to start wave ${next.number} of ${next.count}?`,
      lines: [
        `Wave ${done.number} has ended. Wave ${next.number} has ${formatStackCount(next.stacks.length)}.`,
        "Only 'yes' will be accepted to continue.",
      ],
      option: "--auto-approve",
    },
    stop,
  );
  if (!approved && !stop.aborted)
    screen.print(printed`The rollout ends after wave ${done.number}.\n`);
  return approved ? "start" : "refused";
}
