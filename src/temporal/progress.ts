import type { PlannedWave } from "../fleet/rollout/waves";
import type { PlannedStack, RemoteStatus, StackOutcome } from "./messages";
import { STATUSES } from "./names";

/*
 * The progress of a run where one execution of its workflow continues as a new one, with an empty
 * history. Nothing is open then.
 */

/** An execution of the workflow that has ended, and the numbers of the first that it does not have. */
export interface EarlierExecution {
  readonly runId: string;
  readonly news: number;
  readonly reviews: number;
}

/** The steps of a run: it plans, asks and applies, and does so again for plans that have changed. */
export interface RunSteps {
  /** Grows with each planning and each apply, so that a later one takes over the locks of an earlier. */
  round: number;
  /** The times that plans which have changed were made again. */
  repeats: number;
  /** The waves that are applied; undefined while stacks are planned. */
  waves: readonly PlannedWave[] | undefined;
  /** The number of the last wave that has begun; 0 before the first one. */
  begun: number;
  /** The exit code of a gate that refuses plans. */
  refusal: number | undefined;
}

/** The report of a run, as far as decisions depend on it. */
export interface KeptReport {
  readonly earlier: readonly EarlierExecution[];
  readonly phase: RemoteStatus["phase"];
  readonly isPaused: boolean;
  readonly waves: readonly number[];
  readonly wave: number;
  /** Null: any number. */
  readonly allowedFailures: number | null;
  readonly parallelism: number | null;
  readonly plans: ReadonlyMap<string, PlannedStack>;
  readonly outcomes: ReadonlyMap<string, StackOutcome>;
}

export interface RunProgress {
  readonly steps: RunSteps;
  readonly report: KeptReport;
}

type PlanRow = readonly [digest: string, changed: 0 | 1, ...counts: [number, number, number]];
type OutcomeRow = readonly [
  ...[status: number, reason: number, add: number, change: number, remove: number],
  uncounted?: 1,
];

/** A progress with short lists, in the order of the stacks: Temporal refuses payloads of 2 MB. */
export interface ShortProgress {
  readonly steps: Omit<RunSteps, "waves">;
  readonly waves?: readonly (Omit<PlannedWave, "stacks"> & {
    readonly stacks: readonly number[];
  })[];
  readonly report: Omit<KeptReport, "plans" | "outcomes">;
  readonly reasons: readonly string[];
  readonly plans: readonly (PlanRow | 0)[];
  readonly outcomes: readonly (OutcomeRow | 0)[];
}

export function shortProgress(
  { steps: { waves, ...steps }, report: { plans, outcomes, ...report } }: RunProgress,
  stacks: readonly string[],
): ShortProgress {
  const at = new Map(stacks.map((stack, index) => [stack, index]));
  const reasons = [...new Set([...outcomes.values()].map(({ reason = "" }) => reason))];
  const numbers = new Map(reasons.map((reason, index) => [reason, index]));
  return {
    steps,
    report,
    reasons,
    ...(waves && {
      waves: waves.map((wave) => ({
        ...wave,
        stacks: wave.stacks.flatMap((stack) => at.get(stack) ?? []),
      })),
    }),
    plans: stacks.map((stack): PlanRow | 0 => {
      const plan = plans.get(stack);
      if (!plan) return 0;
      const { digest, changed, add, change, remove } = plan;
      // The digest of a stack that was applied is not needed any more.
      return [outcomes.has(stack) ? "" : digest, changed ? 1 : 0, add, change, remove];
    }),
    outcomes: stacks.map((stack): OutcomeRow | 0 => {
      const outcome = outcomes.get(stack);
      if (!outcome) return 0;
      const { status, reason = "", add, change, remove, uncounted } = outcome;
      const counts = [add, change, remove] as const;
      const row = [STATUSES.indexOf(status), numbers.get(reason) ?? 0, ...counts] as const;
      return uncounted ? [...row, 1] : row;
    }),
  };
}

export function wholeProgress(
  { steps, waves, report, reasons, plans, outcomes }: ShortProgress,
  stacks: readonly string[],
): RunProgress {
  const name = (index: number) => stacks[index] ?? "";
  return {
    steps: {
      ...steps,
      waves: waves?.map((wave) => ({ ...wave, stacks: wave.stacks.map(name) })),
    },
    report: {
      ...report,
      plans: new Map(
        plans.flatMap((row, index) => {
          if (row === 0) return [];
          const [digest, changed, add, change, remove] = row;
          const stack = name(index);
          return [[stack, { stack, digest, changed: changed === 1, add, change, remove }]];
        }),
      ),
      outcomes: new Map(
        outcomes.flatMap((row, index) => {
          if (row === 0) return [];
          const [status, reason, add, change, remove, uncounted] = row;
          const [stack, text] = [name(index), reasons[reason] ?? ""];
          const counts = { add, change, remove, ...(uncounted && { uncounted: true as const }) };
          const one = { stack, status: STATUSES[status] ?? "failed", ...counts };
          return [[stack, text === "" ? one : { ...one, reason: text }]];
        }),
      ),
    },
  };
}
