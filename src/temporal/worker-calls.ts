import type { RolloutStart } from "./input";
import type { AppliedBatch, ApplyBatch, EndedWave, PlanBatch, PlannedBatch } from "./messages";
import { APPLY_ACTIVITY, CHECK_ACTIVITY, PLAN_ACTIVITY, taskQueueOf } from "./names";
import type { WorkflowSdk } from "./sdk";

const DAY_MS = 24 * 60 * 60 * 1000;

/** Attempts of a batch whose workers are lost, or have crashed. */
const MOST_ATTEMPTS = 100;

/** A call whose worker could not end it. */
interface FailedCall {
  readonly failure: string;
}

/** The calls of workers by the workflow of a run. */
export class WorkerCalls {
  constructor(
    private readonly sdk: WorkflowSdk,
    private readonly start: RolloutStart,
  ) {}

  plan(queue: string, stacks: readonly string[], round: number) {
    const given: PlanBatch = { ...this.about(stacks), round };
    return this.call<PlannedBatch | "too large">(PLAN_ACTIVITY, queue, given, stacks);
  }

  apply(
    queue: string,
    stacks: readonly string[],
    round: number,
    digests: Readonly<Record<string, string>>,
  ) {
    const given: ApplyBatch = { ...this.about(stacks), round, digests };
    return this.call<AppliedBatch>(APPLY_ACTIVITY, queue, given, stacks);
  }

  check(queue: string, wave: EndedWave) {
    return this.call<boolean>(CHECK_ACTIVITY, queue, wave, [`wave ${wave.wave}`]);
  }

  private about(stacks: readonly string[]): Omit<PlanBatch, "round"> {
    const { runId, operation, basis, gate, rollsBack } = this.start;
    const back = rollsBack !== undefined && { rollsBack };
    return { runId, operation, basis, gate, stacks: [...stacks], ...back };
  }

  /** Calls a worker. A worker that is lost is replaced when it has certainly stopped to write. */
  private async call<R>(
    type: string,
    queue: string,
    given: object,
    stacks: readonly string[],
  ): Promise<R | FailedCall> {
    const { leaseMs } = this.start;
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
