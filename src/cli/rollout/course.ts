import { error, type Diagnostic } from "../../core/diagnostics";
import type { Environment } from "../../core/environment";
import type { Approval, RecordedRollout } from "../../fleet/run-log/entries";
import type { RunRecord } from "../../fleet/run-log/read-run-log";
import { whoRuns } from "../../runtime";
import type { RolloutOptions } from "../stacks/rollout-settings";

/** The waves that a run may start, by its options and by the run that it resumes. */
export interface Course {
  /** The waves of the resumed run, unless the options have some. */
  readonly recorded: RecordedRollout | undefined;
  /** The last wave that starts without another approval. */
  readonly until: number | undefined;
  /** Waves up to this one need no approval, though they are manual. */
  readonly approvedWave: number;
  /** The approval of this run. Its plans must be those that were reviewed. */
  readonly approval: Approval | undefined;
  /** Stacks of the resumed run that failed. Those that this run does not have count as failures. */
  readonly failed: ReadonlySet<string>;
}

/** Relates the options of a run to the one that it resumes. */
export function courseOf(
  options: RolloutOptions,
  earlier: RunRecord | undefined,
  environment: Environment,
): Course | { readonly problem: Diagnostic } {
  const { waves, untilWave, approveWave } = options;
  const problem = unusable(options, earlier) ?? unapproved(options, earlier);
  if (problem) return { problem };
  const { rollout, waits, approvals = [], failed = new Set<string>() } = earlier ?? {};
  return {
    recorded: waves ? undefined : rollout,
    until: untilWave ?? approveWave ?? (waits ? waits.wave - 1 : undefined),
    approvedWave: Math.max(0, ...approvals.map(({ wave }) => wave), approveWave ?? 0),
    approval:
      approveWave === undefined
        ? undefined
        : { wave: approveWave, claimed: claimedName(environment) },
    failed: rollout ? failed : new Set<string>(),
  };
}

/** The name of who approves, as CI systems and the machine have it. Nothing proves it. */
export function claimedName({ GITHUB_ACTOR, GITLAB_USER_LOGIN }: Environment): string {
  const named = [GITHUB_ACTOR, GITLAB_USER_LOGIN].find((name) => name !== undefined && name !== "");
  return named ?? whoRuns();
}

function unusable(
  { waves, untilWave, approveWave, runLog, resume }: RolloutOptions,
  earlier: RunRecord | undefined,
): Diagnostic | undefined {
  if (approveWave !== undefined && resume === undefined) {
    const detail = "--approve-wave approves a wave of a recorded run. Name the run with --resume.";
    return error("--approve-wave needs --resume", detail);
  }
  if (untilWave === undefined) return undefined;
  if (!waves && !earlier?.rollout) {
    const detail = "--until-wave ends a run after a wave. Give the waves, as --waves 1,5%,100%.";
    return error("--until-wave needs --waves", detail);
  }
  if (runLog !== undefined) return undefined;
  return error(
    "--until-wave needs --run-log",
    "The waves that are left are only known from the record of the run. Name a file or a folder with --run-log.",
  );
}

function unapproved(
  { waves, untilWave, approveWave, resume = "" }: RolloutOptions,
  earlier: RunRecord | undefined,
): Diagnostic | undefined {
  const { waits } = earlier ?? {};
  if (approveWave === undefined) {
    if (!waits || (!waves && (untilWave === undefined || untilWave < waits.wave))) return undefined;
    const given = waves ? "--waves" : "--until-wave";
    return error(
      "Wave is not approved",
      `The run in ${resume} waits for wave ${waits.wave} of ${waits.count}, so ${given} cannot start it. Approve it with --approve-wave ${waits.wave}, or leave ${given} out.`,
    );
  }
  if (waits?.wave === approveWave) {
    if (!waves && (untilWave === undefined || untilWave >= approveWave)) return undefined;
    const given = waves ? "--waves" : `--until-wave ${untilWave}`;
    return error(
      "Wave is not approved",
      `${given} contradicts --approve-wave ${approveWave}, which starts that wave as it was reviewed. Leave one of them out.`,
    );
  }
  const found = waits
    ? `waits for wave ${waits.wave} of ${waits.count}. Review that one, and approve it with --approve-wave ${waits.wave}.`
    : "waits for no wave. Continue it without --approve-wave.";
  return error("Wave does not wait", `The run in ${resume} ${found}`);
}
