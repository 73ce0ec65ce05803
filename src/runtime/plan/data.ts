import { hasErrors } from "../../core/diagnostics";
import { planObject } from "../../core/planning/pipeline";
import { isPlain, isWhollyKnown, type Evaluated, type ObjectValue } from "../../core/values";
import { sensitivePaths, toEvaluated } from "../evaluation/attributes";
import { answered } from "../evaluation/provider-diagnostics";
import type { Conformed } from "../evaluation/conform";
import { repeatKnown, type Repeated } from "../evaluation/repetition";
import { encodeInstance, idOf } from "../evaluation/stored-objects";
import type { ResourceNode } from "../graph/configuration";
import { meetsPostconditions, meetsPreconditions, reportRead } from "./conditions";
import { configureInstance } from "./configure-instance";
import { withoutUnknown } from "./outputs";
import { configuredResource, expectChecks } from "./managed";
import type { ActionReason } from "../../core/documents/stack-plan";
import type { EngineOptions, Planning, StackRun } from "./run";
import { targetOf, type ConfiguredResource, type Target } from "./target";
import { world } from "../../core/io/world";

/** Reads a data source, or defers it to apply. */
export async function planData(
  planning: Planning,
  run: StackRun,
  node: ResourceNode,
): Promise<boolean> {
  const resource = configuredResource(run, node);
  if (!resource) return false;
  const repetition = repeatKnown(node.config, run.values);
  run.report(repetition.diagnostics);
  if (!repetition.instances) return false;
  expectChecks(run, resource, repetition.instances);
  // The state keeps the last result for display only.
  for (const { indexKey } of run.instancesOf(resource)) {
    run.state.remove({ ...resource, key: indexKey });
  }
  const values = await Promise.all(
    repetition.instances.map(async (repeated) => {
      const value = await planRead(planning, run, resource, repeated);
      return [repeated.key, value] as const;
    }),
  );
  run.setInstances(node.config, values);
  return values.every(([, value]) => value !== undefined);
}

/** Reads an instance, or plans to. Undefined if that fails. */
async function planRead(
  planning: Planning,
  run: StackRun,
  resource: ConfiguredResource,
  { key, surroundings }: Repeated,
): Promise<Evaluated | undefined> {
  const target = targetOf(resource, key);
  const { config, node, schema } = resource;
  const { attributes } = schema;
  const checked = { target, surroundings, severity: planning.options.conditions };
  if (!meetsPreconditions(run, checked)) return undefined;
  const configured = configureInstance(run, target, surroundings);
  run.report(configured.diagnostics);
  if (hasErrors(configured.diagnostics)) return undefined;

  const deferred = deferral(planning, run, node, configured);
  const known = deferred
    ? undefined
    : await planning.limit.run(() => readData(planning.options, run, target, configured));
  const scoped = config.check !== undefined && !planning.options.stop.aborted;
  if (!known && !deferred && !scoped) return undefined;
  // An apply reads the data source of a check again.
  const again =
    scoped && planning.options.mode === "normal" ? "read_because_check_nested" : undefined;
  const reason = deferred ?? again;
  const read = known ?? planObject(attributes, configured.value, null);
  // Terraform stores an object without values if the read fails.
  if (!deferred) storeData(run, target, configured, isPlain(read) ? read : withoutUnknown(read));
  const sensitive = sensitivePaths(attributes, read, configured.marks);
  const previousAddress = reason && run.previousAddress(target.instance);
  run.addChange(node.address, {
    change: {
      ...target.described,
      ...(previousAddress !== undefined && { previousAddress }),
      action: reason ? "read" : "no-op",
      ...(reason && { reason }),
      before: reason ? null : read,
      after: read,
      beforeSensitive: reason ? [] : sensitive,
      afterSensitive: sensitive,
      replacePaths: [],
    },
    target,
    surroundings,
    configured,
    prior: undefined,
    planned: read,
    dependencies: planning.dependencies.addresses(node),
    createBeforeDestroy: false,
  });
  const self = toEvaluated(attributes, read, sensitive, configured.marks);
  return meetsPostconditions(run, checked, self) ? self : undefined;
}

/** Reads a data source. A failure in a check is a warning. */
export async function readData(
  { observe, stop, abort, recordedData }: EngineOptions,
  run: StackRun,
  target: Target,
  configured: Conformed,
): Promise<ObjectValue | undefined> {
  if (stop.aborted) return undefined;
  const { described, where } = target;
  const about = { stack: run.name, address: described.address, action: "read" } as const;
  const started = world.clock.steady();
  const done = (event: "apply_complete" | "apply_errored", value: ObjectValue | null) => {
    const elapsedMs = world.clock.steady() - started;
    observe({ ...about, type: event, elapsedMs, ...idOf(value) });
  };
  observe({ ...about, type: "apply_start" });
  const recorded = recordedData.get(run.name)?.get(described.address);
  const { state, diagnostics } = recorded
    ? { state: recorded, diagnostics: [] }
    : await target.provider.readDataSource(target.type, configured.value, {
        connection: target.connection,
        signal: abort,
      });
  reportRead(run, target.config, answered(diagnostics, where, configured));
  const failed = state === null || hasErrors(diagnostics);
  done(failed ? "apply_errored" : "apply_complete", state);
  return failed ? undefined : state;
}

/** Stores the result of a data source in the stack's state. */
export function storeData(
  run: StackRun,
  { schema, instance, providerAddress }: Target,
  { marks }: Conformed,
  read: ObjectValue,
): void {
  const encoded = encodeInstance(schema, read, {
    private: {},
    sensitive: sensitivePaths(schema.attributes, read, marks),
    dependencies: [],
    createBeforeDestroy: false,
  });
  run.state.set(instance, providerAddress, encoded);
}

/**
 * Returns the reason to defer a data source to apply. A provider that is not configured yet is none:
 * its reads are an error, as in Terraform.
 */
function deferral(
  { dependencies, options }: Planning,
  run: StackRun,
  node: ResourceNode,
  { value }: Conformed,
): ActionReason | undefined {
  if (!isWhollyKnown(value)) return "read_because_config_unknown";
  // Before a destroy everything still exists, and a rollback changes what the state has.
  if (options.mode === "destroy" || options.mode === "rollback") return undefined;
  const pending = [...dependencies.awaitedBy(node)].some(
    ({ address, config }) =>
      config.mode === "managed" &&
      run.changes.get(address)?.some(({ change }) => change.action !== "no-op"),
  );
  return pending ? "read_because_dependency_pending" : undefined;
}
