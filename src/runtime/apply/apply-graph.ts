import { allNodes, formatNode, type ConfigurationNode } from "../graph/configuration";
import { Graph } from "../graph/graph";
import { readBy, stacksBefore } from "../graph/stack-order";
import type { PreparedChange } from "../plan/prepared";
import type { Planning, StackRun } from "../plan/run";

/** One step of an apply. A replacement is two: `put` the new object, `destroy` the old one. */
export type ApplyNode =
  /** Passed when a stack may start. */
  | { readonly kind: "admitted"; readonly stack: string }
  /** Comes before every step of its stack. */
  | { readonly kind: "start"; readonly stack: string }
  | { readonly kind: "block"; readonly stack: string; readonly node: ConfigurationNode }
  | PutNode
  | DestroyNode
  /** Passed when everything that a stack creates or updates exists. */
  | { readonly kind: "applied"; readonly stack: string }
  /** Passed when the objects of a stack that are destroyed first no longer exist. */
  | { readonly kind: "destroyed"; readonly stack: string };

/** Creates, updates, reads or leaves as it is. */
export interface PutNode {
  readonly kind: "put";
  readonly stack: string;
  readonly change: PreparedChange;
}

export interface DestroyNode {
  readonly kind: "destroy";
  readonly stack: string;
  readonly change: PreparedChange;
}

export function formatStep(step: ApplyNode): string {
  const { kind, stack } = step;
  if (kind === "block") return `${stack}: ${formatNode(step.node)}`;
  return kind === "put" || kind === "destroy"
    ? `${stack}: ${kind} ${step.change.change.address}`
    : `${stack}: ${kind}`;
}

/**
 * The order of an apply:
 * - an object is put after everything that its block refers to, and a block represents all its objects;
 * - an object is destroyed after those that depended on it, as state recorded it, are destroyed;
 * - what depended on a destroyed object, and what that depended on, is put after that, but before
 *   it where the destruction waits for the new object (`create_before_destroy`);
 * - the data source of a check is read after everything else is put;
 * - what one stack destroys comes after what the stacks behind it destroy;
 * - a stack that was declared to come after another one, and reads none of its outputs, waits for
 *   all of it.
 */
