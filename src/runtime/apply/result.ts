import type { Diagnostic } from "../../core/diagnostics";
import { refereeResult } from "../../core/planning/referee";
import { valuesEqual, type ObjectValue } from "../../core/values";
import { samePaths, sensitivePaths, toEvaluated, unknownObject } from "../evaluation/attributes";
import type { Conformed } from "../evaluation/conform";
import { errorAt, locate } from "../config/located";
import { meetsPostconditions } from "../plan/conditions";
import type { PlannedInstance } from "../plan/planned-instance";
import { marksOf } from "../plan/refresh";
import type { StackRun } from "../plan/run";
import type { Target } from "../plan/target";
import type { InstanceState } from "../../core/documents/state";
import { recordInstance, surroundingsOf, type Applying, type InstanceEntry } from "./applying";

/**
 * Reports whether an update changes nothing after all. Terraform then leaves the object in the state
 * as it is, also the dependencies that it had before.
 */
export function isUnchanged(
  { change: { action }, prior }: PlannedInstance,
  { schema: { attributes } }: Target,
  planned: ObjectValue,
  { marks }: Conformed,
): boolean {
  if (action !== "update" || !prior || !valuesEqual(prior.value, planned)) return false;
  const before = sensitivePaths(attributes, prior.value, marksOf(prior));
  return samePaths(before, sensitivePaths(attributes, planned, marks));
}

/** Checks the result against the plan. */
export function verify(
  { where }: Target,
  planned: ObjectValue,
  state: ObjectValue | null,
): readonly Diagnostic[] {
  if (state === null) {
    return [
      errorAt(
        where,
        "Provider produced inconsistent result after apply",
        `The provider reported success, but ${where.address} does not exist. This is a bug in the provider: please report it.`,
      ),
    ];
  }
  return locate(refereeResult(planned, state), where);
}

/** Stores the resulting object in state and journal. */
export async function settle(
  applying: Applying,
  run: StackRun,
  change: PlannedInstance,
  { instance: at, providerAddress }: Target,
  instance: InstanceState | null,
): Promise<boolean> {
  const recorded = (...entries: readonly InstanceEntry[]) =>
    recordInstance(applying, run, change, providerAddress, ...entries);
  if (instance) {
    run.state.set(at, providerAddress, instance);
    return recorded({ instance });
  }
  run.state.remove(at);
  const deposed = applying.deposed.get(change);
  const aside = deposed === undefined ? undefined : run.state.find(at, deposed);
  if (deposed === undefined || !aside) return recorded({ instance: null });
  // It was not replaced, so the old object is the current one again.
  const restored: InstanceState = { ...aside, deposed: undefined };
  run.state.remove(at, deposed);
  run.state.set(at, providerAddress, restored);
  return recorded({ instance: restored }, { deposed, instance: null });
}

export function accept(
  { values }: Applying,
  run: StackRun,
  change: PlannedInstance,
  { schema, where, config }: Target,
  { marks }: Conformed,
  state: ObjectValue,
): boolean {
  const sensitive = sensitivePaths(schema.attributes, state, marks);
  const self = toEvaluated(schema.attributes, state, sensitive);
  values.set(change, self);
  return !config || meetsPostconditions(run, config, where, surroundingsOf(run, change), self);
}

/** Evaluates the postconditions of an object that could not be changed, as Terraform does. */
export function checkFailed(
  run: StackRun,
  change: PlannedInstance,
  { schema: { attributes }, where, config }: Target,
  { marks }: Conformed,
  current: ObjectValue | null,
): void {
  if (!config) return;
  const self = current
    ? toEvaluated(attributes, current, sensitivePaths(attributes, current, marks))
    : unknownObject(attributes);
  meetsPostconditions(run, config, where, surroundingsOf(run, change), self);
}
