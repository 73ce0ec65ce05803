import { hasErrors } from "../../core/diagnostics";
import { UNKNOWN, type Evaluated } from "../../core/values";
import { toEvaluated } from "../evaluation/attributes";
import type { Repeated } from "../evaluation/repetition";
import { answered } from "../evaluation/provider-diagnostics";
import { encodeInstance, marked, type StoredObject } from "../evaluation/stored-objects";
import type { InstanceKey, InstanceState } from "../../core/documents/state";
import { meetsPostconditions, meetsPreconditions } from "./conditions";
import { configureInstance } from "./configure-instance";
import { changeOf, decide } from "./decide";
import { preventDestroy } from "./deletions";
import { missingSelf } from "./missing-self";
import type { PlannedInstance } from "./planned-instance";
import { importInstance, noteConfiguration, refreshInstance } from "./refresh";
import type { Planning, StackRun } from "./run";
import { targetOf, type ConfiguredResource } from "./target";
import { replaceReason } from "./triggers";

/** An instance of the configuration with its objects in the state. */
interface FoundInstance extends Repeated {
  readonly stored: StoredObject | undefined;
  /** The ID to import if the state has no object. */
  readonly importId: string | undefined;
  /** All instances of the resource in the state. */
  readonly instances: ReadonlyMap<InstanceKey | undefined, unknown>;
}

/**
 * Plans one resource instance: refreshes what was found, evaluates the configuration, decides the
 * change. If that fails, the run has the diagnostics.
 */
export async function planInstance(
  planning: Planning,
  run: StackRun,
  resource: ConfiguredResource,
  { key, surroundings, stored, importId, instances }: FoundInstance,
): Promise<Evaluated | undefined> {
  const { options, limit, dependencies } = planning;
  const { config, node } = resource;
  const target = targetOf(resource, key);
  const { where } = target;
  const checked = { target, surroundings, severity: options.conditions };
  const needs = dependencies.addresses(node);
  const createBeforeDestroy = dependencies.createsBeforeDestroy(node);

  const importing = stored || importId === undefined ? undefined : { id: importId };
  const noted =
    stored &&
    noteConfiguration(run, target, stored, {
      ...(options.refresh && { dependencies: needs }),
      createBeforeDestroy,
    });
  const refreshed = noted
    ? await refreshInstance(planning, run, target, noted)
    : await importInstance(planning, run, target, importId);
  if (refreshed === undefined) return undefined;
  const prior = refreshed ?? undefined;
  if (options.mode === "refresh-only") {
    const self = prior
      ? toEvaluated(target.schema.attributes, prior.value, prior.sensitive)
      : UNKNOWN;
    const missing = prior ? {} : { problemOf: missingSelf(key, instances) };
    const finished = { ...surroundings, ...missing };
    const isReady = meetsPreconditions(run, checked);
    const isValid = meetsPostconditions(run, { ...checked, surroundings: finished }, self);
    return isReady && isValid ? self : undefined;
  }

  // Its errors hide those of conditions, as in Terraform.
  const replace = replaceReason(options, run, target, config);
  if (!replace || !meetsPreconditions(run, checked)) return undefined;
  const configured = configureInstance(run, target, surroundings, prior);
  run.report(configured.diagnostics);
  if (hasErrors(configured.diagnostics)) return undefined;

  const { abort: signal } = options;
  const decision = await limit.run(async () =>
    options.stop.aborted
      ? undefined
      : decide({ target, signal, configured, prior, replace: replace.reason }),
  );
  if (!decision) return undefined;
  run.report(answered(decision.diagnostics, where, configured, prior && marked(prior)));
  const { planned } = decision;
  if (!planned) return undefined;
  if (decision.action === "replace" && config.lifecycle.preventDestroy) {
    run.report([preventDestroy(target)]);
    return undefined;
  }
  const instance = {
    target,
    surroundings,
    configured,
    prior,
    planned,
    dependencies: needs,
    createBeforeDestroy,
  };
  const previousAddress = stored && run.previousAddress(target.instance);
  const moved = previousAddress === undefined ? {} : { previousAddress };
  const change = { ...changeOf(instance, decision), ...moved, ...(importing && { importing }) };
  const { marks } = configured.effective;
  const value = toEvaluated(target.schema.attributes, planned, change.afterSensitive, marks);
  if (!meetsPostconditions(run, checked, value)) return undefined;

  const kept =
    prior && change.action === "no-op" ? keep({ ...instance, change }, prior) : undefined;
  if (kept && !importing) run.state.set(target.instance, target.providerAddress, kept);
  // The apply adds an imported object to the state.
  const imported = importing && (kept ?? prior?.stored);
  run.addChange(node.address, { ...instance, change, ...(imported && { imported }) });
  return value;
}

/** Encodes an object that does not change, with its present dependencies and marks. */
function keep(
  { target, change, dependencies, createBeforeDestroy }: PlannedInstance,
  { stored, value, private: privateState }: StoredObject,
): InstanceState {
  return encodeInstance(
    target.schema,
    value,
    {
      private: privateState,
      sensitive: change.afterSensitive,
      dependencies,
      // Terraform records it for an imported object when that is first changed.
      createBeforeDestroy: createBeforeDestroy && change.importing === undefined,
    },
    { stored, unchanged: true },
  );
}
