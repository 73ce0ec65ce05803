import type { PrivateState } from "../../provider/private-state";
import { hasErrors, type Diagnostic } from "../../provider/diagnostics";
import { refereePlan } from "../../provider/planning/referee";
import type { Provider } from "../../provider/provider";
import type { Attributes } from "../../provider/schema/attribute";
import { valuesEqual, type AttributePath, type ObjectValue } from "../../provider/values";
import type { Lifecycle } from "../config/stack-config";
import { ignoreChanges } from "./ignore-changes";
import type { ActionReason } from "../documents/plan";

/** A configured object and what state has of it. */
export interface Deciding {
  readonly provider: Provider<unknown>;
  readonly type: string;
  readonly attributes: Attributes;
  readonly connection: unknown;
  readonly signal: AbortSignal;
  /** Evaluated and validated. */
  readonly config: ObjectValue;
  readonly ignored: Lifecycle["ignoreChanges"];
  readonly prior:
    | { readonly value: ObjectValue; readonly private: PrivateState; readonly tainted: boolean }
    | undefined;
  /** Why the object is to be replaced even if it could be updated or stay. */
  readonly replace?: ActionReason | undefined;
}

export interface Decision {
  readonly action: "create" | "no-op" | "update" | "replace";
  readonly reason?: ActionReason;
  /** Null where the provider failed to plan. */
  readonly planned: ObjectValue | null;
  readonly replacePaths: readonly AttributePath[];
  /** See `ResourceChange.displaced`. */
  readonly displaced?: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

/** What is to be done so that the object becomes what is configured. */
export async function decide(request: Deciding): Promise<Decision> {
  const { attributes, prior, ignored } = request;
  // A tainted object is planned as if it were not there, its `ignore_changes` too.
  const current = prior && !prior.tainted ? prior : undefined;
  const config = current
    ? ignoreChanges(attributes, request.config, current.value, ignored)
    : request.config;
  const first = await plan(request, config, current);
  if (!first.planned || hasErrors(first.diagnostics)) return failed(first.diagnostics);
  const { requiresReplace, ...found } = { ...first, planned: first.planned, replacePaths: [] };

  if (!prior) return { action: "create", ...found };
  if (!current) return { action: "replace", reason: "replace_because_tainted", ...found };
  const reason = requiresReplace.length > 0 ? "replace_because_cannot_update" : request.replace;
  if (reason === undefined) {
    return { action: valuesEqual(first.planned, current.value) ? "no-op" : "update", ...found };
  }
  // As in Terraform: a new object has nothing to keep, so nothing is ignored.
  const second = await plan(request, request.config, undefined);
  if (!second.planned || hasErrors(second.diagnostics)) return failed(second.diagnostics);
  return {
    action: "replace",
    reason,
    planned: second.planned,
    replacePaths: requiresReplace,
    diagnostics: second.diagnostics,
  };
}

async function plan(
  { provider, type, attributes, connection, signal, config: configured, prior: stored }: Deciding,
  config: ObjectValue,
  prior: { readonly value: ObjectValue } | undefined,
) {
  const before = prior?.value ?? null;
  const { planned, requiresReplace, displaced, diagnostics } = await provider.plan(type, {
    prior: before,
    config,
    // Of what is to be replaced, too: by it a provider tells a replacement from a new object.
    private: stored?.private ?? {},
    connection,
    signal,
    validated: config === configured,
  });
  const wrong =
    planned && !hasErrors(diagnostics) ? refereePlan(attributes, before, config, planned) : [];
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
