import { setMaxListeners } from "node:events";
import { hasErrors, type Diagnostic } from "../../provider/diagnostics";
import type { Backend, Lock } from "../backends/backend";
import { LocalBackend } from "../backends/local";
import { Dependencies } from "../graph/dependencies";
import { Limit } from "../graph/limit";
import { closeProviders, statePath, type Loaded, type LoadOptions } from "../validation/load";
import { selectTargets } from "./selection";
import type { PlanRequest, PlanScope } from "./request";
import { StackRun, type Planning, type RunOptions } from "./run";

export interface PlanOptions extends LoadOptions, PlanRequest, RunOptions {}

/** A stack with its state locked and read. */
export interface OpenStack {
  readonly backend: Backend;
  readonly lock: Lock;
  readonly run: StackRun;
}

/** Locks and reads the states of all stacks. After an error no lock is held. */
export async function openStacks(
  loaded: Loaded,
  { operation = "plan", lockWaitMs = 0 }: RunOptions,
): Promise<{ opened: readonly OpenStack[]; diagnostics: readonly Diagnostic[] }> {
  const diagnostics: Diagnostic[] = [];
  const locks: Lock[] = [];
  const opened = await Promise.all(
    [...loaded.contexts.values()].map(async (context): Promise<OpenStack[]> => {
      const backend = new LocalBackend(statePath(context.config));
      const { lock, ...locking } = await backend.lock({ operation, waitMs: lockWaitMs });
      diagnostics.push(...locking.diagnostics);
      if (!lock) return [];
      locks.push(lock);
      const { state, diagnostics: found } = await backend.read();
      diagnostics.push(...found);
      return [{ backend, lock, run: new StackRun(context, state) }];
    }),
  );
  if (!hasErrors(diagnostics)) return { opened: opened.flat(), diagnostics };
  await closeProviders(loaded);
  return { opened: [], diagnostics: [...diagnostics, ...(await releaseAll(locks))] };
}

/** Closes ephemeral resources and providers, and releases the locks. */
export async function closeStacks(opened: readonly OpenStack[]): Promise<readonly Diagnostic[]> {
  const closed = await Promise.all(opened.map(({ run }) => run.ephemerals.close()));
  await Promise.all(opened.map(({ run }) => run.context.connections.close()));
  return [...closed.flat(), ...(await releaseAll(opened.map(({ lock }) => lock)))];
}

/** Prepares the planning of opened stacks. */
export function planningOf(
  { configuration }: Loaded,
  options: RunOptions,
  { targets, ...scope }: PlanScope,
  opened: readonly OpenStack[],
): Planning {
  const parallelism = options.parallelism ?? 10;
  const never = new AbortController().signal;
  // Every running call listens; Node would report more than ten listeners as a leak.
  setMaxListeners(
    0,
    never,
    ...[options.stop, options.abort].filter((signal) => signal !== undefined),
  );
  const runs = new Map(opened.map(({ run }) => [run.name, run]));
  return {
    options: {
      ...scope,
      recordedData: options.recordedData ?? new Map(),
      parallelism,
      environment: options.environment ?? process.env,
      observe: options.observe ?? (() => undefined),
      stop: options.stop ?? never,
      abort: options.abort ?? never,
    },
    limit: new Limit(parallelism),
    configuration,
    dependencies: new Dependencies(configuration),
    runs,
    selection:
      targets.length > 0 ? selectTargets(configuration, runs, scope.mode, targets) : undefined,
  };
}

async function releaseAll(locks: readonly Lock[]): Promise<readonly Diagnostic[]> {
  return (await Promise.all(locks.map((lock) => lock.release()))).flat();
}
