import { hasErrors } from "../../core/diagnostics";
import { groupBy } from "../../core/group-by";
import type { ConfigurationNode } from "../graph/configuration";
import { Graph } from "../graph/graph";
import { relatedStacks } from "../graph/stack-order";
import { findOrphans, type PlanNode } from "./orphans";
import { rollbackNode } from "./rollback";
import type { Planning } from "./run";

/**
 * Leaves out stacks with errors in their states, and those that depend on them: nothing of them is read
 * from a console. A destroy needs the states of other stacks, and not their plans. Before it, leaves out
 * empty stacks too, and the order of the others.
 */
export function planGraph(planning: Planning): Graph<PlanNode> {
  const { configuration, runs, selection, options } = planning;
  const { isBeforeDestroy } = options;
  if (options.mode === "rollback") return rollbackGraph(planning);
  const orphans = [...runs.values()].flatMap((run) => findOrphans(run, selection));
  const faulty = [...runs.values()].filter(({ diagnostics }) => hasErrors(diagnostics));
  const names = faulty.map(({ name }) => name);
  const contexts = new Map([...runs].map(([name, { context }]) => [name, context]));
  const dependents =
    options.mode === "destroy" || isBeforeDestroy
      ? []
      : relatedStacks(contexts, names, "after").keys();
  const excluded = new Set([...names, ...dependents]);
  const isPlanned = ({ stack }: PlanNode) => {
    const run = runs.get(stack);
    if (!run || excluded.has(stack)) return false;
    return !isBeforeDestroy || !run.isEmpty;
  };
  const nodes = [...(selection?.nodes ?? configuration.graph.nodes())].filter(isPlanned);
  const graph = subgraph(configuration.graph, nodes, (node, dependency) =>
    isBeforeDestroy ? sameStack(node, dependency) : isPlanned(dependency),
  );
  for (const orphan of orphans.filter(isPlanned)) graph.connect(orphan, orphan.provider);
  if (options.mode === "normal" && !isBeforeDestroy) connectStacks(graph, runs);
  return graph;
}

/**
 * Plans a stack after those that were declared to come before it: its objects may be on a console that
 * these plan to set up.
 */
function connectStacks(graph: Graph<PlanNode>, runs: Planning["runs"]): void {
  const afterOf = ({ stack }: PlanNode) => runs.get(stack)?.context.after ?? [];
  const nodes = [...graph.nodes()];
  const behind = nodes.filter((node) => node.kind === "provider" && afterOf(node).length > 0);
  if (behind.length === 0) return;
  const needed = new Set(nodes.flatMap((node) => [...graph.dependencies(node)]));
  const ends = nodes.filter((node) => !needed.has(node));
  const last = new Map(groupBy(ends, ({ stack }) => stack).map((group) => [group[0].stack, group]));
  for (const node of behind) {
    for (const dependency of afterOf(node).flatMap((stack) => last.get(stack) ?? [])) {
      graph.connect(node, dependency);
    }
  }
}

/** A rollback needs the providers of its stacks, and what these refer to. */
function rollbackGraph({ configuration, runs, options }: Planning): Graph<PlanNode> {
  const nodes = [...runs.values()]
    .filter(({ diagnostics }) => !hasErrors(diagnostics))
    .map((run) => rollbackNode(run, options.rollback.get(run.name)));
  const planned = new Set(nodes.map(({ stack }) => stack));
  const providers = nodes.flatMap((node) => [...node.providers.values()]);
  const needed = [...configuration.graph.closure(providers)];
  const own = needed.filter(({ stack }) => planned.has(stack));
  const graph = subgraph(configuration.graph, own, sameStack);
  for (const node of nodes) {
    graph.add(node);
    for (const provider of node.providers.values()) graph.connect(node, provider);
  }
  return graph;
}

/**
 * Returns the graph of nodes with their dependencies.
 *
 * @param waits Default: a node waits for all dependencies.
 */
export function subgraph(
  graph: Graph<ConfigurationNode>,
  nodes: Iterable<ConfigurationNode>,
  waits: (node: PlanNode, dependency: PlanNode) => boolean = () => true,
): Graph<PlanNode> {
  const part = new Graph<PlanNode>();
  for (const node of nodes) {
    part.add(node);
    for (const dependency of graph.dependencies(node)) {
      if (waits(node, dependency)) part.connect(node, dependency);
    }
  }
  return part;
}

function sameStack(node: PlanNode, dependency: PlanNode): boolean {
  return node.stack === dependency.stack;
}
