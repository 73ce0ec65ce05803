import { hasErrors, type Diagnostic } from "../provider/diagnostics";
import { applyStacks, needsJournal } from "./apply/apply-stacks";
import type { Journal } from "./backends/backend";
import { errorAt } from "./config/located";
import { Limit } from "./graph/limit";
import { loadStacks, type Loaded, type LoadOptions } from "./validation/load";
import {
  closeStacks,
  openStacks,
  planningOf,
  type OpenStack,
  type PlanOptions,
} from "./plan/open-stacks";
import type { PlanDocument } from "./documents/plan-document";
import { planDocument } from "./plan/document";
import { planIdentity, type ChangeCounts, type StackPlan } from "./documents/stack-plan";
import { planStacks, stackPlan } from "./plan/plan-stacks";
import { readRequest, replacesNothing, type PlanScope } from "./plan/request";
import { excludedMoves } from "./plan/selection";
import type { Planning, RunOptions, StackRun } from "./plan/run";
import { APPLIED_INCOMPLETE, matchesNothing } from "./plan/targets";
import { savedPlan, type SavedPlan } from "./saved-plan/save";
import { checkBasis, checkPlan, loadSaved } from "./saved-plan/resume";
import type { State } from "./state/state";

/** The options to resume a saved plan. */
export type ResumeOptions = Omit<LoadOptions, "outDir" | "stacks"> &
  Omit<RunOptions, "recordedData">;

/** The checks of a plan that was made before. */
interface Expectation {
  before(run: StackRun): readonly Diagnostic[];
  after(run: StackRun, plan: StackPlan): readonly Diagnostic[];
}

/** The result of an apply for one stack. */
export interface AppliedStack extends Pick<StackPlan, "stack" | "workspace"> {
  /** The completed changes, fewer than planned if something failed. */
  readonly counts: ChangeCounts;
  /** The stored state; undefined if it could not be written. */
  readonly state: State | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

export interface ApplyResult {
  readonly stacks: readonly AppliedStack[];
  /** True if `stop` was aborted before all was done. */
  readonly interrupted: boolean;
  /** Diagnostics that belong to no stack. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * A plan of one or more stacks that can be applied. The states of the stacks are locked until
 * `close`, which must always be called.
 */
export class Session {
  /** True if `stop` was aborted before the plan was complete. */
  readonly interrupted: boolean;
  private applied = false;
  private readonly plannedAt = new Date();

  private constructor(
    /** In the order of the assembly; empty after an error before planning. */
    readonly plans: readonly StackPlan[],
    /** All diagnostics, with those of the plans. */
    readonly diagnostics: readonly Diagnostic[],
    private readonly opened: readonly OpenStack[] = [],
    private readonly planning?: Planning,
    private readonly scope?: PlanScope,
  ) {
    this.interrupted = planning?.options.stop.aborted ?? false;
  }

  /** Loads, validates, locks, reads the states and plans. Writes nothing. */
  static async plan(options: PlanOptions): Promise<Session> {
    const { scope, diagnostics: requested } = readRequest(options);
    if (hasErrors(requested)) return new Session([], requested);
    const { loaded, diagnostics } = await loadStacks(options);
    if (!loaded) return new Session([], diagnostics);
    return Session.planLoaded(loaded, scope, options, [...diagnostics, ...requested]);
  }

  /**
   * Plans a saved plan again, to apply it. It has errors if the state, the console or an ephemeral
   * variable has changed since.
   */
  static async resume(saved: SavedPlan, options: ResumeOptions): Promise<Session> {
    const { scope, diagnostics: requested } = readRequest(saved.request);
    const { loaded, diagnostics } = await loadSaved(saved, options);
    if (!loaded) return new Session([], diagnostics);
    const found = [...diagnostics, ...requested];
    const recorded = { ...options, recordedData: saved.data };
    return Session.planLoaded(loaded, scope, recorded, found, {
      before: (run) => checkBasis(saved, run),
      after: (run, plan) => checkPlan(saved, run, plan),
    });
  }

