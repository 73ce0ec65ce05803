import { hasErrors, type Diagnostic } from "../core/diagnostics";
import { applyGraph, stacksAwaited } from "./apply/apply-graph";
import { OpenedApply } from "./apply/apply-opened";
import type { AppliedStack, Pace } from "./apply/pace";
import type { ApplyNode } from "./apply/steps";
import { dependentsLeft } from "./validation/dependents-left";
import { loadStacks, type LoadOptions } from "./validation/load";
import { closeStacks, type OpenStack, type PlanOptions } from "./plan/open-stacks";
import type { ExcludedStack } from "../core/documents/excluded-stack";
import { Graph } from "./graph/graph";
import type { StackFaults } from "./graph/stack-order";
import type { PlanDocument } from "../core/documents/plan-document";
import type { StateMark } from "../core/documents/run-record";
import { emptyState } from "../core/documents/state";
import { type BackendDescription, describeBackend } from "../language";
import { planDocument } from "./plan/document";
import type { StackPlan } from "../core/documents/stack-plan";
import { planLoaded, type LoadedPlans, type PlannedSession } from "./plan/plan-loaded";
import { isPartial, readRequest } from "./plan/request";
import { markOf, runMarks, type TextStore } from "../backends";
import type { EngineRunOptions, StackRun } from "./plan/run";
import { APPLIED_INCOMPLETE } from "./plan/targets";
import type { SavedPlans } from "./saved-plan/save";

/** The options to resume saved plans. */
export interface ResumeOptions
  extends Omit<LoadOptions, "outDir" | "stacks">, Omit<EngineRunOptions, "recordedData"> {
  /** Errors that keep single stacks from being applied. */
  readonly faults?: StackFaults;
}

/** The state of a stack before a run, and where it is. */
export interface StackOrigin {
  readonly state: StateMark;
  readonly workspace: string;
  readonly backend: BackendDescription;
}

export interface ApplyResult {
  /** The stacks that were started. */
  readonly stacks: readonly AppliedStack[];
  /** The stacks that were not started, because of their pace or of `stop`. They are unchanged. */
  readonly skipped: readonly string[];
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
  /** In the order of the assembly, without excluded stacks; empty after an error before planning. */
  readonly plans: readonly StackPlan[];
  /** The stacks that failed, and those that depend on them. The other plans can be applied. */
  readonly excluded: readonly ExcludedStack[];
  /** All diagnostics, with those of the plans and of excluded stacks. */
  readonly diagnostics: readonly Diagnostic[];
  /** True if `stop` was aborted before the plan was complete. */
  readonly interrupted: boolean;
  private applied = false;
  private graph: Graph<ApplyNode> | undefined;

  /** Diagnostics of the whole run. With an error there are no plans. */
  readonly problems: readonly Diagnostic[];
  private readonly opened: readonly OpenStack[];
  private readonly planned: PlannedSession | undefined;

  private constructor({ problems, opened = [], planned }: LoadedPlans) {
    const { plans = [], excluded = [], planning } = planned ?? {};
    this.problems = problems;
    this.opened = opened;
    this.planned = planned;
    this.plans = plans;
    this.excluded = excluded;
    this.diagnostics = [
      ...problems,
      ...[...plans, ...excluded].flatMap(({ diagnostics }) => diagnostics),
    ];
    this.interrupted = planning?.options.stop.aborted ?? false;
  }

  /** A session of no stacks. */
  static empty(): Session {
    return new Session({ problems: [] });
  }

  /** Loads, validates, locks, reads the states and plans. Writes nothing. */
  static async plan(options: PlanOptions): Promise<Session> {
    const { scope, diagnostics: requested } = readRequest(options);
    if (hasErrors(requested)) return new Session({ problems: requested });
    const isGuarded = scope.mode === "destroy" && !options.ignoreMissingStackDependencies;
    const left = isGuarded ? await dependentsLeft(options) : [];
    if (hasErrors(left)) return new Session({ problems: left });
    const { loaded, diagnostics } = await loadStacks({
      ...options,
      partial: isPartial(scope),
    });
    if (!loaded) return new Session({ problems: diagnostics });
    const found = [...diagnostics, ...requested];
    return new Session(await planLoaded({ loaded, scope, options, diagnostics: found }));
  }

