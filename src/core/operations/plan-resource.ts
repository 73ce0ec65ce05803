import { isAlike, onceForPairs } from "../alike";
import type {
  ModifyPlanRequest,
  ModifyPlanResult,
  Resource,
} from "../definitions/resource-definition";
import { hasErrors, type Diagnostic } from "../diagnostics";
import { configuredOnly, planObject, replacePaths, withoutComputed } from "../planning/pipeline";
import type { ObjectValue } from "../values";
import { diagnoseFailure, type Diagnose } from "../definitions/failure";
import type { PlannedObject, PlanRequest } from "./run-operation";
import { validateBlock } from "../schema/validate-attributes";

/** Plans one resource instance: validation, the planning steps, the resource's own changes. */
export async function planResource<C>(
  resource: Resource<C>,
  request: PlanRequest<C>,
  diagnose: Diagnose | undefined,
): Promise<PlannedObject> {
  const { prior, private: privateState } = request;
  const plan = { planned: prior, requiresReplace: [], private: privateState };
  const { connection } = request;
  const refusal =
    prior !== null && connection !== undefined
      ? resource.refuse?.(prior, privateState, connection)
      : undefined;
  if (refusal) return { ...plan, diagnostics: [refusal] };
  if (request.config === null) {
    const diagnostics = prior === null ? [] : (resource.planDestroy?.(prior, privateState) ?? []);
    return { ...plan, planned: null, diagnostics };
  }
  const config = configuredOnly(resource.attributes, request.config);
  const findings = await learnAndValidate(resource, config, request);
  if (hasErrors(findings)) return { ...plan, diagnostics: findings };
  const proposed = planObject(resource.attributes, config, prior);
  const {
    planned: modified,
    displaced,
    diagnostics = [],
  } = await modifyPlan(
    resource,
    {
      ...request,
      config,
      planned: proposed,
    },
    diagnose,
  );
  const planned = prior ? unlessAlike(prior, modified) : modified;
  return {
    planned,
    requiresReplace: prior === null ? [] : replacePaths(resource.attributes, prior, planned),
    ...(displaced && { displaced }),
    private: privateState,
    diagnostics: [...findings, ...diagnostics],
  };
}

/** Returns the prior object in place of the same plan: what follows compares them many times. */
const unlessAlike = onceForPairs((prior: ObjectValue, planned: ObjectValue) =>
  isAlike(prior, planned) ? prior : planned,
);

/** Validates the configuration, unless the engine has and the console adds nothing. */
async function learnAndValidate<C>(
  resource: Resource<C>,
  config: ObjectValue,
  { connection, signal, validated }: PlanRequest<C>,
): Promise<readonly Diagnostic[]> {
  const learned =
    connection !== undefined && (await resource.learn?.(connection, signal, { retry: false }));
  if (validated && !learned) return [];
  // Every engine validates before it plans, so findings are known.
  return validateBlock(resource, withoutComputed(resource.attributes, config), connection).filter(
    ({ isFinding }) => !isFinding,
  );
}

async function modifyPlan<C>(
  resource: Resource<C>,
  request: ModifyPlanRequest<C>,
  diagnose: Diagnose | undefined,
): Promise<ModifyPlanResult> {
  try {
    return (await resource.modifyPlan?.(request)) ?? { planned: request.planned };
  } catch (failure) {
    return { planned: request.planned, diagnostics: [diagnoseFailure(failure, diagnose)] };
  }
}
