import { hasErrors, warning, type Diagnostic } from "../../provider/diagnostics";
import { UNKNOWN, valuesEqual, type ObjectValue } from "../../provider/values";
import { sensitivePaths, toEvaluated } from "../evaluation/attributes";
import { checkConditions } from "../evaluation/conditions";
import { locate } from "../evaluation/located";
import { repeat, unknownRepetition, type Repeated } from "../evaluation/repetition";
import { within } from "../evaluation/stack-values";
import { encodeInstance } from "../evaluation/stored-objects";
import type { Evaluated } from "../expressions/evaluated";
import { providerKey, type ResourceNode } from "../graph/configuration";
import { formatAddress } from "../state/address";
import { setInstance } from "../state/instances";
import type { InstanceKey } from "../state/state";
import { resourceSchema } from "../evaluation/context";
import { configureInstance } from "./configure";
import { decide, type Decision } from "./decide";
import { isSelected, planDeletions, preventDestroy } from "./deletions";
import type { ActionReason } from "./model";
import type { PreparedChange, PriorObject } from "./prepared";
import { driftOf, marksOf, refreshObject } from "./refresh";
import type { Planning, StackRun } from "./run";
import { decodeResource, type StoredInstance, type StoredResource } from "./stored-resource";
import { targetOf, type Target, type TargetResource } from "./target";
import { isTriggered } from "./triggers";

/** Plans all instances of a resource; false where one of them could not be planned. */
export async function planManaged(
  planning: Planning,
  run: StackRun,
  node: ResourceNode,
): Promise<boolean> {
  const resource = configuredResource(run, node);
  const stored = resource && decodeResource(run, resource);
  if (!resource || !stored) return false;
  const { config } = node;

  const repetition =
    planning.options.mode === "destroy"
      ? { instances: [], diagnostics: [] }
      : repeat(config, run.values);
  run.report(repetition.diagnostics);
  if (!repetition.instances) {
    const unknown = unknownRepetition(config);
    if (unknown && !hasErrors(repetition.diagnostics)) run.report([unknown]);
    return false;
  }
  const { instances } = repetition;
  run.report(lacksKey(planning, resource, instances));
  const wanted = new Set(instances.map(({ key }) => key));
  const [planned, deleted] = await Promise.all([
    Promise.all(
      instances.map(async (repeated) => {
        const instance = stored.current.get(repeated.key);
        if (!isSelected(planning, resource, repeated.key)) {
          return [repeated.key, storedValue(resource, instance)] as const;
        }
        const value = await planInstance(planning, run, resource, node, repeated, instance);
        return [repeated.key, value] as const;
      }),
    ),
    planDeletions(planning, run, resource, stored, wanted),
  ]);
  const values =
    planning.options.mode === "destroy"
      ? [...keptValues(planning, resource, stored), ...deleted.values]
      : planned;
  run.values.setResource(node.address, combine(node, values));
  return deleted.ok && planned.every(([, value]) => value !== undefined);
}

/** An instance that no target names, for those who refer to it: as state has it. */
function storedValue({ schema }: TargetResource, instance: StoredInstance | undefined): Evaluated {
  if (!instance) return UNKNOWN;
  const { value, sensitive } = instance.object;
  return toEvaluated(schema.attributes, value, sensitive);
}

/** Of the instances that a destroy leaves alone. */
function keptValues(
  planning: Planning,
  resource: TargetResource,
  { current }: StoredResource,
): readonly (readonly [InstanceKey | undefined, Evaluated])[] {
  return [...current]
    .filter(([key]) => !isSelected(planning, resource, key))
    .map(([key, instance]) => [key, storedValue(resource, instance)]);
}

/** The instances of a resource as references see them: one object, a list, or an object by key. */
export function combine(
  { config }: ResourceNode,
  values: Iterable<readonly [InstanceKey | undefined, Evaluated | undefined]>,
): Evaluated {
  const known = [...values].map(([key, value]) => [key, value ?? UNKNOWN] as const);
  if (config.count) return known.map(([, value]) => value);
  if (config.forEach) return Object.fromEntries(known.map(([key, value]) => [String(key), value]));
  return known[0]?.[1] ?? UNKNOWN;
}

export function configuredResource(
  run: StackRun,
  { stack, config }: ResourceNode,
): TargetResource | undefined {
  const { mode, type, name } = config;
  const key = providerKey(config.provider);
  const schema = resourceSchema(run.context, config);
  const connection = run.connections.get(key);
  if ("problem" in schema || !connection) return undefined;
  return { stack, mode, type, name, providerKey: key, schema, connection, config };
}

