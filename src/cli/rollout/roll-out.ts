import { childEnvironment } from "../../core/io/child-environment";
import { printed } from "../../core/printed";
import { allowedFailures } from "../../fleet/rollout/failures";
import { Rollout, type FailureMode, type Wave } from "../../fleet/rollout/rollout";
import type { RunOperation } from "../../fleet/run-log/entries";
import { planWaves } from "../../fleet/rollout/waves";
import { error, type Diagnostic } from "../../core/diagnostics";
import { formatStackCount } from "../../formats/text/counts";
import { listStacks } from "../../review/exclusions/exclusions-text";
import { world } from "../../core/io/world";
import { blindCauseOf } from "../../review/exclusions/blind-stacks";
import { hasChanges, type StackPlan } from "../../runtime";
import { ExitCode } from "../exit-code";
import type { RunFollower } from "../stacks/follow-run";
import type { PlannedRun } from "../stacks/planned-run";
import type { RunOptions } from "../stacks/run-options";
import { reportApplied } from "../stacks/run-report";
import { confirm } from "../terminal/confirmation";
import type { Interruption } from "../terminal/interruption";
import type { Screen } from "../terminal/screen";
import { runCheck } from "./check-command";
import type { RunLog } from "./run-log";

/** An apply or a destroy of a session. */
export interface RolloutRun {
  readonly screen: Screen;
  readonly session: PlannedRun;
  readonly operation: RunOperation;
  readonly options: RunOptions;
  readonly interruption: Interruption;
  readonly log: RunLog;
  readonly follower: RunFollower;
}

/** The decisions about a rollout that are made before it is approved. */
export interface RolloutPlan {
  readonly waves: readonly (readonly string[])[];
  readonly allowedFailures: number;
  readonly failureMode: FailureMode;
  /** The stacks that a stack waits for. */
  readonly awaited: ReadonlyMap<string, ReadonlySet<string>>;
  /** All selected stacks, with the excluded ones. */
  readonly total: number;
  /** The number of stacks with changes. */
  readonly changed: number;
  /** The stacks whose consoles did not respond, which come last. */
  readonly unready: readonly string[];
  /** An estimate for one stack after the other; undefined if nothing was measured. */
  readonly secondsInTurn: number | undefined;
  /** The reason why nothing may start. */
  readonly refusal?: Diagnostic;
}

/** Divides the planned stacks into waves. */
export function planRollout({ session, operation, options, follower }: RolloutRun): RolloutPlan {
  const { plans, excluded } = session;
  const names = plans.map(({ stack }) => stack);
  const unready = new Set(
    plans.filter((plan) => blindCauseOf(plan) === "unreachable").map(({ stack }) => stack),
  );
  const ordered = operation === "destroy" ? names.reverse() : names;
  // A console that does not respond holds up no other one, and is not the canary.
  const [late = [], early = []] = [true, false].map((isLate) =>
    ordered.filter((name) => unready.has(name) === isLate),
  );
  const stacks = [...early, ...late];
  const changed = new Set(plans.filter(hasChanges).map(({ stack }) => stack));
  const awaited = session.awaited();
  const waves = options.waves
    ? planWaves({ stacks, changed, awaited, waves: options.waves })
    : [stacks];
  const total = plans.length + excluded.length;
  const allowed = allowedFailures(options.maxFailures, total, options.waves !== undefined);
  const { failureMode = "strict" } = options;
  const plan = {
    waves,
    allowedFailures: allowed,
    failureMode,
    awaited,
    total,
    changed: changed.size,
    unready: late,
    secondsInTurn: secondsInTurn(plans, unready, follower.durations()),
  };
  if (excluded.length <= allowed) return plan;
  const refusal = tooManyFailures(plan, excluded.length, total - excluded.length, options);
  return { ...plan, refusal };
}

