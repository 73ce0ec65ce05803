import { setTimeout as sleep } from "node:timers/promises";
import type { Server } from "./connection";
import type { RolloutInput } from "./input";
import type { Sdk } from "./load-sdk";
import { followed, reviewPage, type Decision, type Followed, type ReviewPage } from "./messages";
import {
  DECIDE,
  FOLLOW,
  REVIEW,
  runIdOf,
  taskQueueOf,
  WORKFLOW,
  WORKFLOW_QUEUE,
  workflowId,
} from "./names";

/** A run in the list of a namespace. */
export interface ListedRun {
  readonly id: string;
  /** The name that Temporal has for it: `RUNNING`, `COMPLETED`. */
  readonly status: string;
  readonly startedAt: Date;
}

/** Temporal's numbers of the types of task queues. */
const WORKFLOWS = 1;
const ACTIVITIES = 2;

/** Starts, follows and decides about runs. */
export class Rollouts {
  private readonly client;

  constructor(
    { client: { Client } }: Sdk,
    private readonly server: Server,
  ) {
    const { connection, namespace } = server;
    this.client = new Client({ connection, namespace });
  }

  /** The queues without a worker, of those that a run needs. */
  async withoutWorker(queues: readonly string[]): Promise<readonly string[]> {
    const found = await Promise.all(
      queues.map(async (queue) =>
        (await this.hasWorker(taskQueueOf(queue), ACTIVITIES)) ? [] : [queue],
      ),
    );
    return found.flat();
  }

  /** False if no worker of this version runs: its runs would not begin. */
  runsWorkflows(): Promise<boolean> {
    return this.hasWorker(WORKFLOW_QUEUE, WORKFLOWS);
  }

  /** Rejects if the ID is used. */
  async start(input: RolloutInput): Promise<void> {
    await this.client.workflow.start(WORKFLOW, {
      workflowId: workflowId(input.runId),
      workflowIdReusePolicy: "REJECT_DUPLICATE",
      taskQueue: WORKFLOW_QUEUE,
      args: [input],
    });
  }

  async follow(runId: string, from: number): Promise<Followed> {
    return followed.parse(await this.query(runId, FOLLOW, from));
  }

  /** Returns the parts of the review from a number on. */
  async review(runId: string, from: number): Promise<readonly string[]> {
    const parts: string[] = [];
    for (let at: number | undefined = from; at !== undefined;) {
      const page: ReviewPage = reviewPage.parse(await this.query(runId, REVIEW, at));
      parts.push(...page.parts);
      at = page.next;
    }
    return parts;
  }

  /** Rejects with the reason if the run does not accept the decision. */
  async decide(runId: string, decision: Decision): Promise<void> {
    await this.handle(runId).executeUpdate(DECIDE, { args: [decision] });
  }

  async *list(): AsyncGenerator<ListedRun> {
    const query = `WorkflowType = "${WORKFLOW}"`;
    for await (const { workflowId: id, status, startTime } of this.client.workflow.list({
      query,
    })) {
      yield { id: runIdOf(id), status: status.name, startedAt: startTime };
    }
  }

  /** A worker that was lost, and a server that starts again, do not answer for some seconds. */
  private async query(runId: string, name: string, from: number): Promise<unknown> {
    const end = performance.now() + PATIENCE_MS;
    for (;;) {
      try {
        return await this.handle(runId).query(name, from);
      } catch (failure) {
        if (!isTransient(failure) || performance.now() > end) throw failure;
        await sleep(LOOK_INTERVAL_MS);
      }
    }
  }

  private handle(runId: string) {
    return this.client.workflow.getHandle(workflowId(runId));
  }

  private async hasWorker(name: string, taskQueueType: number): Promise<boolean> {
    const { connection, namespace } = this.server;
    const { pollers } = await connection.workflowService.describeTaskQueue({
      namespace,
      taskQueue: { name },
      taskQueueType,
    });
    return (pollers?.length ?? 0) > 0;
  }
}

/** Reports whether a question that failed may be answered later: by gRPC's codes. */
function isTransient(failure: unknown): boolean {
  for (let cause = failure; typeof cause === "object" && cause !== null;) {
    if ("code" in cause && typeof cause.code === "number") return TRANSIENT.has(cause.code);
    cause = "cause" in cause ? cause.cause : undefined;
  }
  return false;
}

/** CANCELLED (of the SDK's own timeout), DEADLINE_EXCEEDED and UNAVAILABLE. */
const TRANSIENT: ReadonlySet<number> = new Set([1, 4, 14]);

/** Milliseconds without an answer after which the run is no longer followed. */
const PATIENCE_MS = 120_000;

/** Milliseconds between two looks at a run. */
const LOOK_INTERVAL_MS = 500;

/** Yields what happens in a run, until it has ended. Rejects when `stop` is aborted. */
export async function* followRollout(
  rollouts: Rollouts,
  runId: string,
  stop: AbortSignal,
): AsyncGenerator<Followed> {
  for (let from = 0; ;) {
    const found = await rollouts.follow(runId, from);
    yield found;
    const isNew = found.next > from;
    from = found.next;
    if (isNew) continue;
    if (found.status.phase === "ended") return;
    await sleep(LOOK_INTERVAL_MS, undefined, { signal: stop });
  }
}
