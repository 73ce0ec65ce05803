import { version } from "../../package.json";

/* The names under which Temporal knows rollouts. Runs that have begun depend on them. */

export const WORKFLOW = "cdktfConsoleRollout";

/** The activities of a worker. */
export const PLAN_ACTIVITY = "planStacks";
export const APPLY_ACTIVITY = "applyStacks";
export const CHECK_ACTIVITY = "checkWave";

/** The queries and the update of the workflow. */
export const FOLLOW = "follow";
export const REVIEW = "review";
export const RESULT = "result";
export const DECIDE = "decide";

const PREFIX = "cdktf-console/";

/** The ID of the workflow of a run. */
export function workflowId(runId: string): string {
  return PREFIX + runId;
}

/** The ID of the run of a workflow. */
export function runIdOf(workflowId: string): string {
  return workflowId.startsWith(PREFIX) ? workflowId.slice(PREFIX.length) : workflowId;
}

/** The task queue of the workers with `--queue NAME`. */
export function taskQueueOf(queue: string): string {
  return PREFIX + queue;
}

/** The task queue of the workflows that began with this version: they end with its workers. */
export const WORKFLOW_QUEUE = `${PREFIX}workflows@${version}`;

/** The results of a stack. Only the end of this list may be changed. */
export const STATUSES = ["applied", "failed", "excluded", "changed", "not started"] as const;

/** Search attributes of runs, which are set where the namespace has them. */
export const WAVE_ATTRIBUTE = "CdktfConsoleWave";
export const RESULT_ATTRIBUTE = "CdktfConsoleResult";
