import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { z } from "zod";
import type { Server } from "./connection";
import { underLease, type Lease } from "./lease";
import type { Sdk } from "./load-sdk";
import {
  applyBatch,
  endedWave,
  planBatch,
  type AppliedBatch,
  type ApplyBatch,
  type EndedWave,
  type PlanBatch,
  type PlannedBatch,
} from "./messages";
import {
  APPLY_ACTIVITY,
  CHECK_ACTIVITY,
  PLAN_ACTIVITY,
  taskQueueOf,
  WORKFLOW_QUEUE,
} from "./names";
import type { RunningWorker } from "./sdk";

/** Does what a worker has to do with the stacks of a batch. */
export interface Machine {
  /** "too large": the review of the batch exceeds what Temporal takes. */
  plan(batch: PlanBatch, lease: Lease): Promise<PlannedBatch | "too large">;
  apply(batch: ApplyBatch, lease: Lease): Promise<AppliedBatch>;
  check(wave: EndedWave, lease: Lease): Promise<boolean>;
  /** Reports an exception, whose text is not sent to Temporal. */
  failed(failure: unknown): void;
  /** Reports that another worker continues with a batch. */
  lost(): void;
}

export interface WorkerRequest {
  readonly sdk: Sdk;
  readonly server: Server;
  readonly queue: string;
  /** The folder of this package. */
  readonly packageRoot: string;
  readonly machine: Machine;
  /** Aborted when the worker has to end. */
  readonly ending: AbortSignal;
}

/** Batches that a worker has at a time. Each uses the parallelism of an apply. */
const MOST_BATCHES = 2;

/** Milliseconds of one step of a workflow: a wave of 20,000 stacks begins at once. */
const MOST_STEP_MS = 60_000;

/** Milliseconds that stacks have to end when the worker does. */
const GRACE_MS = 60_000;

/**
 * Starts a worker of a queue, which also runs workflows of this version. Resolves to its end.
 *
 * @throws if the server refuses it
 */
export async function startWorker(
  request: WorkerRequest,
): Promise<{ readonly ended: Promise<void> }> {
  const { sdk, server, queue, packageRoot, ending } = request;
  const { connection, namespace } = server;
  const common = { connection, namespace, shutdownGraceTime: 0, shutdownForceTime: GRACE_MS };
  // One after the other: threads that the second one makes never end if the server refuses it.
  const ofActivities = await sdk.worker.Worker.create({
    ...common,
    taskQueue: taskQueueOf(queue),
    activities: activitiesOf(request),
    maxConcurrentActivityTaskExecutions: MOST_BATCHES,
  });
  const ofWorkflows = await sdk.worker.Worker.create({
    ...common,
    taskQueue: WORKFLOW_QUEUE,
    workflowsPath: join(packageRoot, "dist/temporal/workflow.js"),
    isolateExecutionTimeout: MOST_STEP_MS,
    bundlerOptions: {
      logger: new sdk.worker.DefaultLogger("ERROR"),
      webpackConfigHook: (config: WebpackConfig) => withModules(config, sdk.modules),
    },
  });
  return { ended: runAll([ofActivities, ofWorkflows], ending) };
}

async function runAll(workers: readonly RunningWorker[], ending: AbortSignal): Promise<void> {
  const runs = workers.map((worker) => worker.run());
  const shutDown = () => {
    for (const worker of workers) worker.shutdown();
  };
  if (ending.aborted) shutDown();
  else ending.addEventListener("abort", shutDown);
  await Promise.all(runs);
}

interface WebpackConfig {
  readonly resolve?: { readonly modules?: readonly string[] };
}

/** The workflow is in this package, and the SDK in the project, which can be elsewhere. */
function withModules(config: WebpackConfig, modules: string): WebpackConfig {
  const { resolve = {} } = config;
  return {
    ...config,
    resolve: { ...resolve, modules: [...(resolve.modules ?? ["node_modules"]), modules] },
  };
}

function activitiesOf(
  request: WorkerRequest,
): Readonly<Record<string, (given: unknown) => unknown>> {
  const { machine } = request;
  const activity =
    <T, R>(shape: z.ZodType<T>, act: (given: T, lease: Lease) => Promise<R>) =>
    (given: unknown): Promise<R> =>
      leased(request, async (lease) => {
        try {
          const result = await act(shape.parse(given), lease);
          if (!lease.stop.aborted) return result;
          machine.lost();
        } catch (failure) {
          machine.failed(failure);
        }
        // Temporal stores the text of an error, so it has nothing of ours.
        throw new Error("the worker could not end the batch");
      });
  return {
    [PLAN_ACTIVITY]: activity(planBatch, (batch, lease) => machine.plan(batch, lease)),
    [APPLY_ACTIVITY]: activity(applyBatch, (batch, lease) => machine.apply(batch, lease)),
    [CHECK_ACTIVITY]: activity(endedWave, (wave, lease) => machine.check(wave, lease)),
  };
}

/** The lease of the running activity: the heartbeat, whose answers the SDK does not show. */
function leased<R>(
  { sdk, server, ending }: WorkerRequest,
  work: (lease: Lease) => Promise<R>,
): Promise<R> {
  const { connection, namespace } = server;
  const { taskToken, attempt, heartbeatTimeoutMs = GRACE_MS } = sdk.activity.activityInfo();
  const renew = async (timeoutMs: number): Promise<boolean> => {
    const call = () =>
      connection.workflowService.recordActivityTaskHeartbeat({
        namespace,
        taskToken,
        identity: IDENTITY,
      });
    try {
      const { cancelRequested } = await connection.withDeadline(Date.now() + timeoutMs, call);
      return cancelRequested !== true;
    } catch (failure) {
      if (isNotFound(failure)) return false;
      throw failure;
    }
  };
  const now = () => performance.now();
  return underLease({ attempt, leaseMs: heartbeatTimeoutMs, renew, ending, now }, work);
}

const IDENTITY = `cdktf-console ${randomUUID()}`;

/** Temporal has given the batch to another worker, or the run has ended: gRPC's code. */
function isNotFound(failure: unknown): boolean {
  return typeof failure === "object" && failure !== null && "code" in failure && failure.code === 5;
}
