import { setMaxListeners } from "node:events";
import { hasErrors, type Diagnostic } from "../provider/diagnostics";
import type { Environment } from "../provider/definition";
import { applyStacks, needsJournal } from "./apply/apply";
import type { Backend, Journal, Lock } from "./backends/backend";
import { LocalBackend } from "./backends/local";
import { errorAt } from "./evaluation/located";
import type { Observer } from "./events";
import { Dependencies } from "./graph/dependencies";
import { Limit } from "./graph/limit";
import { loadStacks, statePath, type Loaded, type LoadOptions } from "./load";
import type { ChangeCounts, StackPlan } from "./plan/model";
import { planStacks, stackPlan } from "./plan/plan";
import { StackRun, type EngineOptions, type Planning } from "./plan/run";
import type { State } from "./state/state";

export interface PlanOptions extends LoadOptions {
  /** Default `normal`. */
  readonly mode?: EngineOptions["mode"];
  /** Default true: every object is looked at before it is planned. */
  readonly refresh?: boolean;
  /** Addresses of instances to replace, changed or not. */
  readonly replace?: readonly string[];
  /** How many calls to providers may be under way at once. Default 10. */
  readonly parallelism?: number;
  /** What providers and local-exec see. Default: the process's. */
  readonly environment?: Environment;
  readonly observe?: Observer;
  /** Aborted: what is under way is finished, nothing new is begun. */
  readonly stop?: AbortSignal;
  /** Aborted: what is under way is given up. Goes with `stop`. */
  readonly abort?: AbortSignal;
  /** Shown to whom the lock keeps out. Default `plan`. */
  readonly operation?: string;
  /** How long to wait for the lock, in milliseconds. Default 0. */
  readonly lockWaitMs?: number;
}

/** What became of one stack. */
export interface AppliedStack {
  readonly stack: string;
  /** What was done, which is less than the plan where something failed. */
  readonly counts: ChangeCounts;
  /** As it was stored; undefined where it could not be. */
  readonly state: State | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

export interface ApplyResult {
  readonly stacks: readonly AppliedStack[];
  /** `stop` came before all was done. */
  readonly interrupted: boolean;
}

interface OpenStack {
  readonly backend: Backend;
  readonly lock: Lock;
  readonly run: StackRun;
}

/**
 * A plan of one or more stacks, and the way to apply it. The stacks' states stay locked until
 * `close`, which must be called in any case.
 */
export class Session {
  private applied = false;

  private constructor(
    /** In the order of the assembly; none where something was wrong before planning. */
    readonly plans: readonly StackPlan[],
    /** All that was found, the plans' own diagnostics among them. */
    readonly diagnostics: readonly Diagnostic[],
    /** `stop` came before the plan was complete. */
    readonly interrupted: boolean,
    private readonly planning: Planning | undefined,
    private readonly opened: readonly OpenStack[],
  ) {}

  /** Loads, validates, locks, reads the states and plans. Writes nothing. */
  static async plan(options: PlanOptions): Promise<Session> {
    const { loaded, diagnostics } = await loadStacks(options);
    if (!loaded) return new Session([], diagnostics, false, undefined, []);
    const { opened, diagnostics: problems } = await openStacks(loaded, options);
    const found = [...diagnostics, ...problems];
    if (hasErrors(problems)) return new Session([], found, false, undefined, opened);
    const planning = planningOf(loaded, options, opened);
    await planStacks(planning);
    const plans = opened.map(({ run }) => stackPlan(run));
    return new Session(
      plans,
      [...found, ...plans.flatMap((plan) => plan.diagnostics)],
      planning.options.stop.aborted,
      planning,
      opened,
    );
  }

  /** Whether `apply` may be called: the plan is complete and nothing is wrong with it. */
  get applicable(): boolean {
    return (
      this.planning !== undefined &&
      !this.applied &&
      !this.interrupted &&
      !hasErrors(this.diagnostics)
    );
  }