/** Prints the sizes of the waves, if there are several, and how many stacks change at a time. */
export function announceRollout(screen: Screen, plan: RolloutPlan): void {
  const [first = 0, ...others] = plan.waves.map(({ length }) => length);
  if (others.length > 0) {
    const sizes = [formatStackCount(first), ...others].join(", then ");
    screen.print(printed`\nThe stacks are started in ${plan.waves.length} waves: ${sizes}.\n`);
  }
  const { allowedFailures: allowed, changed, unready, secondsInTurn: seconds } = plan;
  if (unready.length > 0 && unready.length < plan.total) {
    const names = listStacks(unready, SHOWN_STACKS);
    const come =
      unready.length === 1
        ? "comes last, because its console does"
        : "come last, because their consoles do";
    screen.print(printed`\n${formatStackCount(unready.length)} ${come} not respond: ${names}\n`);
  }
  if (plan.failureMode === "soft" || changed <= allowed + 1) return;
  const [most, failing] = allowed === 0 ? ["one", "none"] : [allowed + 1, allowed];
  const price = seconds === undefined ? "" : about(seconds / (allowed + 1));
  screen.print(
    printed`\nStacks are changed ${most} at a time${price}, because ${failing} may fail. --max-failures ${allowed + 5} changes ${allowed + 6} at a time, --failure-mode soft as many as --parallelism allows.\n`,
  );
}

const VERBS: Readonly<Record<RunOperation, string>> = {
  apply: "Applying",
  destroy: "Destroying",
  rollback: "Rolling back",
};

/** Names of stacks in a sentence. */
const SHOWN_STACKS = 5;

/**
 * Estimates the time of one stack after the other: that of planning one of them. The
 * fastest one waited least for others.
 */
function secondsInTurn(
  plans: readonly StackPlan[],
  unready: ReadonlySet<string>,
  durations: ReadonlyMap<string, number>,
): number | undefined {
  const measured = [...durations].flatMap(([stack, took]) => (unready.has(stack) ? [] : [took]));
  if (measured.length === 0) return undefined;
  const fastest = measured.reduce((least, took) => Math.min(least, took));
  return (fastest * plans.filter(hasChanges).length) / 1000;
}

/** `, about 17 minutes`; a time that nobody plans for is left out. */
function about(seconds: number): string {
  if (seconds < 60) return "";
  const [count, unit] = seconds < 6000 ? [seconds / 60, "minutes"] : [seconds / 3600, "hours"];
  return `, about ${Math.max(2, Math.round(count))} ${unit}`;
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
  const rollout = new Rollout({
    waves: plan.waves,
    allowedFailures: plan.allowedFailures,
    failureMode: plan.failureMode,
    awaited: plan.awaited,
    excluded: session.excluded.length,
    // Without a rollout to hold up, all consoles boot at the same time.
    late: new Set(options.waves || options.maxFailures ? plan.unready : []),
    stop,
    proceed: async (done, next) => {
      follower.pause();
      return proceed(run, done, next);
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
  log.addRunResult(result, session.excluded.length);
  const code = reportApplied(screen, operation, result, session.excluded, options);
  const left = result.skipped.length;
  if (rollout.halted === "failures" && left > 0) {
    screen.report([tooManyFailures(plan, rollout.failures, left, options)]);
  }
  const isIncomplete = screen.report(log.close()) || left > 0;
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

/** Runs the check and asks the user, as far as the options say so. */
async function proceed(run: RolloutRun, done: Wave, next: Wave): Promise<boolean> {
  const { screen, session, options, interruption } = run;
  const { stop } = interruption;
  const { terminal } = screen;
  if (options.check !== undefined) {
    const environment = childEnvironment(terminal.environment, session.ephemeralVariables);
    const problem = await runCheck(screen, { command: options.check, environment, stop }, done);
    if (stop.aborted) return false;
    if (problem && screen.report([problem])) return false;
  }
  if (options.autoApprove || options.json || !terminal.interactive) return !stop.aborted;
  const approved = await confirm(
    screen,
    {
      title: `Do you want to start wave ${next.number} of ${next.count}?`,
      lines: [
        `Wave ${done.number} has ended. Wave ${next.number} has ${formatStackCount(next.stacks.length)}.`,
        "Only 'yes' will be accepted to continue.",
      ],
    },
    stop,
  );
  if (!approved && !stop.aborted)
    screen.print(printed`The rollout ends after wave ${done.number}.\n`);
  return approved;
}

function tooManyFailures(
  { allowedFailures: allowed, total }: Pick<RolloutPlan, "allowedFailures" | "total">,
  failures: number,
  left: number,
  { runLog }: Pick<RunOptions, "runLog">,
): Diagnostic {
  const next =
    runLog === undefined
      ? "The next run plans all of them again."
      : `--resume ${runLog} continues with them and with those that failed.`;
  const rest = left === 0 ? "" : ` Not started: ${formatStackCount(left)}. ${next}`;
  return error(
    "Too many stacks failed",
    `${failures} of ${formatStackCount(total)} failed or were excluded, and --max-failures allows ${allowed} (the default with --waves is 0). No further stack is started.${rest}`,
  );
}
