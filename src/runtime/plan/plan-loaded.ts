import { hasErrors, type Diagnostic } from "../../core/diagnostics";
import type { ExcludedStack } from "../../core/documents/excluded-stack";
import type { StackPlan } from "../../core/documents/stack-plan";
import { world } from "../../core/io/world";
import { unreadReasons } from "../evaluation/remote-state";
import type { StackFaults } from "../graph/stack-order";
import { mergedFaults, type Loaded } from "../validation/load";
import { excludeStacks, keepIncluded } from "./exclude-stacks";
import {
  closeStacks,
  openStacks,
  planningOf,
  type OpenedStacks,
  type OpenStack,
  type PlanningRequest,
} from "./open-stacks";
import { planOpened, stackPlan } from "./plan-stacks";
import { refreshFirst } from "./refresh-first";
import { replacesNothing, type PlanScope } from "./request";
import type { Planning, EngineRunOptions, StackRun } from "./run";
import { excludedMoves, selectTargets } from "./selection";
import { matchesNothing } from "./targets";

/** The checks of a plan that was made before. */
export interface Expectation {
  before(run: StackRun): readonly Diagnostic[];
  after(run: StackRun, plan: StackPlan): readonly Diagnostic[];
  /** Returns the outputs of the plan that was made before, which knows whose text is hidden. */
  outputs(run: StackRun): StackPlan["outputs"];
}

/** The plans of a session, with what an apply needs. */
export interface PlannedSession {
  readonly plans: readonly StackPlan[];
  readonly excluded: readonly ExcludedStack[];
  /** The contexts of all selected stacks. */
  readonly contexts: Loaded["contexts"];
  readonly scope: PlanScope;
  /** Without excluded stacks. */
  readonly planning: Planning;
  readonly isApplicable: boolean;
}

/** The end of planning. The opened stacks must be closed. */
export interface LoadedPlans {
  /** Diagnostics of the whole run. */
  readonly problems: readonly Diagnostic[];
  readonly opened?: readonly OpenStack[];
  /** Absent after an error of the whole run. */
  readonly planned?: PlannedSession;
}

interface LoadedRequest extends PlanningRequest {
  /** Those of loading, for the diagnostics of the run. */
  readonly diagnostics: readonly Diagnostic[];
  readonly expectation?: Expectation;
}

/** Opens and plans loaded stacks. Writes nothing. */
export async function planLoaded(
  given: Omit<LoadedRequest, "options"> & { readonly options: EngineRunOptions },
): Promise<LoadedPlans> {
  const plannedAt = given.options.plannedAt ?? world.clock.now();
  const request = { ...given, options: { ...given.options, plannedAt } };
  const opening = await openStacks(request.loaded, request.options);
  try {
    return await planOpening(request, opening);
  } catch (failure) {
    // The caller gets nothing that it could close.
    await closeStacks(opening.opened);
    throw failure;
  }
}

async function planOpening(request: LoadedRequest, opening: OpenedStacks): Promise<LoadedPlans> {
  const { loaded, scope, options, expectation } = request;
  const { contexts } = loaded;
  const faults = mergedFaults([loaded.faults, unreadableStates(request, opening), opening.faults]);
  for (const { run } of opening.opened) note(faults, run, expectation?.before(run));
  const excludedFirst = excludeStacks(contexts, faults, scope.mode);
  const opened = await refreshFirst(request, opening, excludedFirst);
  const left = keepIncluded(opened, excludedFirst);
  const planning = planningOf(request, { ...opening, opened: left });
  const { selection, runs } = planning;
  const moves = selection ? excludedMoves(runs.values(), scope.targets) : [];
  const ofRun = [...request.diagnostics, ...opening.diagnostics, ...moves];
  if (hasErrors(moves)) return { problems: ofRun, opened };
  const known = [...contexts.values()].flatMap(({ config }) => [...config.resources.keys()]);
  ofRun.push(...(selection?.unmatched ?? []).map((target) => matchesNothing(target, known)));

  if (!options.failFast || faults.size === 0) await planOpened(planning);
  const { stop } = planning.options;
  const plans = new Map<StackRun, StackPlan>();
  for (const { run } of left) {
    const plan = stackPlan(planning, run);
    plans.set(run, expectation ? { ...plan, outputs: expectation.outputs(run) } : plan);
    if (run.hasErrors) note(faults, run, run.diagnostics);
    else if (!stop.aborted) {
      note(faults, run, expectation?.after(run, plan));
      note(faults, run, await options.judge?.(plan));
    }
  }
  const excluded = excludeStacks(contexts, faults, scope.mode).map((one) =>
    loaded.faults.has(one.stack) ? { ...one, isInput: true as const } : one,
  );
  const included = new Map(keepIncluded(left, excluded).map(({ run }) => [run.name, run]));
  const shown = [...plans].flatMap(([run, plan]) => (included.has(run.name) ? [plan] : []));
  if (excluded.length === 0) ofRun.push(...replacesNothing(scope, shown));
  const planned = {
    plans: shown,
    excluded,
    contexts,
    scope,
    planning: { ...planning, runs: included },
    isApplicable: shown.length > 0 && !(options.failFast && excluded.length > 0),
  };
  return { problems: ofRun, opened, planned };
}

/**
 * The stacks that read a state which does not exist or cannot be read. Targets may not need it. A destroy
 * needs none without a refresh, and none for a stack without objects, which it does not refresh. A check
 * warns of its data source, and fails.
 */
function unreadableStates({ loaded, scope }: LoadedRequest, { opened }: OpenedStacks): StackFaults {
  const { configuration, contexts } = loaded;
  const { mode, refresh, targets } = scope;
  const runs = new Map(opened.map(({ run }) => [run.name, run]));
  const isNeeded = (stack: string) => mode !== "destroy" || (refresh && !runs.get(stack)?.isEmpty);
  const selection = targets.length > 0 && selectTargets(configuration, runs, mode, targets);
  const faults = new Map<string, readonly Diagnostic[]>();
  for (const node of selection ? selection.nodes : configuration.graph.nodes()) {
    if (node.kind !== "resource" || node.config.check || !isNeeded(node.stack)) continue;
    const instances = contexts.get(node.stack)?.remoteStates.get(node.address) ?? [];
    const reasons = unreadReasons(instances);
    if (reasons.length > 0) faults.set(node.stack, [...(faults.get(node.stack) ?? []), ...reasons]);
  }
  return faults;
}

/** Adds errors of a stack to its faults. */
function note(
  faults: Map<string, readonly Diagnostic[]>,
  { name }: StackRun,
  found: readonly Diagnostic[] = [],
): void {
  if (hasErrors(found)) faults.set(name, [...(faults.get(name) ?? []), ...found]);
}
