/*
 * The parts of Temporal's SDK that are used here. It is an optional peer: its types are not there when
 * this package is built. test/temporal compares these with them.
 */

/** Options of an activity. Durations are in milliseconds. */
export interface ActivityOptions {
  readonly taskQueue: string;
  readonly startToCloseTimeout: number;
  readonly heartbeatTimeout?: number;
  readonly retry: {
    readonly initialInterval: number;
    readonly backoffCoefficient: number;
    readonly maximumAttempts: number;
  };
  /** Shown on Temporal's page. */
  readonly summary: string;
}

/** The part of `@temporalio/workflow` that is used. */
export interface WorkflowSdk {
  scheduleActivity<R>(type: string, given: unknown[], options: ActivityOptions): Promise<R>;
  condition(holds: () => boolean): Promise<void>;
  workflowInfo(): {
    readonly workflowId: string;
    readonly runId: string;
    readonly continueAsNewSuggested: boolean;
  };
  /** Rejects with what ends the execution. */
  continueAsNew(...given: unknown[]): Promise<never>;
  upsertSearchAttributes(values: Record<string, string[] | number[]>): void;
  defineQuery(name: string): unknown;
  defineUpdate(name: string): unknown;
  setHandler(
    definition: unknown,
    handler: (...given: never[]) => unknown,
    options?: { readonly validator?: (...given: never[]) => void },
  ): void;
}

/** A connection of `@temporalio/worker`, which a client can use too. */
export interface Connection {
  readonly workflowService: {
    recordActivityTaskHeartbeat(request: {
      namespace: string;
      taskToken: Uint8Array;
      identity: string;
    }): Promise<{ cancelRequested?: boolean | null }>;
    describeTaskQueue(request: {
      namespace: string;
      taskQueue: { name: string };
      taskQueueType: number;
    }): Promise<{ pollers?: unknown[] | null }>;
  };
  readonly operatorService: {
    listSearchAttributes(request: {
      namespace: string;
    }): Promise<{ customAttributes?: Record<string, number> | null }>;
  };
  withDeadline<R>(deadline: number, call: () => Promise<R>): Promise<R>;
  close(): Promise<void>;
}

/** The part of `@temporalio/worker` that is used. */
export interface WorkerSdk {
  readonly NativeConnection: { connect(options: object): Promise<Connection> };
  readonly Runtime: { install(options: object): unknown };
  readonly DefaultLogger: new (level: "ERROR") => object;
  readonly Worker: { create(options: object): Promise<RunningWorker> };
}

export interface RunningWorker {
  run(): Promise<void>;
  shutdown(): void;
}

/** The part of `@temporalio/activity` that is used. */
export interface ActivitySdk {
  activityInfo(): {
    readonly taskToken: Uint8Array;
    readonly attempt: number;
    readonly heartbeatTimeoutMs?: number;
  };
  heartbeat(): void;
  cancellationSignal(): AbortSignal;
}

/** The handle of a workflow. */
export interface Handle {
  query(name: string, ...given: unknown[]): Promise<unknown>;
  executeUpdate(name: string, options: { args: [unknown] }): Promise<unknown>;
}

/** The part of `@temporalio/client` that is used. */
export interface ClientSdk {
  readonly Client: new (options: object) => {
    readonly workflow: {
      start(type: string, options: object): Promise<unknown>;
      getHandle(id: string, runId?: string): Handle;
      list(options: { query: string }): AsyncIterable<ListedWorkflow>;
    };
    readonly schedule: {
      create(options: ScheduleOptions): Promise<unknown>;
      list(): AsyncIterable<ScheduleSummary>;
      getHandle(id: string): { delete(): Promise<void> };
    };
  };
}

export interface ScheduleOptions {
  scheduleId: string;
  spec: { cronExpressions: string[] };
  policies: { overlap: "SKIP" };
  action: {
    type: "startWorkflow";
    workflowType: string;
    workflowId: string;
    taskQueue: string;
    workflowTaskTimeout: number;
    args: unknown[];
  };
}

export interface ScheduleSummary {
  readonly scheduleId: string;
  readonly action?: { readonly workflowType: string };
  readonly state: { readonly paused: boolean };
  readonly info: { readonly nextActionTimes: readonly Date[] };
}

export interface ListedWorkflow {
  readonly workflowId: string;
  readonly status: { readonly name: string };
  readonly startTime: Date;
  readonly closeTime?: Date;
}

/** The part of `@temporalio/envconfig` that is used. */
export interface EnvironmentSdk {
  loadClientConnectConfig(options: { overrideEnvVars: Record<string, string> }): {
    connectionOptions: { readonly address?: string };
    namespace?: string;
  };
}
