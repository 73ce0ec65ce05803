import { hasErrors } from "../../core/diagnostics";
import type { Attributes } from "../../core/schema/attribute";
import { UNKNOWN, type AttributePath, type ObjectValue } from "../../core/values";
import { samePaths, sensitivePaths, toEvaluated } from "../evaluation/attributes";
import { locate } from "../config/located";
import type { Repeated } from "../evaluation/repetition";
import { named } from "../evaluation/validations";
import { unknownTypesOf } from "../../core/documents/unknown-types";
import { encodeInstance, marksOf, type StoredObject } from "../evaluation/stored-objects";
import type { Evaluated } from "../expressions/evaluated";
import type { ResourceNode } from "../graph/configuration";
import type { InstanceKey, InstanceState } from "../../core/documents/state";
import { meetsPostconditions, meetsPreconditions } from "./conditions";
import { configureInstance } from "./configure-instance";
import { decide, type Deciding, type Decision } from "./decide";
import { preventDestroy } from "./deletions";
import type { Action, ActionReason } from "../../core/documents/stack-plan";
import { missingSelf } from "./missing-self";
import type { PlannedInstance } from "./planned-instance";
import { driftOf, findObject, foundBeside, noteConfiguration, refreshObject } from "./refresh";
import type { Planning, StackRun } from "./run";
import { targetOf, type Target, type TargetResource } from "./target";
import { isTriggered } from "./triggers";

/** The existing object of an instance, before it is planned. */
export interface FoundInstance {
  readonly stored: StoredObject | undefined;
  /** The ID to import if the state has no object. */
  readonly importId: string | undefined;
  /** All instances of the resource in the state. */
  readonly instances: ReadonlyMap<InstanceKey | undefined, unknown>;
}

/** Plans one resource instance. If that fails, the run has the diagnostics. */
export async function planInstance(
  planning: Planning,
  run: StackRun,
  resource: TargetResource,
  node: ResourceNode,
  repeated: Repeated,
  { stored, importId, instances }: FoundInstance,
): Promise<Evaluated | undefined> {
  const { options, dependencies } = planning;
  const target = targetOf(resource, repeated.key);
  const { attributes } = target.schema;
  const importing = stored || importId === undefined ? undefined : { id: importId };
  const noted = stored && noteConfiguration(planning, run, target, node, stored);
  const found = noted
    ? await refreshObject(planning, run, target, noted)
    : importing && (await importPrior(planning, run, target, importing.id));
  if ((stored ?? importing) && found === undefined) return undefined;
  const drift = noted && found !== undefined && driftOf(planning, run, target, noted, found);
  if (drift) run.drift.push(drift);
  const prior = found ?? undefined;
  const { config } = node;
  const { where } = target;
  const { surroundings } = repeated;
  const severity = options.conditions;
  if (options.mode === "refresh-only") {
    const self = prior ? toEvaluated(attributes, prior.value, prior.sensitive) : UNKNOWN;
    const finished = prior
      ? surroundings
      : { ...surroundings, problemOf: missingSelf(repeated.key, instances) };
    const isReady = meetsPreconditions(run, config, where, surroundings, severity);
    const isValid = meetsPostconditions(run, config, where, finished, self, severity);
    return isReady && isValid ? self : undefined;
  }

  // Its errors hide those of conditions, as in Terraform.
  const replace = replaceReason(planning, run, node, target);
  if (!replace || !meetsPreconditions(run, config, where, surroundings, severity)) return undefined;
  const configured = configureInstance(run, target, config, surroundings);
  run.report(configured.diagnostics);
  if (hasErrors(configured.diagnostics)) return undefined;
  const decision = await decideInstance(planning, run, node, target, {
    configured,
    prior,
    replace: replace.reason,
  });
  if (!decision) return undefined;
  const { marks } = decision;
  const sensitive = sensitivePaths(attributes, decision.planned, marks);
  const unknownTypes = unknownTypesOf(attributes, decision.planned, configured.unknownTypes);
  const value = toEvaluated(attributes, decision.planned, sensitive, unknownTypes);
  if (!meetsPostconditions(run, config, where, surroundings, value, severity)) return undefined;

  const previousAddress = stored && run.previousAddress(target.instance);
  const createBeforeDestroy = dependencies.createsBeforeDestroy(node);
  const change: PlannedInstance = {
    target,
    change: {
      ...target.described,
      ...(previousAddress !== undefined && { previousAddress }),
      ...(importing && { importing }),
      ...(Object.keys(unknownTypes).length > 0 && { unknownTypes }),
      ...outcomeOf(decision, prior, { attributes, sensitive, createBeforeDestroy }),
      ...(prior && othersOf(target, prior)),
      // An object that does not change is the collection, unless there are unmanaged entries.
      ...((decision.action !== "no-op" || hasOthers(target, prior)) &&
        foundBeside(target, decision.action === "replace" && prior ? prior : null)),
    },
    surroundings,
    configured: { ...configured, marks },
    prior,
    planned: decision.planned,
    dependencies: dependencies.addresses(node),
    createBeforeDestroy,
  };
  const kept = change.change.action === "no-op" && prior ? keep(target, change, prior) : undefined;
  if (kept && !importing) {
    run.state.set(target.instance, target.providerAddress, kept);
  }
  // The apply adds an imported object to the state.
  const imported = importing && (kept ?? prior?.stored);
  run.addChange(node.address, { ...change, ...(imported && { imported }) });
  return value;
}

