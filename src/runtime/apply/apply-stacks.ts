import { error } from "../../core/diagnostics";
import type { Journal } from "../../backends";
import { checkAssertions, isValid } from "../plan/conditions";
import { REMOTE_STATE, type ConfigurationNode } from "../graph/configuration";
import type { Graph } from "../graph/graph";
import { relatedStacks } from "../graph/stack-order";
import { walk, type Pause, type Visited } from "../graph/walk";
import { openEphemeral } from "../plan/ephemeral";
import type { ChangeCounts } from "../../core/documents/stack-plan";
import { encodeReached, evaluateOutput, isKnown } from "../plan/outputs";
import { evaluateLocal, evaluateRemoteState } from "../plan/plan-stacks";
import { configureProviderBlock } from "../plan/configure-provider";
import { PATIENCE_MS, type Planning, type StackRun } from "../plan/run";
import { applyGraph } from "./apply-graph";
import { createdFirst } from "./created-first";
import { destroyObject, forget } from "./destroy";
import type { Pace } from "./pace";
import { put } from "./put";
import { restore } from "./restore";
import { StackApply } from "./stack-apply";
import { recordPlanned, startStack } from "./start-stack";
import { formatStep, isGate, putsSomething, type ApplyNode, type ApplyStep } from "./steps";

/** The connection of an apply with the stores of the stacks, and with what paces it. */
export interface ApplyControl {
  readonly pace: Pace;
  /** Opens the journal of a stack. Undefined after an error, which is in the run. */
  readonly openJournal: (run: StackRun) => Promise<Journal | undefined>;
  /**
   * Called once for each stack that was started, when its last step is done.
   *
   */
  readonly ended: (run: StackRun, counts: ChangeCounts, end: StackEnd) => void;
}

/**
 * The end of a stack: `unfinished` if steps are left, because of an error or an interruption. Then it is
 * `kept` if none of its objects was changed and it has no error itself, or the record of the run has
 * nothing of it, as if it was not started, and `untouched` if it would have had to ask before it writes, too.
 */
export type StackEnd = "complete" | "unfinished" | "kept" | "untouched";

/**
 * Executes the plans of all stacks together. The result for each object is durable in the journals
 * before anything that depends on it starts. The runs hold the states to write at their ends.
 *
 * The diagnostics and the state of a stack are in its run.
 */
export async function applyPlannedStacks(
  planning: Planning,
  graph: Graph<ApplyNode>,
  control: ApplyControl,
): Promise<void> {
  const { options, runs } = planning;
  const { pace } = control;
  const first = createdFirst(planning);
  /** The stacks that were started. */
  const started = new Map<string, StackApply>();
  const begin = (run: StackRun): StackApply => {
    const { beforeWrite, record } = pace;
    const applying = new StackApply(run, options, first, {
      openJournal: () => control.openJournal(run),
      waitUntil: pace.waitUntil,
      ...(beforeWrite && { permit: () => beforeWrite(run.name) }),
      ...(record && { record: record.bind(undefined, run.name) }),
    });
    started.set(run.name, applying);
    return applying;
  };
  const planned = new Map([...runs].map(([name, { checks }]) => [name, checks]));
  const { acyclic, excluded } = withoutCycles(planning, graph);
  const open = stepsLeft(acyclic);
  const noteErrors = (run: StackRun | undefined): void => {
    if (run?.hasErrors) pace.failed?.(run.name);
  };
  const end = (name: string, unfinished: boolean): void => {
    const applying = started.get(name);
    if (!open.delete(name) || !applying) return;
    const { run, counts, isUntouched, isUnchanged, isUnrecorded } = applying;
    noteErrors(run);
    // A refresh-only apply evaluates outputs only, and a destroy nothing.
    const checks = options.mode === "normal" ? run.checks : planned.get(name);
    endOutputs(run);
    if (options.mode !== "rollback") run.state.setCheckResults(checks?.encode() ?? null);
    const kept = isUntouched ? "untouched" : isUnchanged ? "kept" : "unfinished";
    // Outputs that are stored alone would change the state without a record.
    const hasFailed = run.hasErrors && !(isUnrecorded && isUnchanged);
    control.ended(run, counts, !unfinished ? "complete" : hasFailed ? "unfinished" : kept);
  };
  for (const name of excluded) {
    const run = runs.get(name);
    if (!run) continue;
    open.set(name, { steps: 0, failed: true });
    begin(run);
    end(name, true);
  }
  await walk(acyclic, {
    parallelism: options.parallelism,
    patience: PATIENCE_MS,
    stop: options.stop,
    rank: ranks(planning, pace.order),
    visit: (node, pause) => {
      const run = runs.get(node.stack);
      if (!run) throw new Error(`no run of stack ${node.stack}`);
      if (node.kind === "admitted") return admit(pace, node.stack);
      if (node.kind === "start") {
        if (pace.start?.(node.stack) === false) return false;
        startStack(begin(run), planning);
        return true;
      }
      // All steps that a gate waits for are done. A gate without any is passed before its stack starts.
      if (isGate(node)) return true;
      const applying = started.get(node.stack);
      if (applying?.isHalted !== false) return false;
      if (node.kind === "recorded") return recordPlanned(applying);
      const visited = visit(planning, applying, node, pause);
      if (typeof visited === "boolean") return visited;
      // Another step can start while the result is recorded: the error is reported before.
      return visited.finally(() => {
        noteErrors(run);
      });
    },
    settled: ({ stack }, visited) => {
      const left = open.get(stack);
      if (!left) return;
      noteErrors(runs.get(stack));
      left.failed ||= !visited;
      if (--left.steps === 0) end(stack, left.failed);
    },
    describe: formatStep,
  });
  for (const name of [...open.keys()]) end(name, true);
}

