import { hasErrors, type Diagnostic } from "../../provider/diagnostics";
import { refereePlan } from "../../provider/planning/referee";
import type { PlanRequest } from "../../provider/operations/run-operation";
import { valuesEqual, type AttributePath, type ObjectValue } from "../../provider/values";
import type { Lifecycle } from "../config/stack-config";
import type { ExistingObject } from "./prepared";
import type { Target } from "./target";
import { ignoreChanges } from "./ignore-changes";
import type { ActionReason } from "../documents/stack-plan";

/** A configured object and its prior object in the state. */
export interface Deciding {
  readonly target: Target;
  readonly signal: AbortSignal;
  /** Evaluated and validated. */
  readonly config: ObjectValue;
  readonly ignored: Lifecycle["ignoreChanges"];
  readonly prior: ExistingObject | undefined;
  /** The reason to replace the object even if it need not be. */
  readonly replace?: ActionReason | undefined;
}

export interface Decision {
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
export async function decide(request: Deciding): Promise<Decision> {
  const { target, signal, prior, ignored } = request;
  // A tainted object is planned as if it did not exist, without its `ignore_changes`.
  const current = prior && !prior.tainted ? prior : undefined;
  const config = current
    ? ignoreChanges(target.schema.attributes, request.config, current.current, ignored)
    : request.config;
  // Also for an object to replace: with it, providers recognize a replacement.
  const before = { private: prior?.private ?? {} };
  const first = await planByProvider(target, signal, {
    ...before,
    prior: current?.current ?? null,
    config,
    validated: config === request.config,
  });
  if (!first.planned || hasErrors(first.diagnostics)) return failed(first.diagnostics);
  const { requiresReplace, ...found } = { ...first, planned: first.planned, replacePaths: [] };

  if (!prior) return { action: "create", ...found };
  if (!current) return { action: "replace", reason: "replace_because_tainted", ...found };
  const reason = requiresReplace.length > 0 ? "replace_because_cannot_update" : request.replace;
  if (reason === undefined) {
    return { action: valuesEqual(first.planned, current.current) ? "no-op" : "update", ...found };
  }
  // A new object has no prior values, so nothing is ignored, as in Terraform.
  const second = await planByProvider(target, signal, {
    ...before,
    prior: null,
    config: request.config,
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

/** Plans an object by its provider, and checks that the plan is valid. */
export async function planByProvider(
  { provider, type, schema, connection }: Target,
  signal: AbortSignal,
  request: Pick<PlanRequest<unknown>, "prior" | "private" | "validated"> & {
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

function failed(diagnostics: readonly Diagnostic[]): Decision {
  return { action: "no-op", planned: null, replacePaths: [], diagnostics };
}
