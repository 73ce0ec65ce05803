import type { Graph } from "../graph/graph";
import type { Planning, StackRun } from "../plan/run";
import {
  connectAll,
  isApplied,
  isConnected,
  recordedDependencies,
  type ApplyNode,
  type DestroyNode,
  type PutNode,
  type Steps,
} from "./steps";

/** Connects the destroys of a stack with each other, and with the puts around them. */
export function connectDestroys(
  graph: Graph<ApplyNode>,
  planning: Planning,
  run: StackRun,
  steps: Steps,
): void {
  const { puts, destroysOf, late } = steps;
  for (const [put, replaced] of replacements(steps)) {
    if (late.has(replaced)) graph.connect(replaced, put);
    else graph.connect(put, replaced);
  }
  connectDeposed(graph, steps);
  for (const [address, dependents] of dependentsOf(planning, run, steps)) {
    const own = destroysOf.get(address) ?? [];
    const present = (puts.get(address) ?? []).filter(({ change }) => isApplied(change));
    connectAll(graph, own, dependents.destroys);
    connectAll(graph, present, dependents.early);
    connectAll(graph, dependents.late, present);
    connectAll(
      graph,
      own.filter((destroy) => late.has(destroy)),
      dependents.puts,
    );
    connectAll(
      graph,
      dependents.waiting,
      own.filter((destroy) => !late.has(destroy)),
    );
  }
}

/** The steps of the objects that depend on one resource. */
interface DependentSteps {
  readonly destroys: DestroyNode[];
  /** The destroys that the present objects of the resource wait for. */
  readonly early: DestroyNode[];
  /** The destroys that wait for the present objects of the resource. */
  readonly late: DestroyNode[];
  /** The puts that late destroys of the resource wait for. */
  readonly puts: PutNode[];
  /** The puts that wait for the other destroys of the resource. */
  readonly waiting: PutNode[];
}

/** Returns the steps of dependents by the address of the resource that they depend on. */
function dependentsOf(
  { dependencies }: Planning,
  run: StackRun,
  steps: Steps,
): ReadonlyMap<string, DependentSteps> {
  const { puts, destroys, late } = steps;
  const found = new Map<string, DependentSteps>();
  const dependentsOn = (address: string): DependentSteps => {
    const known = found.get(address) ?? {
      destroys: [],
      early: [],
      late: [],
      puts: [],
      waiting: [],
    };
    found.set(address, known);
    return known;
  };
  for (const destroy of destroys) {
    for (const address of recordedDependencies(run, destroy.change)) {
      const dependents = dependentsOn(address);
      dependents.destroys.push(destroy);
      // Its provider may wait for any object.
      if (!isConnected(destroy)) continue;
      (late.has(destroy) ? dependents.late : dependents.early).push(destroy);
    }
  }
  const replacedBy = replacements(steps);
  for (const [address, own] of puts) {
    for (const put of own) {
      const { action } = put.change.change;
      if (action === "no-op" || action === "read") continue;
      const replaced = replacedBy.get(put);
      const recorded = recordedDependencies(run, put.change);
      for (const dependency of new Set([...recorded, ...put.change.dependencies])) {
        const dependents = dependentsOn(dependency);
        dependents.puts.push(put);
        // That destruction waits for the old object of this one, which exists longer than this step.
        if (!replaced || !late.has(replaced)) dependents.waiting.push(put);
      }
    }
    // The configuration may add dependents to a replacement that the state does not record yet.
    const node = run.context.nodes.resources.get(address);
    for (const dependency of node ? dependencies.of(node) : []) {
      const applied = own.filter(({ change }) => isApplied(change));
      dependentsOn(dependency.address).puts.push(...applied);
    }
  }
  return found;
}

/** Connects the deposed objects of instances that the apply visits: these are put first. */
function connectDeposed(graph: Graph<ApplyNode>, { puts, destroysOf }: Steps): void {
  for (const [address, destroys] of destroysOf) {
    const present = (puts.get(address) ?? []).filter(({ change }) => isApplied(change));
    const putOf = new Map(present.map((put) => [put.change.target.instance.key, put]));
    for (const destroy of destroys) {
      const { change, target } = destroy.change;
      const put = change.deposed === undefined ? undefined : putOf.get(target.instance.key);
      if (put) graph.connect(destroy, put);
    }
  }
}

/** Returns the destroys of replaced objects by the puts of the new ones. */
function replacements({ puts, destroys }: Steps): ReadonlyMap<PutNode, DestroyNode> {
  const destroyOf = new Map(destroys.map((destroy) => [destroy.change, destroy]));
  return new Map(
    [...puts.values()].flat().flatMap((put) => {
      const replaced = destroyOf.get(put.change);
      return replaced ? [[put, replaced] as const] : [];
    }),
  );
}
