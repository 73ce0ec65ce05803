import { printed } from "../../core/printed";
import { allowedFailures } from "../../fleet/rollout/failures";
import { digestOfPlan } from "../../fleet/rollout/plan-digest";
import type { FailureMode } from "../../fleet/rollout/rollout";
import { withDependents } from "../../fleet/rollout/units";
import { planWaves, type PlannedWave } from "../../fleet/rollout/waves";
import type { RunOperation } from "../../fleet/run-log/entries";
import type { StackLabels } from "../../fleet/selection/labels";
import { error, type Diagnostic } from "../../core/diagnostics";
import { formatStackCount } from "../../formats/text/counts";
import { shortStackList } from "../../review/exclusions/exclusions-text";
import { blindCauseOf } from "../../review/exclusions/blind-stacks";
import { hasChanges } from "../../runtime";
import type { PlannedRun } from "../stacks/planned-run";
import type { RunOptions } from "../stacks/run-options";
import type { Screen } from "../terminal/screen";
import type { Course } from "./course";
import { inNoWave } from "./recorded-run";

/** The plans of a run, and what limits it. */
export interface RolloutRequest {
  readonly session: PlannedRun;
  readonly operation: RunOperation;
  readonly options: RunOptions;
  readonly course: Course;
  readonly labels: (stack: string) => StackLabels;
}

/** The decisions about a rollout that are made before it is approved. */
export interface RolloutPlan {
  readonly waves: readonly PlannedWave[];
  readonly allowedFailures: number;
  readonly failureMode: FailureMode;
  /** The stacks that a stack waits for. */
  readonly awaited: ReadonlyMap<string, ReadonlySet<string>>;
  /** All selected stacks, with the excluded ones, and those of the run that this one resumes. */
  readonly total: number;
  /** The stacks that count as failures: excluded ones, and those that failed before. */
  readonly failures: number;
  /** The part of them that failed before and is not in this run. */
  readonly failedBefore: number;
  /** The number of stacks with changes. */
  readonly changed: number;
  /** The stacks whose consoles did not respond, which come last. */
  readonly unready: readonly string[];
  /** The last wave that starts without another approval. */
  readonly until: number;
  /** The digests of the plans of the waves that can wait for an approval, by stack. */
  readonly digests: Readonly<Record<string, string>>;
  /** The reason why nothing may start. */
  readonly refusal?: Diagnostic;
}

/** Divides the planned stacks into waves. */
export function planRollout(request: RolloutRequest): RolloutPlan {
  const { session, options, course } = request;
  const { plans, excluded } = session;
  const names = new Set([...plans, ...excluded].map(({ stack }) => stack));
  // The mistake of one tenant does not hold up the others.
  const counted = excluded.filter(({ isInput }) => !isInput || options.countExcluded);
  const failedBefore = [...course.failed].filter((stack) => !names.has(stack)).length;
  const unready = new Set(
    plans.filter((plan) => blindCauseOf(plan) === "unreachable").map(({ stack }) => stack),
  );
  const { waves, left, late } = wavesOf(request, unready);
  const { recorded } = course;
  const total = recorded?.total ?? names.size;
  const hasWaves = options.waves !== undefined || recorded !== undefined;
  const allowed =
    recorded && !options.maxFailures
      ? (recorded.max_failures ?? Number.POSITIVE_INFINITY)
      : allowedFailures(options.maxFailures, total, hasWaves);
  const until = course.until ?? Number.POSITIVE_INFINITY;
  const canWait = until < waves.length || waves.some(({ manual }) => manual);
  const plan = {
    waves,
    allowedFailures: allowed,
    failureMode: options.failureMode ?? "strict",
    awaited: session.awaited(),
    total,
    failures: counted.length + failedBefore,
    failedBefore,
    changed: plans.filter(hasChanges).length,
    unready: late,
    until,
    digests:
      canWait || course.approval
        ? Object.fromEntries(plans.map((one) => [one.stack, digestOfPlan(one)]))
        : {},
  };
  const refusal =
    plan.failures > allowed
      ? tooManyFailures(plan, plan.failures, plans.length, options)
      : left.length > 0
        ? inNoWave(left)
        : notAsReviewed(course, plan, options);
  return refusal ? { ...plan, refusal } : plan;
}

