import type { FailureMode } from "../fleet/rollout/rollout";
import type { Share } from "../fleet/rollout/share";
import type { Waves } from "../fleet/rollout/wave-steps";
import type { StackLabels } from "../fleet/selection/labels";
import type { Basis, GateChoice, RemoteOperation } from "./messages";

/** The start of a run. */
export interface RolloutInput {
  readonly runId: string;
  readonly operation: RemoteOperation;
  /** USER@HOST of who starts it, and when, in ISO 8601. */
  readonly by: string;
  readonly startedAt: string;
  /** The run that a rollback goes back from. */
  readonly rollsBack?: string;
  /** The label whose value is the queue of a stack. */
  readonly queueBy: string;
  readonly basis: Basis;
  readonly gate: GateChoice;
  /** Stacks that depend on each other, directly or not, are one unit. In the order of their start. */
  readonly units: readonly InputUnit[];
  readonly waves?: Waves;
  readonly maxFailures?: Share;
  /** Stacks that are excluded for what they were given count as failures, too. */
  readonly countExcluded?: boolean;
  readonly failureMode: FailureMode;
  /** Only manual waves wait for an approval. */
  readonly autoApprove: boolean;
  /** The search attributes of runs that the namespace has. One that it lacks would stop the workflow. */
  readonly attributes: readonly string[];
  /** A worker that has sent nothing for so many milliseconds has lost its stacks. */
  readonly leaseMs: number;
}

/** The start of a run without its units, which are packed. */
export type RolloutStart = Omit<RolloutInput, "units">;

export interface InputUnit {
  readonly queue: string;
  readonly stacks: readonly InputStack[];
}

export interface InputStack {
  readonly name: string;
  /** Those that the waves select by; none where they select by none. */
  readonly labels?: StackLabels;
}