export function applyGraph(planning: Planning): Graph<ApplyNode> {
  const graph = new Graph<ApplyNode>();
  const block = blockSteps();
  const gates = gatesOf(planning);
  for (const run of planning.runs.values()) {
    const steps = stepsOf(run);
    const own = gates.get(run.name);
    for (const node of allNodes(run.context.nodes)) {
      const self = block(node);
      graph.add(self);
      const waits = [...planning.configuration.graph.dependencies(node)].map(block);
      for (const dependency of waits) graph.connect(self, dependency);
      if (own) graph.connect(own.applied, self);
      if (node.kind !== "resource") continue;
      waits.push(...declaredBefore(run).flatMap((other) => gates.get(other)?.applied ?? []));
      for (const put of steps.puts.get(node.address) ?? []) {
        graph.connect(self, put);
        for (const dependency of waits) graph.connect(put, dependency);
      }
    }
    connectChecks(graph, steps);
    connectDestroys(graph, planning, run, steps, block);
    for (const destroy of steps.destroys) {
      const first = !steps.late.has(destroy) && isConnected(destroy);
      if (first && own) graph.connect(own.destroyed, destroy);
    }
  }
  connectStacks(graph, planning, gates);
  connectStarts(graph, gates);
  return graph;
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

function isGate({ kind }: ApplyNode): boolean {
  return kind === "applied" || kind === "destroyed";
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

interface Steps {
  /** By the address of the resource. */
  readonly puts: ReadonlyMap<string, readonly PutNode[]>;
  readonly destroys: readonly DestroyNode[];
  readonly destroysOf: ReadonlyMap<string, readonly DestroyNode[]>;
  /** Destroyed after their replacements, and after everything that starts to use these. */
  readonly late: ReadonlySet<DestroyNode>;
}

function stepsOf(run: StackRun): Steps {
  const { name: stack, changes } = run;
  const puts = new Map<string, PutNode[]>();
  const destroysOf = new Map<string, DestroyNode[]>();
  for (const [address, prepared] of changes) {
    for (const change of prepared) {
      if (putsSomething(change)) append(puts, address, { kind: "put", stack, change });
      if (destroysSomething(change))
        append(destroysOf, address, { kind: "destroy", stack, change });
    }
  }
  const destroys = [...destroysOf.values()].flat();
  return { puts, destroys, destroysOf, late: lateOnes(run, destroys, destroysOf) };
}

/** Reports whether an object exists after the change. */
export function putsSomething({ change: { action } }: PreparedChange): boolean {
  return action !== "delete" && action !== "forget";
}

/** Includes objects to forget: they are ordered like those to destroy. */
function destroysSomething(prepared: PreparedChange): boolean {
  const { action } = prepared.change;
  const isReplaced = action === "delete-then-create" || action === "create-then-delete";
  return isReplaced || !putsSomething(prepared);
}

/** Adds what late objects depended on, unless a replacement waits for its destruction. */
function lateOnes(
  run: StackRun,
  destroys: readonly DestroyNode[],
  destroysOf: ReadonlyMap<string, readonly DestroyNode[]>,
): ReadonlySet<DestroyNode> {
  const late = destroys.filter(
    ({ change }) => change.createBeforeDestroy && change.change.deposed === undefined,
  );
  const found = new Set(late);
  for (const { change } of late) {
    for (const address of recordedDependencies(run, change)) {
      for (const destroy of destroysOf.get(address) ?? []) {
        if (found.has(destroy) || destroy.change.change.action !== "delete") continue;
        found.add(destroy);
        late.push(destroy);
      }
    }
  }
  return found;
}

function connectChecks(graph: Graph<ApplyNode>, { puts }: Steps): void {
  const all = [...puts.values()].flat();
  const isScoped = ({ change }: PutNode) => change.target.config?.check !== undefined;
  for (const scoped of all.filter(isScoped)) {
    for (const other of all) if (!isScoped(other)) graph.connect(scoped, other);
  }
}

function connectDestroys(
  graph: Graph<ApplyNode>,
  { dependencies }: Planning,
  run: StackRun,
  { puts, destroys, destroysOf, late }: Steps,
  block: (node: ConfigurationNode) => ApplyNode,
): void {
  for (const destroy of destroys) {
    graph.add(destroy);
    const provider = run.context.nodes.providers.get(destroy.change.target.providerKey);
    if (provider && !isConnected(destroy)) graph.connect(destroy, block(provider));
    for (const address of recordedDependencies(run, destroy.change)) {
      for (const dependency of destroysOf.get(address) ?? []) graph.connect(dependency, destroy);
      // Its provider may wait for any object; nothing waits for a deposed one.
      if (!isConnected(destroy) || destroy.change.change.deposed !== undefined) continue;
      for (const put of puts.get(address) ?? []) {
        if (late.has(destroy)) graph.connect(destroy, put);
        else graph.connect(put, destroy);
      }
    }
  }
  for (const [address, own] of puts) {
    const node = run.context.nodes.resources.get(address);
    for (const put of own) {
      const { action } = put.change.change;
      if (action === "no-op" || action === "read") continue;
      const replaced = destroysOf.get(address)?.find(({ change }) => change === put.change);
      const first = replaced !== undefined && late.has(replaced);
      for (const dependency of recordedDependencies(run, put.change)) {
        for (const destroy of destroysOf.get(dependency) ?? []) {
          if (late.has(destroy)) graph.connect(destroy, put);
          // That destruction waits for the old object of this one, which exists longer than this step.
          else if (!first) graph.connect(put, destroy);
        }
      }
      if (first) graph.connect(replaced, put);
      else if (replaced) graph.connect(put, replaced);
    }
    // The configuration may add dependents to a replacement that the state does not record yet.
    for (const dependency of node ? dependencies.of(node) : []) {
      for (const destroy of destroysOf.get(dependency.address) ?? []) {
        if (late.has(destroy)) for (const put of own) graph.connect(destroy, put);
      }
    }
  }
}

interface Gates {
  readonly admitted: ApplyNode;
  readonly start: ApplyNode;
  readonly applied: ApplyNode;
  readonly destroyed: ApplyNode;
}

function gatesOf({ runs }: Planning): ReadonlyMap<string, Gates> {
  return new Map(
    [...runs.keys()].map((stack) => [
      stack,
      {
        admitted: { kind: "admitted", stack },
        start: { kind: "start", stack },
        applied: { kind: "applied", stack },
        destroyed: { kind: "destroyed", stack },
      },
    ]),
  );
}

/** Returns the stacks that a stack waits for as a whole, because it reads none of their outputs. */
function declaredBefore({ context }: StackRun): readonly string[] {
  const read = readBy(context);
  return context.after.filter((stack) => !read.has(stack));
}

function connectStacks(
  graph: Graph<ApplyNode>,
  { runs }: Planning,
  gates: ReadonlyMap<string, Gates>,
): void {
  const behind = new Map<string, ApplyNode[]>();
  for (const run of runs.values()) {
    const gate = gates.get(run.name)?.destroyed;
    if (!gate) continue;
    for (const stack of stacksBefore(run.context)) append(behind, stack, gate);
  }
  for (const node of graph.nodes()) {
    if (node.kind !== "destroy") continue;
    for (const gate of behind.get(node.stack) ?? []) graph.connect(node, gate);
  }
}

function connectStarts(graph: Graph<ApplyNode>, gates: ReadonlyMap<string, Gates>): void {
  for (const node of [...graph.nodes()]) {
    const start = gates.get(node.stack)?.start;
    if (start && !isGate(node)) graph.connect(node, start);
  }
  for (const { start, admitted } of gates.values()) graph.connect(start, admitted);
}

/** Reports whether the plan was made with the provider configured. */
function isConnected({ change }: DestroyNode): boolean {
  return change.target.connection !== undefined;
}

function recordedDependencies({ present }: StackRun, { prior }: PreparedChange): readonly string[] {
  return present(prior?.stored.dependencies ?? []);
}

function append<V>(lists: Map<string, V[]>, key: string, value: V): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}
