import { hasErrors, type Diagnostic } from "../../core/diagnostics";
import { isWhollyKnown, type ObjectValue } from "../../core/values";
import type { Conformed } from "../evaluation/conform";
import { errorAt } from "../config/located";
import { effectiveConfiguration, planByProvider } from "../plan/decide";
import { configureInstance } from "../plan/configure-instance";
import type { PlannedInstance } from "../plan/planned-instance";
import type { StackRun } from "../plan/run";
import type { Target } from "../plan/target";
import { surroundingsOf, type Applying } from "./applying";
import { checkFinalPlan } from "./consistent";

/** Returns the configuration of the plan if it was known, else evaluates the block again. */
export function finalConfiguration(
  run: StackRun,
  change: PlannedInstance,
  target: Target,
): Conformed {
  const { configured } = change;
  const { config } = target;
  if (configured && isWhollyKnown(configured.value)) return configured;
  if (!config) throw new Error(`${change.change.address} has no configuration`);
  const again = configureInstance(run, target, config, surroundingsOf(run, change));
  const { marks } = effectiveConfiguration(target, again, change.prior);
  return { ...again, marks };
}

export interface FinalPlan {
  readonly planned: ObjectValue | null;
  readonly diagnostics: readonly Diagnostic[];
}

/** Plans again if more is known than at review. Nothing else may differ. */
export async function finalPlan(
  { planning: { options } }: Applying,
  change: PlannedInstance,
  target: Target,
  configured: Conformed,
  before: ObjectValue | null,
): Promise<FinalPlan> {
  const { prior, planned: reviewed } = change;
  if (change.target.connection !== undefined && configured === change.configured) {
    return { planned: reviewed, diagnostics: [] };
  }
  const existing = before === null ? undefined : prior;
  const { value: config } = effectiveConfiguration(target, configured, existing);
  const { planned, requiresReplace, diagnostics } = await planByProvider(target, options.abort, {
    prior: before,
    config,
    private: before === null ? {} : (prior?.private ?? {}),
    validated: config === configured.value && configured !== change.configured,
  });
  if (!planned || hasErrors(diagnostics)) return { planned: null, diagnostics };
  const { address } = change.change;
  const replaced = requiresReplace.length > 0 && before !== null;
  return {
    planned,
    diagnostics: [
      ...diagnostics,
      ...checkFinalPlan(reviewed, planned, address),
      ...(replaced ? [mustBeReplaced(target, address)] : []),
    ],
  };
}

/** Reports an argument that no value becomes known for. */
export function neverKnown({ where }: Target): Diagnostic {
  return errorAt(
    where,
    "Configuration contains unknown value",
    `An argument of ${where.address} is still unknown during the apply, so the object was not changed. In Terraform, a function such as format("%v", null) has no known result for null. Use another expression.`,
  );
}

function mustBeReplaced({ where }: Target, address: string): Diagnostic {
  return errorAt(
    where,
    "Provider produced inconsistent final plan",
    `With the values learned during apply, ${address} can no longer be updated in place. The object was not changed. Plan again.`,
  );
}