/** A console that does not respond holds up no other one, and is not the canary. */
function wavesOf(
  { session, operation, options, course, labels }: RolloutRequest,
  unready: ReadonlySet<string>,
): {
  readonly waves: readonly PlannedWave[];
  readonly left: readonly string[];
  readonly late: readonly string[];
} {
  const names = session.plans.map(({ stack }) => stack);
  const ordered = operation === "destroy" ? names.reverse() : names;
  const awaited = session.awaited();
  const behind = withDependents(unready, awaited);
  const [late = [], early = []] = [true, false].map((isLate) =>
    ordered.filter((name) => behind.has(name) === isLate),
  );
  const changed = new Set(session.plans.filter(hasChanges).map(({ stack }) => stack));
  const { recorded } = course;
  if (recorded) return { waves: asRecorded(recorded.waves, ordered), left: [], late };
  if (!options.waves) return { waves: [{ stacks: [...early, ...late] }], left: [], late };
  const stacks = early.length > 0 ? early : late;
  const planned = planWaves({ stacks, changed, awaited, waves: options.waves, labels });
  const last = planned.waves.at(-1);
  const waves =
    last && early.length > 0 && late.length > 0
      ? [...planned.waves.slice(0, -1), { ...last, stacks: [...last.stacks, ...late] }]
      : planned.waves;
  return { waves, left: planned.left, late };
}

/** Each stack is in the wave that the record has; another one, which was excluded then, in the last. */
function asRecorded(
  recorded: readonly PlannedWave[],
  stacks: readonly string[],
): readonly PlannedWave[] {
  const known = new Set(recorded.flatMap((wave) => wave.stacks));
  return recorded.map((wave, at) => {
    const members = new Set(wave.stacks);
    const isLast = at === recorded.length - 1;
    return {
      ...wave,
      stacks: stacks.filter((stack) => members.has(stack) || (isLast && !known.has(stack))),
    };
  });
}

/** An approved wave must have the plans that were recorded when the run ended before it. */
function notAsReviewed(
  { approval, recorded }: Course,
  { waves, digests }: Pick<RolloutPlan, "waves" | "digests">,
  { resume = "" }: RunOptions,
): Diagnostic | undefined {
  if (!approval) return undefined;
  // Stacks of waves before it that failed are applied, too.
  const approved = waves.flatMap(({ stacks }) => stacks);
  const reviewed = new Map(Object.entries(recorded?.plans ?? {}));
  const plans = new Map(Object.entries(digests));
  const changed = approved.filter((stack) => {
    const digest = plans.get(stack);
    return digest !== undefined && digest !== reviewed.get(stack);
  });
  if (changed.length === 0) return undefined;
  return error(
    "Plans have changed since the review",
    `${formatStackCount(changed.length)} would not get the changes that were reviewed: ${shortStackList(changed)}. Nothing was applied. "cdktf-console apply --resume ${resume}" records the present plans and waits again; review them, then approve the wave.`,
  );
}

/** Prints the sizes of the waves, if there are several, and how many stacks change at a time. */
export function announceRollout(screen: Screen, plan: RolloutPlan, options: RunOptions): void {
  const [first = 0, ...others] = plan.waves.map(({ stacks }) => stacks.length);
  if (others.length > 0) {
    const sizes = [formatStackCount(first), ...others].join(", then ");
    screen.print(printed`\nThe stacks are started in ${plan.waves.length} waves: ${sizes}.\n`);
  }
  const { allowedFailures: allowed, changed, unready } = plan;
  if (unready.length > 0 && unready.length < plan.total) {
    const names = shortStackList(unready, SHOWN_STACKS);
    const come =
      unready.length === 1
        ? "comes last, because its console does"
        : "come last, because their consoles do";
    screen.print(printed`\n${formatStackCount(unready.length)} ${come} not respond: ${names}\n`);
  }
  if (options.maxFailures?.kind === "part") {
    screen.print(printed`\n${allowed} of ${formatStackCount(plan.total)} may fail.\n`);
  }
  if (plan.failureMode === "soft" || changed <= allowed + 1) return;
  const [most, failing] = allowed === 0 ? ["one", "none"] : [allowed + 1, allowed];
  screen.print(
    printed`\nStacks are changed ${most} at a time, because ${failing} may fail. --max-failures ${allowed + 5} changes ${allowed + 6} at a time, --failure-mode soft as many as --parallelism allows.\n`,
  );
}

/** Names of stacks in a sentence. */
const SHOWN_STACKS = 5;

/** @param left - the stacks that were not started */
export function tooManyFailures(
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
