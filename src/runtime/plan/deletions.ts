import { hasErrors } from "../../core/diagnostics";
import { UNKNOWN, type Evaluated } from "../../core/values";
import { sensitivePaths, toEvaluated } from "../evaluation/attributes";
import { answered } from "../evaluation/provider-diagnostics";
import { errorAt } from "../../language";
import type { Surroundings } from "../evaluation/stack-values";
import { marked, marksOf, type StoredObject } from "../evaluation/stored-objects";
import {
  formatResourceAddress,
  sameResource,
  type InstanceAddress,
} from "../../core/documents/address";
import type { InstanceKey } from "../../core/documents/state";
import type { ActionReason } from "../../core/documents/stack-plan";
import { foundBeside, refreshInstance } from "./refresh";
import type { Planning, StackRun } from "./run";
import type { StoredResource } from "./stored-resource";
import { targetOf, type Target, type TargetResource } from "./target";
import type { TargetSelection } from "./targets";

export interface Deletions {
  readonly ok: boolean;
  /** The objects before they are destroyed: a destroy's provider configurations may refer to them. */
  readonly values: readonly (readonly [InstanceKey | undefined, Evaluated])[];
}

/** Plans the destruction of objects of a resource that the selection includes. */
export async function planDeletions(
  planning: Planning,
  run: StackRun,
  resource: TargetResource,
  { current, deposed }: StoredResource,
): Promise<Deletions> {
  const ending = [
    ...[...current]
      .map(([key, object]) => ({ key, object }))
      .filter(({ key }) => isSelected(planning, resource, key)),
    ...deposed.filter(({ key }) => isDeposedSelected(planning, run, resource, key)),
  ];
  const results = await Promise.all(
    ending.map(async ({ key, object }) => {
      const prior = await planDeletion(planning, run, targetOf(resource, key), object);
      return { key, prior, deposed: object.stored.deposed !== undefined };
    }),
  );
  const { attributes } = resource.schema;
  return {
    ok: results.every(({ prior }) => prior !== undefined),
    values: results
      .filter((result) => !result.deposed)
      .map(({ key, prior }) => [
        key,
        prior ? toEvaluated(attributes, prior.value, prior.sensitive) : UNKNOWN,
      ]),
  };
}

export function isSelected(
  { selection }: Planning,
  { stack, mode, type, name }: TargetResource,
  key: InstanceKey | undefined,
): boolean {
  return selection?.includes(stack, { mode, type, name, key }) ?? true;
}

function isDeposedSelected(
  planning: Planning,
  run: StackRun,
  resource: TargetResource,
  key: InstanceKey | undefined,
): boolean {
  const { selection, options } = planning;
  if (!selection || includesDeposed(run, selection, { ...resource, key })) return true;
  return options.mode === "destroy" && isSelected(planning, resource, key);
}

/**
 * Reports whether targets include the deposed objects of an instance: they name it, or a deposed
 * object that they name is destroyed after those, because the instance depends on it.
 */
export function includesDeposed(
  run: StackRun,
  selection: TargetSelection,
  instance: InstanceAddress,
): boolean {
  if (selection.names(instance)) return true;
  const present = run
    .instancesOf(instance)
    .find(({ indexKey, deposed }) => deposed === undefined && indexKey === instance.key);
  return run.present(present?.dependencies ?? []).some((address) => {
    const needed = run.storedResources.get(address);
    return needed?.instances.some(
      ({ indexKey, deposed }) =>
        deposed !== undefined && selection.names({ ...needed, key: indexKey }),
    );
  });
}

/**
 * Plans the destruction of an object. Null if it no longer exists; undefined if it cannot be read or
 * must not be destroyed.
 */
async function planDeletion(
  planning: Planning,
  run: StackRun,
  target: Target,
  object: StoredObject,
): Promise<StoredObject | null | undefined> {
  const { options } = planning;
  // Terraform does not read what it forgets, and forgets nothing in a refresh.
  const isKept = options.mode === "normal" && isForgotten(run, target);
  const prior = isKept ? object : await refreshInstance(planning, run, target, object);
  if (!prior || options.mode === "refresh-only") return prior;
  const { config, schema } = target;
  if (config?.lifecycle.preventDestroy) {
    run.report([preventDestroy(target)]);
    return undefined;
  }
  if (!isKept) {
    const { diagnostics } = await target.provider.plan(target.type, {
      prior: prior.value,
      config: null,
      private: prior.private,
      connection: target.connection,
      signal: options.abort,
    });
    run.report(answered(diagnostics, target.where, marked(prior)));
    if (hasErrors(diagnostics)) return undefined;
  }
  const { deposed, dependencies, createBeforeDestroy } = object.stored;
  const reason = deposed === undefined ? reasonOf(planning, run, target) : undefined;
  const sensitive = sensitivePaths(schema.attributes, prior.value, marksOf(prior));
  const previousAddress =
    options.mode === "destroy" ? undefined : run.previousAddress(target.instance);
  run.addChange(formatResourceAddress(target.instance), {
    change: {
      ...target.described,
      ...(deposed !== undefined && { deposed }),
      ...(previousAddress !== undefined && { previousAddress }),
      action: isKept ? "forget" : "delete",
      ...(reason && { reason }),
      before: prior.value,
      after: null,
      beforeSensitive: sensitive,
      afterSensitive: [],
      replacePaths: [],
      ...(deposed === undefined && foundBeside(target, prior)),
    },
    target,
    surroundings: surroundingsOf(target.instance.key),
    prior,
    planned: null,
    dependencies,
    createBeforeDestroy,
  });
  return prior;
}

/** Reports whether a `removed` block keeps the object on the console. */
function isForgotten(run: StackRun, { instance }: Target): boolean {
  return run.context.config.removals.some(
    ({ from, destroy }) => !destroy && sameResource(from, { module: undefined, ...instance }),
  );
}

/** Returns the values that destroy-time provisioners may refer to. */
function surroundingsOf(key: InstanceKey | undefined): Surroundings {
  if (typeof key === "number") return { countIndex: key };
  return key === undefined ? {} : { each: { key, value: UNKNOWN } };
}

function reasonOf(
  { options }: Planning,
  run: StackRun,
  { config, instance }: Target,
): ActionReason | undefined {
  if (options.mode === "destroy") return undefined;
  if (!config) {
    return run.previousAddress(instance) === undefined
      ? "delete_because_no_resource_config"
      : "delete_because_no_move_target";
  }
  if (config.count && typeof instance.key === "number") return "delete_because_count_index";
  if (config.forEach && typeof instance.key === "string") return "delete_because_each_key";
  return "delete_because_wrong_repetition";
}

/** Returns the error of `prevent_destroy`. */
export function preventDestroy({ where, described }: Target) {
  return errorAt(
    where,
    "Instance cannot be destroyed",
    `Resource ${described.address} has lifecycle.prevent_destroy set, but the plan calls for this resource to be destroyed. To avoid this error and continue with the plan, disable lifecycle.prevent_destroy.`,
  );
}
