import type { FailureMode } from "../../fleet/rollout/rollout";
import type { Share } from "../../fleet/rollout/share";
import type { Waves } from "../../fleet/rollout/wave-steps";

/** Options of apply and destroy for runs over many stacks. */
export interface RolloutOptions {
  readonly waves?: Waves;
  /** Shell command to run between waves. */
  readonly check?: string;
  readonly maxFailures?: Share;
  /** Count stacks as failures whose row is wrong or whose secret is missing. */
  readonly countExcluded?: boolean;
  /** Default: `strict`. */
  readonly failureMode?: FailureMode;
  /** Milliseconds. */
  readonly wait?: number;
  /** File to write the run log to. */
  readonly runLog?: string;
  /** Names the run in its record. */
  readonly runId?: string;
  /** The number of the wave that the run ends after. */
  readonly untilWave?: number;
  /** The number of the wave of the resumed run that may start. */
  readonly approveWave?: number;
  /** Run log of an earlier run. */
  readonly resume?: string;
}

/** Options of runs over many machines. */
export interface RemoteOptions {
  readonly on?: "temporal";
  /** The label whose value names the queue of a stack. */
  readonly queueBy?: string;
  /** Milliseconds. */
  readonly lease?: number;
}
