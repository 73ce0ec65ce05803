import type { Reference } from "../../language";
import { formatNode, type ConfigurationNode } from "../graph/configuration";
import type { Graph } from "../graph/graph";
import type { PlannedInstance, PlannedReturn } from "../plan/planned-instance";
import type { StackRun } from "../plan/run";

/** One step of an apply. A replacement is two: `put` the new object, `destroy` the old one. */
export type ApplyNode =
  /** Passed when a stack may start. */
  | { readonly kind: "admitted"; readonly stack: string }
  /** Comes before every step of its stack. */
  | { readonly kind: "start"; readonly stack: string }
  /** Comes before every change of its stack, and after all changes of the stacks before it. */
  | { readonly kind: "recorded"; readonly stack: string }
  | GateNode
  | ApplyStep;

/** Passed when all changes of a stack are made. It does nothing itself, and other stacks wait for it. */
export interface GateNode {
  readonly kind: "applied";
  readonly stack: string;
}

/** A step of a stack that has started. */
export type ApplyStep =
  | { readonly kind: "block"; readonly stack: string; readonly node: ConfigurationNode }
  | PutNode
  | DestroyNode
  | RestoreNode
  /** Passed when some steps are done that each of others waits for. */
  | { readonly kind: "between"; readonly stack: string };

/** Creates, updates, reads or leaves as it is. */
export interface PutNode {
  readonly kind: "put";
  readonly stack: string;
  readonly change: PlannedInstance;
}

export interface DestroyNode {
  readonly kind: "destroy";
  readonly stack: string;
  readonly change: PlannedInstance;
}

/** Puts back what a recorded run replaced. */
export interface RestoreNode {
  readonly kind: "restore";
  readonly stack: string;
  readonly change: PlannedInstance;
  readonly rollback: PlannedReturn;
}

export function isGate(node: ApplyNode): node is GateNode {
  return node.kind === "applied";
}

export function formatStep(step: ApplyNode): string {
  const { kind, stack } = step;
  if (kind === "block") return `${stack}: ${formatNode(step.node)}`;
  return kind === "put" || kind === "destroy" || kind === "restore"
    ? `${stack}: ${kind} ${step.change.change.address}`
    : `${stack}: ${kind}`;
}

/** The steps of the objects of one stack. */
export interface Steps {
  /** By the address of the resource. */
  readonly puts: ReadonlyMap<string, readonly PutNode[]>;
  readonly destroys: readonly DestroyNode[];
  readonly destroysOf: ReadonlyMap<string, readonly DestroyNode[]>;
  /** Destroyed after their replacements, and after everything that starts to use these. */
  readonly late: ReadonlySet<DestroyNode>;
}

export function stepsOf(run: StackRun): Steps {
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
export function putsSomething({ change: { action } }: PlannedInstance): boolean {
  return action !== "delete" && action !== "forget";
}

/** Includes objects to forget: they are ordered like those to destroy. */
function destroysSomething(prepared: PlannedInstance): boolean {
  const { action } = prepared.change;
  const isReplaced = action === "delete-then-create" || action === "create-then-delete";
  return isReplaced || !putsSomething(prepared);
}

/** Reports whether the apply visits an object: also one that does not change, for its conditions. */
export function isApplied({ change: { action }, target: { config } }: PlannedInstance): boolean {
  if (action !== "no-op") return true;
  const { preconditions = [], postconditions = [] } = config?.lifecycle ?? {};
  return preconditions.length + postconditions.length > 0;
}

/** Returns the step of the instance that a reference names, or else all steps of its resource. */
export function namedBy<T extends Pick<PutNode, "change">>(
  { indexed, path: [key] }: Reference,
  steps: readonly T[],
): readonly T[] {
  const named = indexed ? steps.filter(({ change }) => change.target.instance.key === key) : [];
  return named.length > 0 ? named : steps;
}

/** Reports whether the plan was made with the provider configured. */
export function isConnected({ change }: DestroyNode): boolean {
  return change.target.connection !== undefined;
}

/**
 * Returns what the object of a change depends on, as the state recorded it. A deposed object is
 * ordered as the present object of its instance, as in Terraform.
 */
export function recordedDependencies(
  { present, state }: StackRun,
  { change, prior, target }: PlannedInstance,
): readonly string[] {
  const recorded = change.deposed === undefined ? prior?.stored : state.find(target.instance);
  return present(recorded?.dependencies ?? []);
}

/**
 * Deposed objects are late, like all that is replaced create first. Adds what late objects depended
 * on, unless a replacement waits for its destruction.
 */
function lateOnes(
  run: StackRun,
  destroys: readonly DestroyNode[],
  destroysOf: ReadonlyMap<string, readonly DestroyNode[]>,
): ReadonlySet<DestroyNode> {
  const late = destroys.filter(
    ({ change }) => change.createBeforeDestroy || change.change.deposed !== undefined,
  );
  const found = new Set(late);
  const visited = new Set<string>();
  for (const { change } of late) {
    for (const address of recordedDependencies(run, change)) {
      if (visited.has(address)) continue;
      visited.add(address);
      for (const destroy of destroysOf.get(address) ?? []) {
        if (found.has(destroy) || destroy.change.change.action !== "delete") continue;
        found.add(destroy);
        late.push(destroy);
      }
    }
  }
  return found;
}

/**
 * Makes each of some steps depend on each of others. One step between them takes n + m edges instead
 * of n × m.
 */
export function connectAll(
  graph: Graph<ApplyNode>,
  steps: readonly ApplyNode[],
  waits: readonly ApplyNode[],
): void {
  const [first] = steps;
  if (!first || waits.length === 0) return;
  if (steps.length === 1 || waits.length === 1) {
    for (const step of steps) for (const wait of waits) graph.connect(step, wait);
    return;
  }
  const between: ApplyNode = { kind: "between", stack: first.stack };
  for (const step of steps) graph.connect(step, between);
  for (const wait of waits) graph.connect(between, wait);
}

export function append<V>(lists: Map<string, V[]>, key: string, value: V): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}
