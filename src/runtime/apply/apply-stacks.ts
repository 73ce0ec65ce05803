import type { Diagnostic } from "../../provider/diagnostics";
import type { Journal, JournalRecord } from "../backends/backend";
import { checkAssertions, isValid } from "../plan/conditions";
import { REMOTE_STATE, type ConfigurationNode } from "../graph/configuration";
import type { Graph } from "../graph/graph";
import { relatedStacks } from "../graph/stack-order";
import { walk, type Visited } from "../graph/walk";
import { openEphemeral } from "../plan/ephemeral";
import type { ChangeCounts } from "../documents/stack-plan";
import { encodeOutput, encodeReached, evaluateOutput } from "../plan/outputs";
import { evaluateLocal, evaluateRemoteState } from "../plan/plan-stacks";
import { configureProvider } from "../plan/configure-provider";
import type { PreparedChange } from "../plan/prepared";
import type { Planning, StackRun } from "../plan/run";
import { formatAddress } from "../state/address";
import { listInstances, setOutput } from "../state/instances";
import { applyGraph, formatStep, putsSomething, type ApplyNode } from "./apply-graph";
import { record, type Applying } from "./applying";
import { destroy } from "./destroy";
import { put } from "./put";
import { forget, recordImport } from "./state-only";

export interface AppliedStacks {
  /** The completed changes, by stack. */
  readonly counts: ReadonlyMap<string, ChangeCounts>;
  /** The stacks that have steps left, because of an error or an interruption. */
  readonly unfinished: ReadonlySet<string>;
}

/**
 * Executes the plans of all stacks together. The result for each object is durable in the journals
 * before anything that depends on it starts. The runs hold the states to write at the end.
 *
 * The diagnostics and the state of a stack are in its run.
 */
export async function applyStacks(
  planning: Planning,
  journals: ReadonlyMap<string, Journal>,
): Promise<AppliedStacks> {
  const { options, runs } = planning;
  const planned = new Map([...runs].map(([name, { checks }]) => [name, checks]));
  const applying: Applying = {
    planning,
    journals,
    halted: new Set(),
    values: new Map(),
    imported: new Set(),
    deposed: new Map(),
    counts: new Map(
      [...runs.keys()].map((name) => [name, { import: 0, add: 0, change: 0, destroy: 0 }]),
    ),
  };
  for (const run of runs.values()) {
    run.values.applying = true;
    run.checks = run.checks.restarted();
    beginOutputs(run);
  }
  const { graph, excluded } = acyclicGraph(planning);
  const started = [...runs.values()].filter(({ name }) => !excluded.has(name));
  await Promise.all(started.map((run) => recordMoves(applying, run)));
  const unvisited = await walk(graph, {
    parallelism: options.parallelism,
    stop: options.stop,
    visit: (node) => {
      const run = runs.get(node.stack);
      if (!run) throw new Error(`no run of stack ${node.stack}`);
      return !applying.halted.has(run.name) && visit(applying, run, node);
    },
    describe: formatStep,
  });
  for (const run of runs.values()) {
    endOutputs(run);
    // A refresh-only apply evaluates outputs only, and a destroy nothing.
    const checks = options.mode === "normal" ? run.checks : planned.get(run.name);
    run.state = { ...run.state, checkResults: checks?.encode() ?? null };
  }
  const unfinished = new Set([...excluded, ...[...unvisited].map(({ stack }) => stack)]);
  return { counts: applying.counts, unfinished };
}

/** Reports whether a stack has changes that must be recorded while they are made. */
export function needsJournal(run: StackRun): boolean {
  const changes = [...run.changes.values()].flat();
  return (
    run.moved.previous.size > 0 ||
    changes.some(
      ({ change }) =>
        change.mode === "managed" && (change.action !== "no-op" || change.importing !== undefined),
    )
  );
}

function visit(applying: Applying, run: StackRun, node: ApplyNode): boolean | Promise<Visited> {
  switch (node.kind) {
    case "applied":
    case "destroyed":
      return true;
    case "put":
      return node.change.imported
        ? putImported(applying, run, node.change)
        : put(applying, run, node.change);
    case "destroy":
      if (node.change.change.action === "forget") return forget(applying, run, node.change);
      return destroyImported(applying, run, node.change);
    case "block":
      return visitBlock(applying, run, node.node);
  }
}

async function putImported(
  applying: Applying,
  run: StackRun,
  change: PreparedChange,
): Promise<boolean> {
  if (!(await recordImport(applying, run, change))) return false;
  const visited = await put(applying, run, change);
  return typeof visited === "boolean" ? visited : visited.settled;
}

