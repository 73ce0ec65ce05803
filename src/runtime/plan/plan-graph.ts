import { hasErrors } from "../../core/diagnostics";
import type { ConfigurationNode } from "../graph/configuration";
import { Graph } from "../graph/graph";
import { relatedStacks } from "../graph/stack-order";
import { isEmpty } from "../../core/documents/state";
import { findOrphans, type PlanNode } from "./orphans";
import type { Planning } from "./run";

/**
 * Leaves out stacks with errors in their states: nothing of them is read from a console. Before a
 * destroy, leaves out empty ones too, and the order of the others: they read the states of each other.
 */
export function planGraph({ configuration, runs, selection, options }: Planning): Graph<PlanNode> {
  const { isBeforeDestroy } = options;
  const orphans = [...runs.values()].flatMap((run) => findOrphans(run, selection));
  const faulty = [...runs.values()].filter(({ diagnostics }) => hasErrors(diagnostics));
  const names = faulty.map(({ name }) => name);
  const contexts = new Map([...runs].map(([name, { context }]) => [name, context]));
  const excluded = new Set([...names, ...relatedStacks(contexts, names, "after").keys()]);
  const isPlanned = ({ stack }: PlanNode) => {
    const run = runs.get(stack);
    if (!run || excluded.has(stack)) return false;
    return !isBeforeDestroy || (run.stored !== undefined && !isEmpty(run.stored));
  };
  const nodes = [...(selection?.nodes ?? configuration.graph.nodes())].filter(isPlanned);
  const graph = subgraph(configuration.graph, nodes, isBeforeDestroy ? sameStack : undefined);
  for (const orphan of orphans.filter(isPlanned)) graph.connect(orphan, orphan.provider);
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
