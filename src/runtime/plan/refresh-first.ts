import type { ExcludedStack } from "../../core/documents/excluded-stack";
import { keepIncluded } from "./exclude-stacks";
import { planningOf, type OpenedStacks, type OpenStack, type PlanningRequest } from "./open-stacks";
import { storeKnownOutputs } from "./outputs";
import { planOpened } from "./plan-stacks";

/**
 * Makes the plan that Terraform makes before a destroy, and never shows: a normal plan of the stacks
 * that have a state, or of the targets. It reads their objects and data, and updates their outputs.
 * The destroy plans with these, and reads no object again. Conditions that fail do not prevent a
 * destroy; any other error of this plan does. A stack without a target is planned as its state has it.
 */
export async function refreshFirst(
  request: PlanningRequest,
  { opened, read }: OpenedStacks,
  excluded: readonly ExcludedStack[],
): Promise<readonly OpenStack[]> {
  const { scope, options } = request;
  if (scope.mode !== "destroy" || !scope.refresh) return opened;
  const trial = keepIncluded(opened, excluded).map((one) => ({ ...one, run: one.run.again() }));
  const nothing = () => undefined;
  const planning = planningOf(
    {
      ...request,
      options: { ...options, reached: nothing, stepped: nothing, planned: nothing },
      scope: { ...scope, mode: "normal", isBeforeDestroy: true },
    },
    { opened: trial, read },
  );
  await planOpened(planning);
  const { selection } = planning;
  const covered = selection && new Set([...selection.nodes].map(({ stack }) => stack));
  await Promise.all(trial.map(({ run }) => run.ephemerals.close()));
  return opened.map((one) => {
    const tried = planning.runs.get(one.run.name);
    if (!tried || covered?.has(tried.name) === false) return one;
    const errors = tried.diagnostics.filter(({ severity }) => severity === "error");
    one.run.report(errors);
    if (errors.length > 0) return one;
    storeKnownOutputs(tried);
    return { ...one, run: one.run.refreshedBy(tried) };
  });
}
