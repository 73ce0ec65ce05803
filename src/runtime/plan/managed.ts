import { joined, printed } from "../../core/printed";
import { hasErrors, warning, type Diagnostic } from "../../core/diagnostics";
import { UNKNOWN, type Evaluated } from "../../core/values";
import { importsOf, locate, providerKey, type ResourceConfig } from "../../language";
import { toEvaluated } from "../evaluation/attributes";
import { resourceSchema } from "../graph/stack-context";
import { repeatKnown, type Repeated } from "../evaluation/repetition";
import type { ResourceNode } from "../graph/configuration";
import { importIds } from "../refactoring/imports";
import { isWhole } from "../refactoring/moves";
import { movedObjectStillExists } from "../refactoring/block-problems";
import { formatAddress, formatResourceAddress } from "../../core/documents/address";
import type { InstanceKey } from "../../core/documents/state";
import { isSelected, planDeletions } from "./deletions";
import { planInstance } from "./instance";
import type { Planning, StackRun } from "./run";
import { decodeResource, type StoredResource } from "./stored-resource";
import type { ConfiguredResource, TargetResource } from "./target";

/** Plans all instances of a resource; false if one of them fails. */
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
      : repeatKnown(config, run.values);
  run.report(repetition.diagnostics);
  if (!repetition.instances) return false;
  const { instances } = repetition;
  expectChecks(run, resource, instances);
  const wanted = new Set(instances.map(({ key }) => key));
  const imports = plannedImports(planning, run, node, instances);
  const problems = [
    ...lacksKey(planning, resource, instances),
    ...stillExisting(run, config, wanted),
    ...imports.diagnostics,
  ];
  run.report(problems);
  if (hasErrors(problems)) return false;
  const surplus = new Map([...stored.current].filter(([key]) => !wanted.has(key)));
  const [planned, deleted] = await Promise.all([
    Promise.all(
      instances
        .filter(({ key }) => isSelected(planning, resource, key))
        .map(async (repeated) => {
          const found = {
            stored: stored.current.get(repeated.key),
            importId: imports.ids.get(repeated.key),
            instances: stored.current,
          };
          const value = await planInstance(planning, run, resource, { ...repeated, ...found });
          return [repeated.key, value] as const;
        }),
    ),
    planDeletions(planning, run, resource, { ...stored, current: surplus }),
  ]);
  // Terraform leaves out what a normal plan deletes; missing objects are unknown here.
  const left = planning.options.mode === "normal" ? [] : deleted.values;
  const existing = [...planned, ...left].filter(([, value]) => value !== UNKNOWN);
  run.setInstances(config, [...outside(planning, resource, stored), ...existing]);
  return deleted.ok && planned.every(([, value]) => value !== undefined);
}

/** Sets the value of a resource to its objects in the state. */
export function useStored(run: StackRun, node: ResourceNode): boolean {
  const resource = configuredResource(run, node);
  const stored = resource && decodeResource(run, resource);
  if (!resource || !stored) return false;
  const { attributes } = resource.schema;
  const values = [...stored.current].map(
    ([key, { value, sensitive }]) => [key, toEvaluated(attributes, value, sensitive)] as const,
  );
  run.setInstances(node.config, values);
  return true;
}

/** Returns the IDs to import. Only normal plans import. */
function plannedImports(
  { options }: Planning,
  run: StackRun,
  { config }: ResourceNode,
  instances: readonly Repeated[],
): ReturnType<typeof importIds> {
  const blocks = options.mode === "normal" ? importsOf(run.context.config, config) : [];
  return importIds(blocks, config, instances, run.values);
}

/** Reports moves of single instances that the configuration still declares. */
function stillExisting(
  run: StackRun,
  config: ResourceConfig,
  wanted: ReadonlySet<InstanceKey | undefined>,
): readonly Diagnostic[] {
  return run.context.config.moves
    .filter(
      (move) =>
        !isWhole(move) &&
        formatResourceAddress(move.from) === config.address &&
        wanted.has(move.from.key),
    )
    .map(movedObjectStillExists);
}

/** Returns the instances that the selection excludes, as the state has them. */
function outside(
  planning: Planning,
  resource: TargetResource,
  { current }: StoredResource,
): readonly (readonly [InstanceKey | undefined, Evaluated])[] {
  return [...current]
    .filter(([key]) => !isSelected(planning, resource, key))
    .map(([key, { value, sensitive }]) => [
      key,
      toEvaluated(resource.schema.attributes, value, sensitive),
    ]);
}

/** Lists the instances whose conditions the results contain. */
export function expectChecks(
  run: StackRun,
  { mode, type, name }: TargetResource,
  instances: readonly Repeated[],
): void {
  const objects = instances.map(({ key }) => formatAddress({ mode, type, name, key }));
  run.checks.expect(formatResourceAddress({ mode, type, name }), objects);
}

export function configuredResource(
  run: StackRun,
  node: ResourceNode,
): ConfiguredResource | undefined {
  const { stack, config } = node;
  const { mode, type, name } = config;
  const key = providerKey(config.provider);
  const schema = resourceSchema(run.context, config);
  const connection = run.connections.get(key);
  if ("problem" in schema || !connection) return undefined;
  return { stack, mode, type, name, providerKey: key, schema, connection, config, node };
}

/** Warns of `--replace` with the address of a resource that has instances. */
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
        printed`Your force-replace request for ${config.address} doesn't match any resource instances because it lacks an instance key.\n\nTo force replacement of particular instances, use one or more of the following options instead:\n${joined(each, "\n")}`,
      ),
    ],
    config.where,
  );
}