/** Reads the object to import. */
async function importPrior(
  planning: Planning,
  run: StackRun,
  target: Target,
  id: string,
): Promise<StoredObject | undefined> {
  const { options, limit } = planning;
  const { stack, where } = target;
  return limit.run(async () => {
    if (options.stop.aborted) return undefined;
    options.observe({ type: "import_planned", stack, address: where.address, id });
    return findObject(planning, run, target, id);
  });
}

type Planned = Decision & { readonly planned: ObjectValue };

/** Decides the action. Undefined if that fails, or the action is not allowed. */
async function decideInstance(
  planning: Planning,
  run: StackRun,
  node: ResourceNode,
  target: Target,
  facts: Omit<Deciding, "target" | "signal">,
): Promise<Planned | undefined> {
  const { options, limit } = planning;
  const { lifecycle } = node.config;
  const decision = await limit.run(async () =>
    options.stop.aborted ? undefined : decide({ target, signal: options.abort, ...facts }),
  );
  if (!decision) return undefined;
  const { value, marks } = facts.configured;
  run.report(locate(named(decision.diagnostics, value, marks), target.where));
  const { planned } = decision;
  if (!planned) return undefined;
  if (decision.action === "replace" && lifecycle.preventDestroy) {
    run.report([preventDestroy(target)]);
    return undefined;
  }
  return { ...decision, planned };
}

/** Returns the members of a change that follow from a decision. */
function outcomeOf(
  decision: Planned,
  prior: StoredObject | undefined,
  {
    attributes,
    sensitive,
    createBeforeDestroy,
  }: {
    readonly attributes: Attributes;
    readonly sensitive: readonly AttributePath[];
    readonly createBeforeDestroy: boolean;
  },
) {
  const beforeSensitive = prior ? sensitivePaths(attributes, prior.value, marksOf(prior)) : [];
  // The state records sensitivity, so a change of it is an update, as in Terraform.
  const isMarkedAnew = decision.action === "no-op" && !samePaths(beforeSensitive, sensitive);
  return {
    action: isMarkedAnew ? "update" : actionOf(decision, createBeforeDestroy),
    ...(decision.reason && { reason: decision.reason }),
    before: prior?.value ?? null,
    after: decision.planned,
    beforeSensitive,
    afterSensitive: sensitive,
    replacePaths: decision.replacePaths,
    ...(decision.displaced && { displaced: decision.displaced }),
  } as const;
}

function hasOthers(target: Target, prior: StoredObject | undefined): boolean {
  return prior !== undefined && (othersOf(target, prior)?.others ?? []).length > 0;
}

function othersOf({ provider, type }: Target, prior: StoredObject) {
  const others = provider.others(type, prior.private);
  return others && { others };
}

function actionOf({ action }: Decision, createBeforeDestroy: boolean): Action {
  if (action !== "replace") return action;
  return createBeforeDestroy ? "create-then-delete" : "delete-then-create";
}

/** Returns the reason to replace an object that need not be replaced. Undefined if that fails. */
function replaceReason(
  { options }: Planning,
  run: StackRun,
  { config }: ResourceNode,
  { described, instance }: Target,
): { reason: ActionReason | undefined } | undefined {
  const { triggered, diagnostics } = isTriggered(config, instance.key, run);
  run.report(diagnostics);
  if (hasErrors(diagnostics)) return undefined;
  if (triggered) return { reason: "replace_by_triggers" };
  return {
    reason: options.replace.has(described.address) ? "replace_by_request" : undefined,
  };
}

/** Encodes an object that does not change, with its present dependencies and marks. */
function keep(
  { schema }: Target,
  { change, dependencies, createBeforeDestroy }: PlannedInstance,
  prior: StoredObject,
): InstanceState {
  return encodeInstance(
    schema,
    prior.value,
    {
      private: prior.private,
      sensitive: change.afterSensitive,
      dependencies,
      // Terraform records it for an imported object when that is first changed.
      createBeforeDestroy: createBeforeDestroy && change.importing === undefined,
    },
    { stored: prior.stored, unchanged: true },
  );
}