  /**
   * Plans the stacks of saved plans again, to apply them. A stack is excluded if its state, its
   * console or an ephemeral variable has changed since.
   */
  static async resume(saved: SavedPlans, options: ResumeOptions): Promise<Session> {
    const [first] = saved.plans;
    if (!first) return Session.empty();
    // The plans of a file are made by one request.
    const { scope, diagnostics: requested } = readRequest(first.request);
    const { checkBasis, checkPlan, loadSaved } = await import("./saved-plan/resume.js");
    const { loaded, diagnostics } = await loadSaved(saved, {
      ...options,
      partial: isPartial(scope),
    });
    if (!loaded) return new Session({ problems: diagnostics });
    const faults = new Map([...loaded.faults, ...(options.faults ?? [])]);
    const plans = new Map(saved.plans.map((plan) => [plan.stack.name, plan]));
    const savedOf = ({ name }: StackRun) => {
      const plan = plans.get(name);
      if (!plan) throw new Error(`there is no saved plan of stack ${name}`);
      return plan;
    };
    const recordedData = new Map(saved.plans.map(({ stack, data }) => [stack.name, data]));
    return new Session(
      await planLoaded({
        loaded: { ...loaded, faults },
        scope,
        options: { ...options, recordedData, plannedAt: first.document.timestamp },
        diagnostics: [...diagnostics, ...requested],
        expectation: {
          before: (run) => checkBasis(savedOf(run), run),
          after: (run, plan) => checkPlan(savedOf(run), run, plan),
          outputs: (run) => savedOf(run).document.plan.outputs,
        },
      }),
    );
  }

  /** True if `apply` may be called: at least one plan is complete, and the run has no errors. */
  get applicable(): boolean {
    return (
      this.planned?.isApplicable === true &&
      !this.applied &&
      !this.interrupted &&
      !hasErrors(this.problems)
    );
  }

  /** Returns the plan documents. Call it before `apply`, which changes their sources. */
  documents(): readonly PlanDocument[] {
    if (this.applied) throw new Error("the plans are applied already");
    const runs = new Map(this.opened.map(({ run }) => [run.name, run]));
    return this.plans.flatMap((plan) => {
      const run = runs.get(plan.stack);
      return run && this.planned
        ? [planDocument(run, plan, this.planned.planning.options.plannedAt)]
        : [];
    });
  }

  /**
   * Returns the plans in the form of a file. Call it before `apply`. Takes some tenths of a second
   * for each value of an ephemeral variable, up to eight.
   */
  async save(): Promise<SavedPlans> {
    const { planned } = this;
    if (!planned) return { plans: [], seals: [], providers: { salt: "", seals: [] } };
    const documents = this.documents().flatMap((document) => {
      const run = planned.planning.runs.get(document.plan.stack);
      return run ? [{ run, document }] : [];
    });
    const { savePlans } = await import("./saved-plan/save.js");
    return savePlans(documents, planned.scope);
  }

  /** The names of the ephemeral variables of all stacks. */
  get ephemeralVariables(): ReadonlySet<string> {
    const contexts = [...(this.planned?.contexts.values() ?? [])];
    const variables = contexts.flatMap(({ config }) => [...config.variables.values()]);
    return new Set(variables.flatMap(({ name, ephemeral }) => (ephemeral ? [name] : [])));
  }

  /**
   * Returns the stacks with steps that come after steps of others, each with these. The stacks of a
   * cycle start together.
   */
  awaited(): ReadonlyMap<string, ReadonlySet<string>> {
    return stacksAwaited(this.steps());
  }

  /**
   * Executes the plans. The state of a stack is stored when its last step is done, regardless of
   * errors. May be called once, and only if the session is `applicable`.
   */
  async apply(pace: Pace = {}): Promise<ApplyResult> {
    const { planned } = this;
    if (!planned || !this.applicable) throw new Error("there is no plan that can be applied");
    this.applied = true;
    const { planning } = planned;
    const opened = this.opened.filter(({ run }) => planning.runs.has(run.name));
    const warned = new Set(this.diagnostics.map((diagnostic) => JSON.stringify(diagnostic)));
    const applying = new OpenedApply(planned, opened, warned, pace);
    const { stacks, skipped } = await applying.run(this.steps());
    return {
      stacks,
      skipped: [...skipped],
      interrupted: planning.options.stop.aborted,
      diagnostics: planning.selection ? [APPLIED_INCOMPLETE] : [],
    };
  }

  /** Describes the state of a stack as it was read, for the record of a run. */
  origin(stack: string): StackOrigin | undefined {
    const { runs, options } = this.planned?.planning ?? {};
    const run = runs?.get(stack);
    if (!run || !options) return undefined;
    const { context, stored } = run;
    return {
      state: markOf(stored ?? emptyState()),
      workspace: context.config.workspace,
      backend: describeBackend(context.config, options.environment),
    };
  }

  /** Reports whether a recorded run has changed something of a stack before this session. */
  hasMarkOf(runId: string, stack: string): boolean {
    const stored = this.planned?.planning.runs.get(stack)?.stored;
    return stored !== undefined && runMarks(stored).some(({ run }) => run === runId);
  }

  /** Returns the store of a text next to the state of a stack, if that is on a server. */
  beside(stack: string, name: string): TextStore | undefined {
    const opened = this.opened.find(({ run }) => run.name === stack);
    return opened?.backend.beside?.(name);
  }

  /** Returns the steps of an apply with their order. */
  steps(): Graph<ApplyNode> {
    return (this.graph ??= this.planned ? applyGraph(this.planned.planning) : new Graph());
  }

  /** Closes ephemeral resources and providers, and releases the locks. */
  async close(): Promise<readonly Diagnostic[]> {
    return closeStacks(this.opened);
  }
}
