import type { Reference } from "../../language";
import {
  blockReferences,
  referredNodes,
  type ConfigurationNode,
  type ResourceNode,
} from "../graph/configuration";
import { Graph } from "../graph/graph";
import type { Planning, StackRun } from "../plan/run";
import type { TargetSelection } from "../plan/targets";
import { isApplied, namedBy, type ApplyNode, type DestroyNode, type PutNode } from "./steps";

/**
 * Leaves out the steps that no target needs, as Terraform does. A plan covers all instances that a
 * target may need; an apply covers those that references name. It leaves out old objects that are
 * destroyed after their replacements, which stay deposed until the next plan.
 */
export function targetedSteps(
  graph: Graph<ApplyNode>,
  { runs }: Pick<Planning, "runs">,
  selection: TargetSelection,
): Graph<ApplyNode> {
  const needs = needsOf(graph, runs);
  const targets = [...needs.nodes()].filter((node) => isTarget(node, selection));
  const needed = new Set(needs.closure(targets));
  for (const output of [...needs.nodes()].filter(isOutput)) {
    const behind = needs.closure([output]);
    const objects = [...behind].filter(isOfResource);
    const isComplete = objects.length > 0 && objects.every((one) => needed.has(one));
    if (isComplete) for (const node of behind) needed.add(node);
  }
  const isKept = (node: ApplyNode) => needed.has(node) || !isCovered(node);
  const kept = new Graph<ApplyNode>();
  for (const node of [...graph.nodes()].filter(isKept)) {
    kept.add(node);
    for (const dependency of graph.dependencies(node)) {
      if (isKept(dependency)) kept.connect(node, dependency);
    }
  }
  return kept;
}

/** Reports whether targets decide about a step: not about gates, nor about what stays as it is. */
function isCovered(node: ApplyNode): boolean {
  return isGate(node) ? false : node.kind !== "put" || isApplied(node.change);
}

function isGate({ kind }: ApplyNode): boolean {
  return kind === "admitted" || kind === "start" || kind === "recorded" || kind === "applied";
}

function isTarget(node: ApplyNode, selection: TargetSelection): boolean {
  if (node.kind === "block") {
    return node.node.kind === "resource" && selection.namesAnyOf(node.node.config);
  }
  const isOfInstance = node.kind === "put" || node.kind === "destroy";
  return isOfInstance && selection.names(node.change.target.instance);
}

function isOutput(node: ApplyNode): boolean {
  return node.kind === "block" && node.node.kind === "output";
}

function isOfResource(node: ApplyNode): boolean {
  if (node.kind === "block") return node.node.kind === "resource";
  return node.kind === "put" || node.kind === "destroy";
}

/** The steps of one resource. */
interface ResourceSteps {
  readonly block: ApplyNode;
  readonly puts: PutNode[];
  readonly destroys: DestroyNode[];
}

/** Returns the steps that each covered step needs: of a resource, those that its references name. */
function needsOf(graph: Graph<ApplyNode>, runs: Planning["runs"]): Graph<ApplyNode> {
  const needs = new Graph<ApplyNode>();
  const covered = [...graph.nodes()].filter(isCovered);
  const steps = stepsOfResources(covered);
  for (const node of covered) {
    needs.add(node);
    for (const dependency of graph.dependencies(node)) {
      // The block of a resource waits for its objects, and needs none of them.
      const isOwn = node.kind === "block" && dependency.kind === "put";
      if (isCovered(dependency) && !isOwn) needs.connect(node, dependency);
    }
    const run = runs.get(node.stack);
    const own = run && configurationOf(run, node);
    if (!own) continue;
    const block = node.kind === "put" ? steps.get(own)?.block : undefined;
    if (block) needs.connect(node, block);
    for (const reference of blockReferences(run.context.config, own)) {
      for (const named of stepsNamedBy(reference, node, run, steps)) needs.connect(node, named);
    }
  }
  return needs;
}

/** Returns the steps of the objects that a reference names: of those that are destroyed first, too. */
function stepsNamedBy(
  reference: Reference,
  node: ApplyNode,
  run: StackRun,
  steps: ReadonlyMap<ConfigurationNode, ResourceSteps>,
): readonly ApplyNode[] {
  const follows = node.kind === "put" && !node.change.createBeforeDestroy;
  return referredNodes(run.context.nodes, [reference]).flatMap((referred) => {
    const { puts = [], destroys = [] } = steps.get(referred) ?? {};
    const early = follows ? destroys.filter(({ change }) => !change.createBeforeDestroy) : [];
    return [...namedBy(reference, puts), ...namedBy(reference, early)];
  });
}

function stepsOfResources(
  nodes: readonly ApplyNode[],
): ReadonlyMap<ConfigurationNode, ResourceSteps> {
  const steps = new Map<ConfigurationNode, ResourceSteps>();
  const byAddress = new Map<string, ResourceSteps>();
  for (const block of nodes) {
    if (block.kind !== "block" || block.node.kind !== "resource") continue;
    const own: ResourceSteps = { block, puts: [], destroys: [] };
    steps.set(block.node, own);
    byAddress.set(resourceKey(block.node), own);
  }
  for (const node of nodes) {
    if (node.kind !== "put" && node.kind !== "destroy") continue;
    const { config } = node.change.target;
    const own =
      config && byAddress.get(resourceKey({ stack: node.stack, address: config.address }));
    if (node.kind === "put") own?.puts.push(node);
    else own?.destroys.push(node);
  }
  return steps;
}

/** Returns the block in the configuration that a step belongs to. */
function configurationOf(run: StackRun, node: ApplyNode): ConfigurationNode | undefined {
  if (node.kind === "block") return node.node;
  if (node.kind !== "put") return undefined;
  return run.context.nodes.resources.get(node.change.target.config?.address ?? "");
}

function resourceKey({ stack, address }: Pick<ResourceNode, "stack" | "address">): string {
  return JSON.stringify([stack, address]);
}