  /**
   * Does what the plans say, and stores the states whatever came of it. Once, and only where the
   * session is `applicable`.
   */
  async apply(): Promise<ApplyResult> {
    if (!this.planning || !this.applicable) throw new Error("there is no plan that can be applied");
    this.applied = true;
    const { planning, opened } = this;
    const before = new Map(opened.map(({ run }) => [run, run.diagnostics.length]));
    const journals = await openJournals(opened);
    const failed = opened.some(({ run }) => hasErrors(run.diagnostics));
    const applied = failed ? undefined : await applyStacks(planning, journals);

    const limit = new Limit(planning.options.parallelism);
    const stacks = await Promise.all(
      opened.map(({ run, backend }) =>
        limit.run(async (): Promise<AppliedStack> => {
          const written = await backend.write(run.state);
          run.report(written.diagnostics);
          return {
            stack: run.name,
            counts: applied?.get(run.name)?.counts ?? { add: 0, change: 0, destroy: 0 },
            state: written.state,
            diagnostics: run.diagnostics.slice(before.get(run)),
          };
        }),
      ),
    );
    return { stacks, interrupted: planning.options.stop.aborted };
  }

  /** Ends what providers have open and gives the locks back. */
  async close(): Promise<readonly Diagnostic[]> {
    const connections = this.opened.flatMap(({ run }) => [...run.connections.values()]);
    await Promise.all(
      connections.map(async ({ provider, connection }) => {
        if (connection !== undefined) await provider.close(connection);
      }),
    );
    return releaseAll(this.opened.map(({ lock }) => lock));
  }
}

function planningOf(
  { configuration }: Loaded,
  options: PlanOptions,
  opened: readonly OpenStack[],
): Planning {
  const parallelism = options.parallelism ?? 10;
  const never = new AbortController().signal;
  // Every call under way listens; Node would take more than ten listeners for a leak.
  setMaxListeners(
    0,
    never,
    ...[options.stop, options.abort].filter((signal) => signal !== undefined),
  );
  return {
    options: {
      mode: options.mode ?? "normal",
      refresh: options.refresh ?? true,
      replace: new Set(options.replace),
      parallelism,
      environment: options.environment ?? process.env,
      observe: options.observe ?? (() => undefined),
      stop: options.stop ?? never,
      abort: options.abort ?? never,
    },
    limit: new Limit(parallelism),
    configuration,
    dependencies: new Dependencies(configuration),
    runs: new Map(opened.map(({ run }) => [run.name, run])),
  };
}

/** Locks and reads the states of all stacks. After an error no lock is held. */
async function openStacks(
  { contexts }: Loaded,
  { operation = "plan", lockWaitMs = 0 }: PlanOptions,
): Promise<{ opened: readonly OpenStack[]; diagnostics: readonly Diagnostic[] }> {
  const diagnostics: Diagnostic[] = [];
  const locks: Lock[] = [];
  const opened = await Promise.all(
    [...contexts.values()].map(async (context): Promise<OpenStack[]> => {
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
  return { opened: [], diagnostics: [...diagnostics, ...(await releaseAll(locks))] };
}

async function openJournals(opened: readonly OpenStack[]): Promise<ReadonlyMap<string, Journal>> {
  const journals = new Map<string, Journal>();
  await Promise.all(
    opened.map(async ({ run, backend }) => {
      if (!needsJournal(run)) return;
      const { journal, diagnostics } = await backend.journal();
      run.report(diagnostics);
      if (journal) journals.set(run.name, journal);
      else if (!hasErrors(diagnostics)) {
        const where = { address: backend.location };
        run.report([errorAt(where, "Journal cannot be written", "There is no journal.")]);
      }
    }),
  );
  return journals;
}

async function releaseAll(locks: readonly Lock[]): Promise<readonly Diagnostic[]> {
  return (await Promise.all(locks.map((lock) => lock.release()))).flat();
}
