import type { ExcludedStack } from "../../core/documents/excluded-stack";
import type { Loaded } from "../validation/load";
import { without } from "./exclude-stacks";
import { planningOf, type openStacks, type OpenStack, type PlanningOptions } from "./open-stacks";
import { storeKnownOutputs } from "./outputs";
import { planOpened } from "./plan-stacks";
import type { PlanScope } from "./request";

/**
 * Makes the plan that Terraform makes before a destroy, and never shows: a normal plan of the stacks
 * that have a state, or of the targets. It reads their objects and data, and updates their outputs.
 * The destroy plans with these, and reads no object again. Conditions that fail do not prevent a
 * destroy; any other error of this plan does. A stack without a target is planned as its state has it.
 */
export async function refreshFirst(
  loaded: Loaded,
  options: PlanningOptions,
  scope: PlanScope,
  { opened, read }: Pick<Awaited<ReturnType<typeof openStacks>>, "opened" | "read">,
  excluded: readonly ExcludedStack[],
): Promise<readonly OpenStack[]> {
  if (scope.mode !== "destroy" || !scope.refresh) return opened;
  const trial = without(opened, excluded).map((one) => ({ ...one, run: one.run.again() }));
  const nothing = () => undefined;
  const silent = { ...options, reached: nothing, stepped: nothing, planned: nothing };
  const normal = { ...scope, mode: "normal", isBeforeDestroy: true } as const;
  const planning = planningOf(loaded, silent, normal, trial, read);
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