async function planInstance(
  planning: Planning,
  run: StackRun,
  resource: TargetResource,
  node: ResourceNode,
  repeated: Repeated,
  stored: StoredInstance | undefined,
): Promise<Evaluated | undefined> {
  const { options, limit, dependencies } = planning;
  const target = targetOf(resource, repeated.key);
  const { attributes } = resource.schema;
  const found = stored && (await refreshObject(planning, run, target, stored.object));
  if (stored && !found) return undefined;
  const drift = found && driftOf(target, found);
  if (drift) run.drift.push(drift);
  const prior = found?.current ? { ...found, current: found.current } : undefined;
  if (options.mode === "refresh-only") {
    return prior ? toEvaluated(attributes, prior.current, prior.sensitive) : UNKNOWN;
  }

  const configured = configureInstance(run.values, target, node.config, repeated.surroundings);
  run.report(configured.diagnostics);
  if (hasErrors(configured.diagnostics)) return undefined;
  const decision = await limit.run(async () =>
    options.stop.aborted
      ? undefined
      : decide({
          provider: target.provider,
          type: target.type,
          attributes,
          connection: target.connection,
          signal: options.abort,
          config: configured.value,
          ignored: node.config.lifecycle.ignoreChanges,
          prior: prior && { ...prior, value: prior.current },
          replace: replaceReason(planning, run, node, target),
        }),
  );
  if (!decision) return undefined;
  run.report(locate(decision.diagnostics, target.where));
  if (!decision.planned || !isAllowed(run, node, target, decision)) return undefined;

  const sensitive = sensitivePaths(attributes, decision.planned, configured.marks);
  const value = toEvaluated(attributes, decision.planned, sensitive);
  const self = within(run.values, { ...repeated.surroundings, self: value });
  const { postconditions } = node.config.lifecycle;
  const broken = checkConditions(postconditions, self, target.where, "Resource postcondition");
  run.report(broken);
  if (hasErrors(broken)) return undefined;

  const change: PreparedChange = {
    change: {
      ...target.described,
      ...(stored?.previousAddress !== undefined && { previousAddress: stored.previousAddress }),
      action: actionOf(decision, dependencies.createsBeforeDestroy(node)),
      ...(decision.reason && { reason: decision.reason }),
      before: prior?.current ?? null,
      after: decision.planned,
      beforeSensitive: prior ? sensitivePaths(attributes, prior.current, marksOf(prior)) : [],
      afterSensitive: sensitive,
      replacePaths: decision.replacePaths,
    },
    stack: run.name,
    instance: target.instance,
    providerKey: resource.providerKey,
    schema: resource.schema,
    config: node.config,
    surroundings: repeated.surroundings,
    configured,
    prior,
    planned: decision.planned,
    dependencies: dependencies.addresses(node),
    createBeforeDestroy: dependencies.createsBeforeDestroy(node),
    connected: target.connection !== undefined,
  };
  if (decision.action === "no-op" && prior) keep(run, target, change, prior);
  run.addChange(node.address, change);
  return value;
}

function actionOf({ action }: Decision, createFirst: boolean) {
  if (action !== "replace") return action;
  return createFirst ? "create-then-delete" : "delete-then-create";
}

function replaceReason(
  { options }: Planning,
  run: StackRun,
  { config }: ResourceNode,
  { described }: Target,
): ActionReason | undefined {
  if (options.replace.has(described.address)) return "replace_by_request";
  return isTriggered(config, run) ? "replace_by_triggers" : undefined;
}

/** For a replacement that was asked for by the address of a resource with instances. */
function lacksKey(
  { options }: Planning,
  { config }: TargetResource,
  instances: readonly Repeated[],
): readonly Diagnostic[] {
  if (!config || !options.replace.has(config.address)) return [];
  const keyed = instances.filter(({ key }) => key !== undefined);
  if (keyed.length === 0) return [];
  const each = keyed.map(({ key }) => `  --replace='${formatAddress({ ...config, key })}'`);
  return locate(
    [
      warning(
        "Incompletely-matched force-replace resource instance",
        `Your force-replace request for ${config.address} doesn't match any resource instances because it lacks an instance key.\n\nTo force replacement of particular instances, use one or more of the following options instead:\n${each.join("\n")}`,
      ),
    ],
    config.where,
  );
}

function isAllowed(
  run: StackRun,
  { config }: ResourceNode,
  target: Target,
  { action }: Decision,
): boolean {
  if (action !== "replace" || !config.lifecycle.preventDestroy) return true;
  run.report([preventDestroy(target)]);
  return false;
}

/** An object that stays as it is still gets what the configuration says around it into its state. */
function keep(
  run: StackRun,
  { instance, schema, providerAddress }: Target,
  { change, dependencies, createBeforeDestroy }: PreparedChange,
  prior: PriorObject & { readonly current: ObjectValue },
): void {
  const kept = encodeInstance(
    schema.attributes,
    prior.current,
    {
      schemaVersion: schema.version,
      private: prior.private,
      sensitive: change.afterSensitive,
      dependencies,
      createBeforeDestroy,
    },
    { stored: prior.stored, unchanged: valuesEqual(prior.current, prior.value) },
  );
  run.state = setInstance(run.state, instance, providerAddress, kept);
}
