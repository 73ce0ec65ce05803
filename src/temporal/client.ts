import { setTimeout as sleep } from "node:timers/promises";
import type { Server } from "./connection";
import type { RolloutInput, RolloutStart } from "./input";
import type { Sdk } from "./load-sdk";
import {
  followed,
  resultPage,
  reviewPage,
  type Decision,
  type Followed,
  type RemoteStatus,
  type ResultPage,
  type StackOutcome,
} from "./messages";
import {
  DECIDE,
  FOLLOW,
  RESULT,
  RESULT_ATTRIBUTE,
  REVIEW,
  runIdOf,
  taskQueueOf,
  WAVE_ATTRIBUTE,
  WORKFLOW,
  WORKFLOW_QUEUE,
  workflowId,
} from "./names";
import { pack } from "./pack";

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

/** Temporal's numbers of the types of search attributes. */
const [KEYWORD, INT] = [2, 3];
const ATTRIBUTES = [
  [WAVE_ATTRIBUTE, INT],
  [RESULT_ATTRIBUTE, KEYWORD],
] as const;

/** Returns the search attributes of runs that the namespace has, with the types that they need. */
async function searchAttributesOf({ connection, namespace }: Server): Promise<readonly string[]> {
  const { operatorService } = connection;
  const { customAttributes } = await operatorService.listSearchAttributes({ namespace });
  const known = new Map(Object.entries(customAttributes ?? {}));
  return ATTRIBUTES.flatMap(([name, type]) => (known.get(name) === type ? [name] : []));
}

/** Temporal's default, and what one unit adds. Temporal allows 120 seconds. */
const [TASK_MS, TASK_MS_OF_UNIT] = [10_000, 2];

/** Returns how a run starts on a server: with these arguments of its workflow. */
export async function startOf(
  server: Server,
  { units, ...start }: Omit<RolloutInput, "attributes">,
): Promise<{
  taskQueue: string;
  workflowTaskTimeout: number;
  args: [RolloutStart, Uint8Array];
}> {
  const attributes = await searchAttributesOf(server);
  // A worker that takes over a run repeats what the workflow has done, in one task.
  const workflowTaskTimeout = TASK_MS + TASK_MS_OF_UNIT * units.length;
  const args: [RolloutStart, Uint8Array] = [{ ...start, attributes }, pack(units)];
  return { taskQueue: WORKFLOW_QUEUE, workflowTaskTimeout, args };
}

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
  async start(input: Omit<RolloutInput, "attributes">): Promise<void> {
    await this.client.workflow.start(WORKFLOW, {
      workflowId: workflowId(input.runId),
      workflowIdReusePolicy: "REJECT_DUPLICATE",
      ...(await startOf(this.server, input)),
    });
  }

  async follow(runId: string, from: number): Promise<Followed> {
    const found = followed.parse(await this.query(runId, FOLLOW, from));
    const { status, earlier } = found;
    if (earlier === undefined) return found;
    const { news, next } = followed.parse(await this.query(runId, FOLLOW, from, earlier));
    return { status, news, next };
  }

  /** Returns parts of the review. */
  async review(runId: string, from: number, end: number): Promise<readonly string[]> {
    const parts: string[] = [];
    for (let at = from, execution: string | undefined; at < end;) {
      const page = reviewPage.parse(await this.query(runId, REVIEW, at, execution));
      parts.push(...page.parts);
      at += page.parts.length;
      // Each execution of the workflow has the parts that were made in it.
      execution = page.parts.length === 0 ? page.earlier : undefined;
      if (page.parts.length === 0 && execution === undefined) break;
    }
    return parts;
  }

  /** Returns the results of the stacks that have one. */
  async outcomes(runId: string): Promise<readonly StackOutcome[]> {
    const outcomes: StackOutcome[] = [];
    for (let at: number | undefined = 0; at !== undefined;) {
      const page: ResultPage = resultPage.parse(await this.query(runId, RESULT, at));
      outcomes.push(...page.stacks);
      at = page.next;
    }
    return outcomes;
  }

  /** Rejects with the reason if the run does not accept the decision. */
  async decide(runId: string, decision: Decision): Promise<void> {
    await this.handle(runId).executeUpdate(DECIDE, { args: [decision] });
  }

  async *list(): AsyncGenerator<ListedRun> {
    const query = `WorkflowType = "${WORKFLOW}" AND ExecutionStatus != "ContinuedAsNew"`;
    for await (const { workflowId: id, status, startTime } of this.client.workflow.list({
      query,
    })) {
      yield { id: runIdOf(id), status: status.name, startedAt: startTime };
    }
  }

  /** A worker that was lost, and a server that starts again, do not answer for some seconds. */
  private async query(
    runId: string,
    name: string,
    from: number,
    execution?: string,
  ): Promise<unknown> {
    const end = performance.now() + PATIENCE_MS;
    for (;;) {
      try {
        return await this.handle(runId, execution).query(name, from);
      } catch (failure) {
        if (!isTransient(failure) || performance.now() > end) throw failure;
        await sleep(LOOK_INTERVAL_MS);
      }
    }
  }

  /** @param execution - by default the last one of the workflow */
  private handle(runId: string, execution?: string) {
    return this.client.workflow.getHandle(workflowId(runId), execution);
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
    if ("code" in cause && typeof cause.code === "number") return !FINAL.has(cause.code);
    cause = "cause" in cause ? cause.cause : undefined;
  }
  return false;
}

/**
 * NOT_FOUND, PERMISSION_DENIED, UNIMPLEMENTED and UNAUTHENTICATED. All others also have passing reasons: a
 * worker that lost its server while it answered is reported as INVALID_ARGUMENT.
 */
const FINAL: ReadonlySet<number> = new Set([5, 7, 12, 16]);

/** Milliseconds without an answer after which the run is no longer followed. */
const PATIENCE_MS = 120_000;

/** Milliseconds between two looks at a run. */
const LOOK_INTERVAL_MS = 500;

/** The progress of a run, with the results of its stacks so far. */
export interface RolloutResult {
  readonly status: RemoteStatus;
  readonly outcomes: ReadonlyMap<string, StackOutcome>;
}

/** Reads the results of a run, of which it has one for each stack when it has ended. */
export async function readResult(rollouts: Rollouts, runId: string): Promise<RolloutResult> {
  const { status } = await rollouts.follow(runId, 0);
  const outcomes = await rollouts.outcomes(runId);
  return { status, outcomes: new Map(outcomes.map((one) => [one.stack, one])) };
}

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
