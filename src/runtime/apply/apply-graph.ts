import { allNodes, type ConfigurationNode } from "../graph/configuration";
import { Graph } from "../graph/graph";
import { stacksBefore } from "../graph/stack-order";
import type { Planning } from "../plan/run";
import { connectDestroys } from "./destroy-order";
import { rollbackGraph } from "./restore";
import {
  connectAll,
  isConnected,
  isGate,
  stepsOf,
  type ApplyNode,
  type PutNode,
  type Steps,
} from "./steps";
import { targetedSteps } from "./targeted-steps";

/**
 * The order of an apply:
 * - an object is put after everything that its block refers to, and a block represents all its objects;
 * - an object is destroyed after those that depended on it, as state recorded it, are destroyed;
 * - what depended on a destroyed object, and what that depended on, is put after that, but before
 *   it where the destruction waits for the new object (`create_before_destroy`);
 * - the data source of a check is read after everything else is put;
 * - a stack that reads outputs of another one, or was declared to come after it, is changed when all of
 *   that is done. cdktf declares the order for each reference to an output, and applies whole stacks;
 * - a destroy begins with the stacks that no other one waits for.
 */
export function applyGraph(planning: Planning): Graph<ApplyNode> {
  if (planning.options.mode === "rollback") return rollbackGraph(planning);
  const graph = new Graph<ApplyNode>();
  const block = blockSteps();
  const gates = gatesOf(planning);
  for (const run of planning.runs.values()) {
    const steps = stepsOf(run);
    for (const node of allNodes(run.context.nodes)) {
      const self = block(node);
      graph.add(self);
      // A destroy may exclude a stack that others depend on.
      const waits = [...planning.configuration.graph.dependencies(node)]
        .filter(({ stack }) => planning.runs.has(stack))
        .map(block);
      for (const dependency of waits) graph.connect(self, dependency);
      if (node.kind !== "resource") continue;
      for (const put of steps.puts.get(node.address) ?? []) {
        graph.connect(self, put);
        for (const dependency of waits) graph.connect(put, dependency);
      }
    }
    const reads = allNodes(run.context.nodes).filter(
      (node) => node.kind === "resource" && node.config.check !== undefined,
    );
    connectChecks(graph, steps, reads.map(block));
    for (const destroy of steps.destroys) {
      graph.add(destroy);
      const provider = run.context.nodes.providers.get(destroy.change.target.providerKey);
      if (provider && !isConnected(destroy)) graph.connect(destroy, block(provider));
    }
    connectDestroys(graph, planning, run, steps);
  }
  connectStacks(graph, planning, gates);
  connectStarts(graph, gates);
  const { selection, options } = planning;
  return selection && options.mode === "normal" ? targetedSteps(graph, planning, selection) : graph;
}

/**
 * Returns the stacks with steps that come after steps of other stacks, each with these.
 *
 * @param graph The graph of an apply.
 */
export function stacksAwaited(graph: Graph<ApplyNode>): ReadonlyMap<string, ReadonlySet<string>> {
  const awaited = new Map<string, Set<string>>();
  for (const node of graph.nodes()) {
    for (const dependency of graph.dependencies(node)) {
      if (dependency.stack === node.stack) continue;
      // A gate without steps is passed at once.
      const isPassed = graph.dependencies(dependency).size === 0;
      if (isGate(dependency) && isPassed) continue;
      const stacks = awaited.get(node.stack) ?? new Set();
      awaited.set(node.stack, stacks.add(dependency.stack));
    }
  }
  return awaited;
}

/** The one step that evaluates a block. */
function blockSteps(): (node: ConfigurationNode) => ApplyNode {
  const steps = new Map<ConfigurationNode, ApplyNode>();
  return (node) => {
    const step = steps.get(node) ?? { kind: "block", stack: node.stack, node };
    steps.set(node, step);
    return step;
  };
}

function connectChecks(
  graph: Graph<ApplyNode>,
  { puts }: Steps,
  reads: readonly ApplyNode[],
): void {
  const all = [...puts.values()].flat();
  const isScoped = ({ change }: PutNode) => change.target.config?.check !== undefined;
  connectAll(
    graph,
    [...reads, ...all.filter(isScoped)],
    all.filter((put) => !isScoped(put)),
  );
}

interface Gates {
  readonly admitted: ApplyNode;
  readonly start: ApplyNode;
  readonly recorded: ApplyNode;
  readonly applied: ApplyNode;
}

function gatesOf({ runs }: Planning): ReadonlyMap<string, Gates> {
  return new Map(
    [...runs.keys()].map((stack) => [
      stack,
      {
        admitted: { kind: "admitted", stack },
        start: { kind: "start", stack },
        recorded: { kind: "recorded", stack },
        applied: { kind: "applied", stack },
      },
    ]),
  );
}

/** Changes one stack after the other. A destroy begins with the stacks that no other one needs. */
function connectStacks(
  graph: Graph<ApplyNode>,
  { runs, options }: Planning,
  gates: ReadonlyMap<string, Gates>,
): void {
  const isDestroy = options.mode === "destroy";
  for (const node of [...graph.nodes()]) {
    const own = gates.get(node.stack);
    if (!own) continue;
    const isChange = node.kind === "put" || node.kind === "destroy";
    if (isChange) graph.connect(node, own.recorded);
    // A destroy evaluates few blocks, and no other stack needs them.
    if (isChange || (node.kind === "block" && !isDestroy)) graph.connect(own.applied, node);
  }
  for (const { name, context } of runs.values()) {
    for (const needed of stacksBefore(context)) {
      const [first, second] = (isDestroy ? [name, needed] : [needed, name]).map((one) =>
        gates.get(one),
      );
      if (first && second) graph.connect(second.recorded, first.applied);
    }
  }
}

function connectStarts(graph: Graph<ApplyNode>, gates: ReadonlyMap<string, Gates>): void {
  for (const node of [...graph.nodes()]) {
    const start = gates.get(node.stack)?.start;
    if (start && !isGate(node)) graph.connect(node, start);
  }
  for (const { start, admitted } of gates.values()) graph.connect(start, admitted);
}