async function destroyImported(
  applying: Applying,
  run: StackRun,
  change: PreparedChange,
): Promise<boolean> {
  return (await recordImport(applying, run, change)) && destroy(applying, run, change);
}

/** Evaluates a block with the values that the apply has made known. */
function visitBlock(
  applying: Applying,
  run: StackRun,
  node: ConfigurationNode,
): boolean | Promise<boolean> {
  const { planning } = applying;
  if (planning.selection?.nodes.has(node) === false) return true;
  // A destroy evaluates only what connects to consoles that were not known before.
  const connects = node.kind === "provider" || node.kind === "ephemeral";
  if (planning.options.mode === "destroy" && !connects) return true;
  switch (node.kind) {
    case "provider": {
      const configured = run.connections.get(node.key);
      return configured?.connection === undefined && configured !== undefined
        ? configureProvider(run, node)
        : true;
    }
    case "variable":
      return isValid(run, node);
    case "local":
      return evaluateLocal(run, node);
    case "output": {
      const value = evaluateOutput(run, node);
      if (value === undefined) return false;
      const { change } = run.outputs.get(node.name) ?? {};
      if (change) run.outputs.set(node.name, { change, value });
      run.state = setOutput(run.state, node.name, encodeReached(run, node, value));
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
      const values = changes.map(
        (change) => [change.target.instance.key, applying.values.get(change)] as const,
      );
      run.setInstances(node.config, values);
      return true;
    }
  }
}

/**
 * Records moved objects so that a killed process loses none: each is written to its present address
 * before its previous one is cleared, unless another object has moved there.
 */
async function recordMoves(applying: Applying, run: StackRun): Promise<void> {
  const { previous } = run.moved;
  const puts: JournalRecord[] = [];
  const clears: JournalRecord[] = [];
  for (const { address: at, provider, instance } of listInstances(run.state)) {
    const address = formatAddress(at);
    const from = previous.get(address);
    if (from === undefined) continue;
    const about = { kind: "instance", provider, deposed: instance.deposed } as const;
    puts.push({ ...about, address, instance });
    if (!previous.has(from)) clears.push({ ...about, address: from, instance: null });
  }
  if (puts.length > 0) await record(applying, run, ...puts, ...clears);
}

/** Stores the outputs that the plan knows, regardless of later failures, as Terraform does. */
function beginOutputs(run: StackRun): void {
  for (const [name, { value }] of run.outputs) {
    const node = run.context.nodes.outputs.get(name);
    const encoded = node && value !== undefined ? encodeOutput(run, node, value) : null;
    if (encoded) run.state = setOutput(run.state, name, encoded);
  }
}

/** Removes outputs that have no block or are null. */
function endOutputs(run: StackRun): void {
  for (const [name, { change, value }] of run.outputs) {
    if (change.action === "delete" && value === undefined) {
      run.state = setOutput(run.state, name, null);
    }
  }
}

/** Reports cycles. Stacks with a cycle are excluded, and those that are ordered by them. */
function acyclicGraph(planning: Planning): {
  graph: Graph<ApplyNode>;
  excluded: ReadonlySet<string>;
} {
  const { runs } = planning;
  const graph = applyGraph(planning);
  const cycles = graph.cycles();
  if (cycles.length === 0) return { graph, excluded: new Set() };
  for (const cycle of cycles) reportCycle(runs, cycle);
  const cyclic = cycles.flatMap((cycle) => cycle.map(({ stack }) => stack));
  const contexts = new Map([...runs].map(([name, { context }]) => [name, context]));
  const excluded = new Set([
    ...cyclic,
    ...relatedStacks(contexts, cyclic, "after").keys(),
    ...relatedStacks(contexts, cyclic, "before").keys(),
  ]);
  const others = new Map([...runs].filter(([name]) => !excluded.has(name)));
  return { graph: applyGraph({ ...planning, runs: others }), excluded };
}

function reportCycle(runs: ReadonlyMap<string, StackRun>, cycle: readonly ApplyNode[]): void {
  const steps = cycle.flatMap((node) => {
    if (node.kind === "put") return [`${node.change.change.address} (create or update)`];
    return node.kind === "destroy" ? [`${node.change.change.address} (destroy)`] : [];
  });
  const found: Diagnostic = {
    severity: "error",
    summary: "Cycle",
    detail: `The changes depend on each other in a cycle: ${[...steps, steps[0]].join(" → ")}. Apply them in two runs, or remove create_before_destroy.`,
  };
  runs.get(cycle[0]?.stack ?? "")?.report([found]);
}