/** The number of steps of each stack that are not settled. */
function stepsLeft(graph: Graph<ApplyNode>): Map<string, { steps: number; failed: boolean }> {
  const open = new Map<string, { steps: number; failed: boolean }>();
  for (const { stack } of graph.nodes()) {
    const left = open.get(stack) ?? { steps: 0, failed: false };
    left.steps++;
    open.set(stack, left);
  }
  return open;
}

/** Ranks steps by the order of their stacks: what is started is completed first. */
function ranks(
  { runs, options: { mode } }: Planning,
  order: readonly string[] = mode === "destroy" ? [...runs.keys()].reverse() : [...runs.keys()],
): (node: ApplyNode) => number {
  const rank = new Map(order.map((name, at) => [name, at]));
  return ({ stack }) => rank.get(stack) ?? order.length;
}

function admit({ admit: wait }: Pace, stack: string): boolean | Promise<Visited> {
  const admitted = wait?.(stack);
  return admitted === undefined || Promise.resolve({ settled: admitted.then(() => true) });
}

function visit(
  planning: Planning,
  applying: StackApply,
  node: ApplyStep,
  pause: Pause,
): boolean | Promise<Visited> {
  switch (node.kind) {
    case "between":
      return true;
    case "put":
      return put(applying, node.change, pause);
    case "destroy":
      if (node.change.change.action === "forget") return forget(applying, node.change);
      return destroyObject(applying, node.change, pause);
    case "restore":
      return restore(applying, node.change, node.rollback, pause);
    case "block":
      return visitBlock(planning, applying, node.node);
  }
}

/** Evaluates a block with the values that the apply has made known. */
function visitBlock(
  planning: Planning,
  { run, values }: StackApply,
  node: ConfigurationNode,
): boolean | Promise<boolean> {
  if (planning.selection?.nodes.has(node) === false) return true;
  // A destroy evaluates only what connects to consoles that were not known before.
  const connects = node.kind === "provider" || node.kind === "ephemeral";
  if (planning.options.mode === "destroy" && !connects) return true;
  switch (node.kind) {
    case "provider": {
      const configured = run.connections.get(node.key);
      return configured?.connection === undefined && configured !== undefined
        ? configureProviderBlock(run, node)
        : true;
    }
    case "variable":
      return isValid(run, node);
    case "local":
      return evaluateLocal(run, node);
    case "output": {
      const value = evaluateOutput(run, node);
      if (value === undefined) return false;
      const planned = run.outputs.get(node.name);
      if (planned) run.outputs.set(node.name, { change: planned.change, value });
      if (!isKnown(planned?.value)) run.state.setOutput(node.name, encodeReached(node, value));
      return true;
    }
    case "check":
      return checkAssertions(run, node);
    case "ephemeral":
      return !run.ephemerals.isDeferred(node.address) || openEphemeral(planning, run, node);
    case "resource": {
      if (node.config.type === REMOTE_STATE) return evaluateRemoteState(planning, run, node);
      const changes = (run.changes.get(node.address) ?? []).filter(putsSomething);
      if (changes.every(({ change }) => change.action === "no-op")) return true;
      run.setInstances(
        node.config,
        changes.map(({ change, target }) => [target.instance.key, values.get(change)] as const),
      );
      return true;
    }
  }
}

/** Removes outputs that have no block or are null. */
function endOutputs(run: StackRun): void {
  for (const [name, { change, value }] of run.outputs) {
    if (change.action === "delete" && value === undefined) {
      run.state.setOutput(name, null);
    }
  }
}

/** Reports cycles. Stacks with a cycle are excluded, and those that are ordered by them. */
function withoutCycles(
  planning: Planning,
  graph: Graph<ApplyNode>,
): { acyclic: Graph<ApplyNode>; excluded: ReadonlySet<string> } {
  const { runs } = planning;
  const cycles = graph.cycles();
  if (cycles.length === 0) return { acyclic: graph, excluded: new Set() };
  for (const cycle of cycles) reportCycle(runs, cycle);
  const cyclic = cycles.flatMap((cycle) => cycle.map(({ stack }) => stack));
  const contexts = new Map([...runs].map(([name, { context }]) => [name, context]));
  const excluded = new Set([
    ...cyclic,
    ...relatedStacks(contexts, cyclic, "after").keys(),
    ...relatedStacks(contexts, cyclic, "before").keys(),
  ]);
  const others = new Map([...runs].filter(([name]) => !excluded.has(name)));
  return { acyclic: applyGraph({ ...planning, runs: others }), excluded };
}

function reportCycle(runs: ReadonlyMap<string, StackRun>, cycle: readonly ApplyNode[]): void {
  const steps = cycle.flatMap((node) => {
    if (node.kind === "put") return [`${node.change.change.address} (create or update)`];
    return node.kind === "destroy" ? [`${node.change.change.address} (destroy)`] : [];
  });
  const found = error(
    "Cycle",
    `The changes depend on each other in a cycle: ${[...steps, steps[0]].join(" → ")}. Apply them in two runs, or remove create_before_destroy.`,
  );
  runs.get(cycle[0]?.stack ?? "")?.report([found]);
}
