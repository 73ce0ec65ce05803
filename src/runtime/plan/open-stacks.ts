import { setMaxListeners } from "node:events";
import { availableParallelism } from "node:os";
import { hasErrors, type Diagnostic } from "../../core/diagnostics";
import { isEmptyState } from "../../core/documents/state";
import type { Backend, Lock } from "../../backends";
import { backendOf, recordBackend, stateLeftBehind } from "../../language";
import { Dependencies } from "../graph/dependencies";
import { Limit } from "../../core/io/limit";
import type { StackContext } from "../graph/stack-context";
import type { StackFaults } from "../graph/stack-order";
import type { Loaded, LoadOptions } from "../validation/load";
import { selectTargets } from "./selection";
import type { StackPlanRequest, PlanScope } from "./request";
import {
  PATIENCE_MS,
  StackRun,
  type EngineOptions,
  type Planning,
  type EngineRunOptions,
} from "./run";

export interface PlanOptions extends LoadOptions, StackPlanRequest, EngineRunOptions {}

export type PlanningOptions = EngineRunOptions & Pick<EngineOptions, "plannedAt">;

/** Loaded stacks, and how to plan them. */
export interface PlanningRequest {
  readonly loaded: Loaded;
  readonly scope: PlanScope;
  readonly options: PlanningOptions;
}

/** A stack with its state locked and read. */
export interface OpenStack {
  readonly backend: Backend;
  readonly lock: Lock;
  readonly run: StackRun;
}

export interface OpenedStacks {
  readonly opened: readonly OpenStack[];
  /** All stacks whose state was read. */
  readonly read: readonly StackRun[];
  /** The errors of stacks that were not opened. */
  readonly faults: StackFaults;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Locks and reads the states of all stacks. A stack whose state cannot be used is not opened, and
 * holds no lock.
 */
export async function openStacks(
  { contexts }: Loaded,
  options: PlanningOptions,
): Promise<OpenedStacks> {
  const all = await Promise.all(
    [...contexts.values()].map((context) => openStack(context, options)),
  );
  return {
    opened: all.flatMap(({ opened }) => opened ?? []),
    read: all.flatMap(({ opened, read }) => opened?.run ?? read ?? []),
    faults: new Map(
      all.flatMap(({ stack, opened, diagnostics }) =>
        opened ? [] : [[stack, diagnostics] as const],
      ),
    ),
    diagnostics: all.flatMap(({ opened, diagnostics }) => (opened ? diagnostics : [])),
  };
}

async function openStack(
  context: StackContext,
  options: PlanningOptions,
): Promise<{
  stack: string;
  opened?: OpenStack;
  read?: StackRun;
  diagnostics: readonly Diagnostic[];
}> {
  const { config, connections } = context;
  const stack = config.name;
  const { operation = "plan", lockWaitMs = 0, environment = process.env, plannedAt } = options;
  const advice = options.advice?.(stack);
  const location = { ...config, environment, advice };
  const { backend, diagnostics: problems } = backendOf(config.backend, location);
  if (!backend) {
    await connections.close();
    return { stack, diagnostics: problems };
  }
  const isReadOnly = options.readOnly === true;
  const { lock, ...locking } = isReadOnly
    ? { lock: NO_LOCK, diagnostics: [] }
    : await backend.lock({
        operation,
        run: options.runId,
        attempt: options.attempt,
        waitMs: lockWaitMs,
        readOnly: operation === "plan",
      });
  if (!lock) {
    await connections.close();
    const { state } = await backend.read();
    const read = state && new StackRun(context, state, plannedAt);
    return { stack, ...(read && { read }), diagnostics: locking.diagnostics };
  }
  const { state, diagnostics: found } = await backend.read();
  const isRead = !hasErrors(found);
  const present = { location: backend.location, state };
  const left = isRead ? await stateLeftBehind(config, present, environment, advice) : [];
  const diagnostics = [...locking.diagnostics, ...found, ...left];
  const isUsed = state !== undefined && !isEmptyState(state) && !hasErrors(diagnostics);
  if (isUsed && !isReadOnly) await recordBackend(config, environment);
  if (!hasErrors(diagnostics)) {
    const run = new StackRun(context, state, plannedAt);
    return { stack, opened: { backend, lock: releasedOnce(lock), run }, diagnostics };
  }
  await connections.close();
  return { stack, diagnostics: [...diagnostics, ...(await lock.release())] };
}

/** The lock of a stack that has ended is released before the run ends, which releases all. */
function releasedOnce(lock: Lock): Lock {
  let released: ReturnType<Lock["release"]> | undefined;
  return { id: lock.id, release: () => (released ??= lock.release()) };
}

/** A run that only reads holds no lock. */
const NO_LOCK: Lock = { id: "", release: () => Promise.resolve([]) };

/** Closes ephemeral resources and providers, and releases the locks. */
export async function closeStacks(opened: readonly OpenStack[]): Promise<readonly Diagnostic[]> {
  const closed = await Promise.all(opened.map(({ run }) => run.ephemerals.close()));
  await Promise.all(opened.map(({ run }) => run.context.connections.close()));
  return [...closed.flat(), ...(await releaseAll(opened.map(({ lock }) => lock)))];
}

/** Prepares the planning of opened stacks. */
export function planningOf(
  { loaded: { configuration }, scope: request, options }: PlanningRequest,
  { opened, read }: Pick<OpenedStacks, "opened" | "read">,
): Planning {
  const { targets, isBeforeDestroy = false, rollback = new Map(), ...scope } = request;
  const parallelism = options.parallelism ?? defaultParallelism(opened.length);
  const never = new AbortController().signal;
  // Every running call listens; Node would report more than ten listeners as a leak.
  setMaxListeners(
    0,
    never,
    ...[options.stop, options.abort].filter((signal) => signal !== undefined),
  );
  const runs = new Map(opened.map(({ run }) => [run.name, run]));
  const selection =
    targets.length > 0 ? selectTargets(configuration, runs, scope.mode, targets) : undefined;
  return {
    options: {
      ...scope,
      isBeforeDestroy,
      rollback,
      conditions: scope.mode === "refresh-only" || isBeforeDestroy ? "warning" : "error",
      recordedData: options.recordedData ?? new Map(),
      plannedAt: options.plannedAt,
      parallelism,
      environment: options.environment ?? process.env,
      observe: options.observe ?? (() => undefined),
      reached: options.reached ?? (() => undefined),
      stepped: options.stepped ?? (() => undefined),
      planned: options.planned ?? (() => undefined),
      stop: options.stop ?? never,
      abort: options.abort ?? never,
    },
    limit: new Limit(parallelism, PATIENCE_MS),
    configuration,
    dependencies: new Dependencies(configuration, selection?.nodes),
    runs,
    read: new Map([...read, ...runs.values()].map((run) => [run.name, run])),
    selection,
  };
}

/**
 * The default of concurrent calls. A call mostly waits for its console: four for each stack, at least
 * Terraform's ten, and no more than the processors of this machine can follow.
 */
export function defaultParallelism(stacks: number): number {
  return Math.max(10, Math.min(4 * stacks, 50 * availableParallelism()));
}

async function releaseAll(locks: readonly Lock[]): Promise<readonly Diagnostic[]> {
  return (await Promise.all(locks.map((lock) => lock.release()))).flat();
}
