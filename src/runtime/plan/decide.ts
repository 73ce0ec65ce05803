import { hasErrors, type Diagnostic } from "../../core/diagnostics";
import { refereePlan } from "../../core/planning/referee";
import type { PlanRequest } from "../../core/operations/run-operation";
import { valuesEqual, type AttributePath, type ObjectValue } from "../../core/values";
import { isTainted, marksOf, type StoredObject } from "../evaluation/stored-objects";
import type { Target } from "./target";
import type { ActionReason, ResourceChange } from "../../core/documents/stack-plan";
import { samePaths, sensitivePaths } from "../evaluation/attributes";
import type { ConfiguredInstance, PlannedInstance } from "./planned-instance";
import { foundBeside } from "./refresh";

/** A configured object and its prior object in the state. */
export interface Deciding {
  readonly target: Target;
  readonly signal: AbortSignal;
  /** Evaluated and validated. */
  readonly configured: ConfiguredInstance;
  readonly prior: StoredObject | undefined;
  /** The reason to replace the object even if it need not be. */
  readonly replace?: ActionReason | undefined;
}

export interface ActionDecision {
  readonly action: "create" | "no-op" | "update" | "replace";
  readonly reason?: ActionReason;
  /** Null if the provider failed to plan. */
  readonly planned: ObjectValue | null;
  readonly replacePaths: readonly AttributePath[];
  /** See `ResourceChange.displaced`. */
  readonly displaced?: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Decides how the object becomes what is configured. */
export async function decide(request: Deciding): Promise<ActionDecision> {
  const { target, signal, prior, configured } = request;
  // A tainted object is planned as if it did not exist.
  const current = prior && !isTainted(prior) ? prior : undefined;
  const { value: config } = configured.effective;
  // Also for an object to replace: with it, providers recognize a replacement.
  const before = { private: prior?.private ?? {} };
  const first = await planByProvider(target, signal, {
    ...before,
    prior: current?.value ?? null,
    ...(prior && !current && { replaced: { ...before, state: prior.value } }),
    config,
    validated: config === configured.value,
  });
  if (!first.planned || hasErrors(first.diagnostics)) return failed(first.diagnostics);
  const { requiresReplace, ...found } = {
    ...first,
    planned: first.planned,
    replacePaths: [],
  };

  // Terraform's precedence where there are several reasons; a trigger is one of a new object, too.
  const { replace } = request;
  const triggered = replace === "replace_by_triggers" ? replace : undefined;
  if (!prior) return { action: "create", ...(triggered && { reason: triggered }), ...found };
  if (!current) {
    return { action: "replace", reason: triggered ?? "replace_because_tainted", ...found };
  }
  const reason =
    replace ?? (requiresReplace.length > 0 ? "replace_because_cannot_update" : undefined);
  if (reason === undefined) {
    return { action: valuesEqual(first.planned, current.value) ? "no-op" : "update", ...found };
  }
  // A new object has no prior values, so nothing is ignored, as in Terraform.
  const second = await planByProvider(target, signal, {
    ...before,
    prior: null,
    replaced: { ...before, state: current.value },
    config: configured.value,
    validated: true,
  });
  if (!second.planned || hasErrors(second.diagnostics)) return failed(second.diagnostics);
  return {
    action: "replace",
    reason,
    planned: second.planned,
    replacePaths: requiresReplace,
    diagnostics: second.diagnostics,
  };
}

/** Returns the change of an instance that was decided. */
export function changeOf(
  instance: Omit<PlannedInstance, "change">,
  { action, reason, replacePaths, displaced }: ActionDecision,
): ResourceChange {
  const { target, prior, planned, configured, createBeforeDestroy } = instance;
  const { attributes } = target.schema;
  const beforeSensitive = prior ? sensitivePaths(attributes, prior.value, marksOf(prior)) : [];
  const afterSensitive = sensitivePaths(attributes, planned, configured?.effective.marks);
  // The state records sensitivity, so a change of it is an update, as in Terraform.
  const isMarkedAnew = action === "no-op" && !samePaths(beforeSensitive, afterSensitive);
  const replacement = createBeforeDestroy ? "create-then-delete" : "delete-then-create";
  const others = prior && target.provider.others(target.type, prior.private);
  // An object that does not change is the collection, unless there are unmanaged entries.
  const isCollection = action === "no-op" && (others ?? []).length === 0;
  const destroyed = action === "replace" ? (prior ?? null) : null;
  return {
    ...target.described,
    action: isMarkedAnew ? "update" : action === "replace" ? replacement : action,
    ...(reason && { reason }),
    before: prior?.value ?? null,
    after: planned,
    beforeSensitive,
    afterSensitive,
    replacePaths,
    ...(displaced && { displaced }),
    ...(others && { others }),
    ...(!isCollection && foundBeside(target, destroyed)),
  };
}

/** Plans an object by its provider, and checks that the plan is valid. */
export async function planByProvider(
  { provider, type, schema, connection }: Target,
  signal: AbortSignal,
  request: Pick<PlanRequest<unknown>, "prior" | "private" | "replaced" | "validated"> & {
    readonly config: ObjectValue;
  },
) {
  const { prior, config } = request;
  const answer = await provider.plan(type, { ...request, connection, signal });
  const { planned, requiresReplace, displaced, diagnostics } = answer;
  const wrong =
    planned && !hasErrors(diagnostics)
      ? refereePlan(schema.attributes, prior, config, planned)
      : [];
  return {
    planned,
    requiresReplace,
    ...(displaced && { displaced }),
    diagnostics: [...diagnostics, ...wrong],
  };
}

function failed(diagnostics: readonly Diagnostic[]): ActionDecision {
  return { action: "no-op", planned: null, replacePaths: [], diagnostics };
}
