import { error, formatPath, hasErrors, type Diagnostic } from "../../core/diagnostics";
import { deviations } from "../../core/planning/referee";
import type { Attributes } from "../../core/schema/attribute";
import { isWhollyKnown, type ObjectValue, type Value } from "../../core/values";
import { marked, type StoredObject } from "../evaluation/stored-objects";
import { answered } from "../evaluation/provider-diagnostics";
import { errorAt, locate } from "../../language";
import { configureInstance } from "../plan/configure-instance";
import { planByProvider } from "../plan/decide";
import type { ConfiguredInstance, PlannedInstance } from "../plan/planned-instance";
import type { StackRun } from "../plan/run";

/** An instance whose plan was completed with the values known during the apply. */
export interface FinalInstance extends PlannedInstance {
  /** The object to update; undefined for a new one. */
  readonly prior: StoredObject | undefined;
  readonly configured: ConfiguredInstance;
  readonly planned: ObjectValue;
}

/**
 * Plans an instance again if more is known than at review. Nothing else may differ.
 *
 * @param planned The instance as it was planned.
 * @param present The same one with the present configuration of its provider.
 */
export async function finalPlan(
  run: StackRun,
  planned: PlannedInstance,
  present: PlannedInstance,
  signal: AbortSignal,
): Promise<{ final?: FinalInstance; diagnostics: readonly Diagnostic[] }> {
  const { change, target, surroundings, configured, planned: reviewed } = present;
  const prior = change.action === "update" ? present.prior : undefined;
  const isKnown = configured !== undefined && isWhollyKnown(configured.value);
  if (isKnown && reviewed && planned.target.connection !== undefined) {
    const final = { ...present, prior, configured, planned: reviewed };
    return { final, diagnostics: configured.diagnostics };
  }
  const again = isKnown ? configured : configureInstance(run, target, surroundings, present.prior);
  if (hasErrors(again.diagnostics)) return again;
  // A new object has no prior values, so nothing is ignored.
  const { value: config } = prior ? again.effective : again;
  const answer = await planByProvider(target, signal, {
    prior: prior?.value ?? null,
    config,
    private: prior?.private ?? {},
    validated: config === again.value && !isKnown,
  });
  const answers = answered(answer.diagnostics, target.where, again, prior && marked(prior));
  const found = [...again.diagnostics, ...answers];
  if (!answer.planned || hasErrors(answer.diagnostics)) return { diagnostics: found };
  const differences = [
    ...checkFinalPlan(reviewed, answer.planned, change.address, target.schema.attributes),
    ...(prior && answer.requiresReplace.length > 0 ? [mustBeReplaced(change.address)] : []),
  ];
  found.push(...locate(differences, target.where));
  if (differences.length > 0) return { diagnostics: found };
  const final = { ...present, prior, configured: again, planned: answer.planned };
  return { final, diagnostics: found };
}

/** Reports an argument that no value becomes known for. */
export function neverKnown({ target: { where } }: PlannedInstance): Diagnostic {
  return errorAt(
    where,
    "Configuration contains unknown value",
    `An argument of ${where.address} is still unknown during the apply, so the object was not changed. In Terraform, a function such as format("%v", null) has no known result for null. Use another expression.`,
  );
}

function mustBeReplaced(address: string): Diagnostic {
  return error(
    "Provider produced inconsistent final plan",
    `With the values learned during apply, ${address} can no longer be updated in place. The object was not changed. Plan again.`,
  );
}

/**
 * Checks that a plan that was made again with all values known is the reviewed one: only values that
 * were unknown may differ.
 */
export function checkFinalPlan(
  reviewed: Value,
  final: Value,
  address: string,
  attributes: Attributes,
): readonly Diagnostic[] {
  return deviations(reviewed, final, { kind: "object", attributes }).map((path) =>
    error(
      "Provider produced inconsistent final plan",
      `When expanding the plan for ${address} to include new values learned so far during apply, "${formatPath(path)}" became another value than the planned one. The object was not changed. Plan again.`,
      path,
    ),
  );
}
