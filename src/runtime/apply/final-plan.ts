import { hasErrors, type Diagnostic } from "../../provider/diagnostics";
import { isWhollyKnown, type ObjectValue } from "../../provider/values";
import type { Conformed } from "../evaluation/conform";
import { errorAt } from "../config/located";
import { planByProvider } from "../plan/decide";
import { configureInstance } from "../plan/configure-instance";
import { ignoreChanges } from "../plan/ignore-changes";
import type { PreparedChange } from "../plan/prepared";
import type { StackRun } from "../plan/run";
import type { Target } from "../plan/target";
import type { Applying } from "./applying";
import { checkFinalPlan } from "./consistent";

/** What the plan was made from, where that was known; else the block evaluated anew. */
export function finalConfiguration(
  run: StackRun,
  change: PreparedChange,
  target: Target,
): Conformed {
  const { configured, surroundings } = change;
  const { config } = target;
  if (configured && isWhollyKnown(configured.value)) return configured;
  if (!config) throw new Error(`${change.change.address} has no configuration`);
  return configureInstance(run, target, config, surroundings);
}

export interface FinalPlan {
  readonly config: ObjectValue;
  readonly planned: ObjectValue | null;
  readonly diagnostics: readonly Diagnostic[];
}

/** The plan, made again where more is known than when it was reviewed; it must not differ else. */
export async function finalPlan(
  { planning: { options } }: Applying,
  change: PreparedChange,
  target: Target,
  configured: Conformed,
  before: ObjectValue | null,
): Promise<FinalPlan> {
  const { prior, planned: reviewed } = change;
  const { attributes } = target.schema;
  const ignored = target.config?.lifecycle.ignoreChanges ?? [];
  const config =
    before !== null
      ? ignoreChanges(attributes, configured.value, before, ignored)
      : configured.value;
  if (change.target.connection !== undefined && configured === change.configured) {
    return { config, planned: reviewed, diagnostics: [] };
  }
  const { planned, requiresReplace, diagnostics } = await planByProvider(target, options.abort, {
    prior: before,
    config,
    private: before === null ? {} : (prior?.private ?? {}),
    validated: config === configured.value && configured !== change.configured,
  });
  if (!planned || hasErrors(diagnostics)) return { config, planned: null, diagnostics };
  const { address } = change.change;
  const replaced = requiresReplace.length > 0 && before !== null;
  return {
    config,
    planned,
    diagnostics: [
      ...diagnostics,
      ...checkFinalPlan(reviewed, planned, address),
      ...(replaced ? [mustBeReplaced(target, address)] : []),
    ],
  };
}

function mustBeReplaced({ where }: Target, address: string): Diagnostic {
  return errorAt(
    where,
    "Provider produced inconsistent final plan",
    `With the values learned during apply, ${address} could no longer be updated in place. Nothing was done to it: plan again.`,
  );
}