  private static async planLoaded(
    loaded: Loaded,
    scope: PlanScope,
    options: RunOptions,
    diagnostics: readonly Diagnostic[],
    expectation?: Expectation,
  ): Promise<Session> {
    const { opened, diagnostics: problems } = await openStacks(loaded, options);
    const planning = planningOf(loaded, options, scope, opened);
    const { selection, runs } = planning;
    const found = [
      ...problems,
      ...(selection ? excludedMoves(runs.values(), scope.targets) : []),
      ...opened.flatMap(({ run }) => expectation?.before(run) ?? []),
    ];
    if (hasErrors(found)) return new Session([], [...diagnostics, ...found], opened);
    found.push(...(selection?.unmatched ?? []).map(matchesNothing));
    await planStacks(planning);
    const plans = opened.map(({ run }) => stackPlan(planning, run));
    found.push(...plans.flatMap((plan) => plan.diagnostics));
    if (!hasErrors(found)) found.push(...replacesNothing(scope, plans));
    if (expectation && !hasErrors(found) && !planning.options.stop.aborted) {
      const pairs = opened.map(({ run }, index) => [run, plans[index]] as const);
      found.push(...pairs.flatMap(([run, plan]) => (plan ? expectation.after(run, plan) : [])));
    }
    return new Session(plans, [...diagnostics, ...found], opened, planning, scope);
  }

  /** True if `apply` may be called: the plan is complete and has no errors. */
  get applicable(): boolean {
    return (
      this.planning !== undefined &&
      !this.applied &&
      !this.interrupted &&
      !hasErrors(this.diagnostics)
    );
  }

  /** Returns the plan documents. Call it before `apply`, which changes their sources. */
  documents(): readonly PlanDocument[] {
    if (this.applied) throw new Error("the plans are applied already");
    const runs = new Map(this.opened.map(({ run }) => [run.name, run]));
    return this.plans.flatMap((plan) => {
      const run = runs.get(plan.stack);
      return run ? [planDocument(run, plan, this.plannedAt)] : [];
    });
  }

  /**
   * Returns the only plan in the form of a file. Call it before `apply`, and only if the session is
   * `applicable`. Takes some tenths of a second for each ephemeral variable.
   */
  async save(): Promise<SavedPlan> {
    const [document, ...others] = this.documents();
    const run = this.opened[0]?.run;
    if (!document || !run || !this.scope || others.length > 0 || !this.applicable) {
      throw new Error("there is not one plan that can be saved");
    }
    return savedPlan(run, document, this.scope);
  }

  /**
   * Executes the plans and stores the states, regardless of errors. May be called once, and only if
   * the session is `applicable`.
   */
  async apply(): Promise<ApplyResult> {
    if (!this.planning || !this.applicable) throw new Error("there is no plan that can be applied");
    this.applied = true;
    const { planning, opened } = this;
    const before = new Map(opened.map(({ run }) => [run, run.diagnostics.length]));
    const planned = new Set(this.diagnostics.map((diagnostic) => JSON.stringify(diagnostic)));
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
            ...planIdentity(run.context.config),
            counts: applied?.get(run.name) ?? NOTHING_DONE,
            state: written.state,
            // Warnings of the plan are not repeated.
            diagnostics: run.diagnostics
              .slice(before.get(run))
              .filter((diagnostic) => !planned.has(JSON.stringify(diagnostic))),
          };
        }),
      ),
    );
    return {
      stacks,
      interrupted: planning.options.stop.aborted,
      diagnostics: planning.selection ? [APPLIED_INCOMPLETE] : [],
    };
  }

  /** Closes ephemeral resources and providers, and releases the locks. */
  async close(): Promise<readonly Diagnostic[]> {
    return closeStacks(this.opened);
  }
}

const NOTHING_DONE: ChangeCounts = { import: 0, add: 0, change: 0, destroy: 0 };

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
