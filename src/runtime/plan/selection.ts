import { joined, printed } from "../../core/printed";
import { error, type Diagnostic } from "../../core/diagnostics";
import { compareStrings } from "../../core/values";
import type { ConfigurationGraph, ConfigurationNode, ResourceNode } from "../graph/configuration";
import { formatResourceAddress, parseAddress } from "../../core/documents/address";
import type { PlanMode } from "../../core/documents/stack-plan";
import type { StackRun } from "./run";
import { namesInstance, namesResource, type TargetSelection, type TargetAddress } from "./targets";

/**
 * Selects the targets with their dependencies; in a destroy with their dependents, as in Terraform.
 * Outputs are included if all their resources are.
 */
export function selectTargets(
  { graph, stacks }: ConfigurationGraph,
  runs: ReadonlyMap<string, StackRun>,
  mode: PlanMode,
  targets: readonly TargetAddress[],
): TargetSelection {
  const resources = [...stacks.values()].flatMap((nodes) => [...nodes.resources.values()]);
  const direct = resources.filter(({ config }) =>
    targets.some((target) => namesResource(target, config)),
  );
  const unmatched = targets.filter(
    (target) =>
      !direct.some(({ config }) => namesResource(target, config)) &&
      ![...runs.values()].some(
        ({ storedResources, moved }) =>
          [...storedResources.values()].some((resource) => namesResource(target, resource)) ||
          [...moved.previous.values()].some((address) => namesAddress(target, address)),
      ),
  );
  const selection = (
    nodes: ReadonlySet<ConfigurationNode>,
    others: ReadonlySet<string>,
  ): TargetSelection => ({
    nodes,
    names: (instance) => targets.some((target) => namesInstance(target, instance)),
    namesAnyOf: (resource) => targets.some((target) => namesResource(target, resource)),
    includes: (stack, instance) =>
      others.has(resourceKey(stack, formatResourceAddress(instance))) ||
      targets.some((target) => namesInstance(target, instance)),
    unmatched,
  });
  if (mode === "destroy") {
    const dependents = dependentsOf(graph, runs, direct, targets);
    const providers = [...graph.nodes()].filter(({ kind }) => kind === "provider");
    const doomed = resources.filter(
      (node) => direct.includes(node) || dependents.has(resourceKey(node.stack, node.address)),
    );
    return selection(graph.closure([...providers, ...doomed]), dependents);
  }
  const needed = graph.closure(direct);
  const dependencies = [...needed].flatMap((node) =>
    node.kind === "resource" && !direct.includes(node)
      ? [resourceKey(node.stack, node.address)]
      : [],
  );
  return selection(new Set([...needed, ...completeOutputs(graph, needed)]), new Set(dependencies));
}

/** Reports moved objects whose old or new address is not targeted. */
export function excludedMoves(
  runs: Iterable<StackRun>,
  targets: readonly TargetAddress[],
): readonly Diagnostic[] {
  const moves = [...runs].flatMap(({ moved }) => [...moved.previous].flat());
  const excluded = [...new Set(moves)]
    .filter((address) => !targets.some((target) => namesAddress(target, address)))
    .sort(compareStrings);
  if (excluded.length === 0) return [];
  const options = excluded.map((address) => `  --target='${address}'`);
  return [
    error(
      "Moved resource instances excluded by targeting",
      printed`Resource instances in your current state have moved to new addresses in the latest configuration. Terraform must include those resource instances while planning in order to ensure a correct result, but your --target=... options do not fully cover all of those resource instances.\n\nTo create a valid plan, either remove your --target=... options altogether or add the following additional target options:\n${joined(options, "\n")}\n\nNote that adding these options may include further additional resource instances in your plan, in order to respect object dependencies.`,
    ),
  ];
}

function namesAddress(target: TargetAddress, address: string): boolean {
  const instance = parseAddress(address);
  return instance !== undefined && namesInstance(target, instance);
}

/** Returns the outputs that depend on selected resources only, with their local values. */
function completeOutputs(
  graph: ConfigurationGraph["graph"],
  selected: ReadonlySet<ConfigurationNode>,
): readonly ConfigurationNode[] {
  return [...graph.nodes()].flatMap((node) => {
    if (node.kind !== "output") return [];
    const behind = graph.closure([node]);
    const resources = [...behind].filter(({ kind }) => kind === "resource");
    return resources.length > 0 && resources.every((one) => selected.has(one)) ? [...behind] : [];
  });
}

/**
 * Returns the resources that depend on a targeted one, transitively: by the state, and in other
 * stacks by the configuration.
 */
function dependentsOf(
  graph: ConfigurationGraph["graph"],
  runs: ReadonlyMap<string, StackRun>,
  direct: readonly ResourceNode[],
  targets: readonly TargetAddress[],
): ReadonlySet<string> {
  const reversed = graph.dependents();
  const reached = new Set<ConfigurationNode>(direct);
  for (const node of reached) {
    for (const dependent of reversed.get(node) ?? []) reached.add(dependent);
  }
  const dependents = new Set<string>();
  const own = new Set(direct.map(({ stack }) => stack));
  for (const node of reached) {
    if (node.kind !== "resource" || own.has(node.stack)) continue;
    dependents.add(resourceKey(node.stack, node.address));
  }
  for (const { name, storedResources, present } of runs.values()) {
    const stored = [...storedResources].map(([address, resource]) => ({
      address,
      instances: resource.instances,
      named: targets.some((target) =>
        resource.instances.some(({ indexKey: key }) => namesInstance(target, { ...resource, key })),
      ),
    }));
    const doomed = new Set(stored.flatMap(({ address, named }) => (named ? [address] : [])));
    for (const address of doomed) {
      for (const { address: other, instances } of stored) {
        const depends = instances.some((one) => present(one.dependencies).includes(address));
        if (!depends) continue;
        doomed.add(other);
        dependents.add(resourceKey(name, other));
      }
    }
  }
  return dependents;
}

function resourceKey(stack: string, resource: string): string {
  return JSON.stringify([stack, resource]);
}
