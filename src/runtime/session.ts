import { hasErrors, type Diagnostic } from "../provider/diagnostics";
import { applyStacks, needsJournal } from "./apply/apply";
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
import type { ChangeCounts, StackPlan } from "./documents/plan";
import { planStacks, stackPlan } from "./plan/plan";
import { readRequest, replacesNothing, type PlanScope } from "./plan/request";
import { excludedMoves } from "./plan/selection";
import type { Planning, RunOptions, StackRun } from "./plan/run";
import { APPLIED_INCOMPLETE, matchesNothing } from "./plan/targets";
import type { SavedPlan } from "./saved-plan/model";
import { checkBasis, checkPlan, loadSaved } from "./saved-plan/resume";
import { savedPlan } from "./saved-plan/save";
import type { State } from "./state/state";

/** What a saved plan is resumed with. */
export type ResumeOptions = Omit<LoadOptions, "outDir" | "stacks"> &
  Omit<RunOptions, "recordedData">;

/** What must hold for a plan that was made before. */
interface Expectation {
  before(run: StackRun): readonly Diagnostic[];
  after(run: StackRun, plan: StackPlan): readonly Diagnostic[];
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
  /** What is about no stack in particular. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * A plan of one or more stacks, and the way to apply it. The stacks' states stay locked until
 * `close`, which must be called in any case.
 */
export class Session {
  /** `stop` came before the plan was complete. */
  readonly interrupted: boolean;
  private applied = false;
  private readonly plannedAt = new Date();

  private constructor(
    /** In the order of the assembly; none where something was wrong before planning. */
    readonly plans: readonly StackPlan[],
    /** All that was found, the plans' own diagnostics among them. */
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
   * Makes a saved plan again, to be applied: it has errors where the state, the console or what is
   * given for ephemeral variables is not what the plan was made from.
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

  /** Whether `apply` may be called: the plan is complete and nothing is wrong with it. */
  get applicable(): boolean {
    return (
      this.planning !== undefined &&
      !this.applied &&
      !this.interrupted &&
      !hasErrors(this.diagnostics)
    );
  }

  /** What the JSON of each plan is made of. Before `apply`, which changes what it is taken from. */
  documents(): readonly PlanDocument[] {
    if (this.applied) throw new Error("the plans are applied already");
    const runs = new Map(this.opened.map(({ run }) => [run.name, run]));
    return this.plans.flatMap((plan) => {
      const run = runs.get(plan.stack);
      return run ? [planDocument(run, plan, this.plannedAt)] : [];
    });
  }

  /**
   * The one plan, as a file keeps it: before `apply`, and only where the session is `applicable`.
   * Takes some tenths of a second for each ephemeral variable.
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
   * Does what the plans say, and stores the states whatever came of it. Once, and only where the
   * session is `applicable`.
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
            stack: run.name,
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

  /** Ends what providers have open and gives the locks back. */
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
