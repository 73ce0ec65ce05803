import { joined, printed } from "../../core/printed";
import { warning, type Diagnostic } from "../../core/diagnostics";
import { compareStrings, UNKNOWN, type Evaluated, type EvaluatedObject } from "../../core/values";
import { remark, unmark } from "../../core/marks";
import { hiddenPaths } from "../evaluation/attributes";
import { hiding } from "./hiding";
import { crossing } from "../evaluation/crossing-outputs";
import { remoteStateValue, unreadReasons, type RemoteState } from "../evaluation/remote-state";
import { storedOutputs, storedValue } from "../evaluation/stored-outputs";
import {
  formatNode,
  REMOTE_STATE,
  type ConfigurationNode,
  type LocalNode,
  type ResourceNode,
} from "../graph/configuration";
import type { Graph } from "../graph/graph";
import { walk, type WalkOptions } from "../graph/walk";
import { unresolvedMoves } from "../refactoring/moves";
import { compareAddresses } from "../../core/documents/address";
import { checkAssertions, isValid, reportRead } from "./conditions";
import { planData } from "./data";
import { openEphemeral } from "./ephemeral";
import { planManaged, useStored } from "./managed";
import { planIdentity, type ResourceChange, type StackPlan } from "../../core/documents/stack-plan";
import { planOrphan, type PlanNode } from "./orphans";
import { planGraph, subgraph } from "./plan-graph";
import { encodeReached, isKnown, planOutput, planOutputEnds } from "./outputs";
import type { PlannedInstance } from "./planned-instance";
import { configureProviderBlock } from "./configure-provider";
import { planRollback } from "./rollback";
import { relevantAttributes } from "./relevant-attributes";
import { PATIENCE_MS, type Planning, type StackRun } from "./run";

/** Plans all stacks together. The results are in their runs. Nothing is written to a console. */
export async function planOpened(planning: Planning): Promise<void> {
  const { options, runs, selection } = planning;
  const graph = planGraph(planning);
  const needed = options.mode === "destroy" ? neededByProviders(planning) : undefined;
  for (const run of runs.values()) expectOutputs(planning, run);
  await walk(graph, {
    parallelism: options.parallelism,
    patience: PATIENCE_MS,
    stop: options.stop,
    ...stackByStack(planning, graph),
    visit: (node) => {
      const skipped = needed && isForProviders(node);
      return skipped && !needed.has(node) ? true : visit(planning, node);
    },
    describe: formatPlanNode,
  });
  for (const run of runs.values()) {
    run.report([...unresolvedMoves(run.moved), ...forgetting(run)]);
    // The results of a destroy contain no conditions in Terraform either.
    if (options.mode === "destroy") {
      run.clearChecks();
      expectOutputs(planning, run);
    }
  }
  // With a selection, other outputs are kept.
  if (selection || options.mode === "rollback") return;
  for (const run of runs.values()) planOutputEnds(planning, run);
}

function isObject({ kind }: PlanNode): boolean {
  return kind === "resource" || kind === "orphan";
}

/** Completes what is started first, and reports the stacks that are planned. */
function stackByStack(
  { runs, options }: Planning,
  graph: Graph<PlanNode>,
): Pick<WalkOptions<PlanNode>, "rank" | "settled"> {
  const ranks = new Map([...runs.keys()].map((name, at) => [name, at]));
  const left = new Map<string, number>();
  const begun = new Set<string>();
  let [objects, planned] = [0, 0];
  for (const node of graph.nodes()) {
    left.set(node.stack, (left.get(node.stack) ?? 0) + 1);
    if (isObject(node)) objects++;
  }
  return {
    rank: ({ stack }) => ranks.get(stack) ?? ranks.size,
    settled: (node) => {
      const { stack } = node;
      if (isObject(node)) options.stepped(++planned, objects);
      if (!begun.has(stack)) options.reached(stack);
      begun.add(stack);
      const open = (left.get(stack) ?? 0) - 1;
      left.set(stack, open);
      if (open === 0) options.planned(stack, runs.get(stack)?.hasErrors === true);
    },
  };
}

/** Lists the selected outputs as objects of the results of conditions. */
function expectOutputs({ selection }: Planning, { checks, context }: StackRun): void {
  for (const node of context.nodes.outputs.values()) {
    if (selection && !selection.nodes.has(node)) continue;
    checks.expect(node.config.where.address, [node.config.where.address]);
  }
}

function formatPlanNode(node: PlanNode): string {
  if (node.kind === "rollback") return `${node.stack}: rollback`;
  return `${node.stack}: ${node.kind === "orphan" ? node.address : formatNode(node)}`;
}

/** Reports whether a destroy needs a node for its providers only. */
function isForProviders(node: PlanNode): boolean {
  if (node.kind === "resource") return node.config.mode === "data";
  return node.kind === "ephemeral" || node.kind === "variable" || node.kind === "local";
}

/** Evaluates blocks with their dependencies, and nothing else of their stacks. */
export async function planOnly(
  planning: Planning,
  blocks: readonly ConfigurationNode[],
): Promise<void> {
  const { options, configuration } = planning;
  const { graph } = configuration;
  await walk(subgraph(graph, graph.closure(blocks)), {
    parallelism: options.parallelism,
    stop: options.stop,
    visit: (node) => visit(planning, node),
    describe: formatPlanNode,
  });
}

function visit(planning: Planning, node: PlanNode): boolean | Promise<boolean> {
  const run = planning.runs.get(node.stack);
  if (!run) throw new Error(`no run of stack ${node.stack}`);
  switch (node.kind) {
    case "provider":
      return configureProviderBlock(run, node);
    case "variable":
      return isValid(run, node);
    case "local":
      return evaluateLocal(run, node);
    case "ephemeral":
      return openEphemeral(planning, run, node);
    case "output":
      // A destroy removes all outputs and needs none of their values.
      return planning.options.mode === "destroy" || planOutput(planning, run, node);
    case "check":
      return planning.options.mode === "destroy" || checkAssertions(run, node);
    case "orphan":
      return planOrphan(planning, run, node);
    case "rollback":
      return planRollback(planning, run, node);
    case "resource":
      if (node.config.type === REMOTE_STATE) return evaluateRemoteState(planning, run, node);
      if (node.config.mode === "data") return planData(planning, run, node);
      if (planning.options.mode === "rollback") return useStored(run, node);
      return planManaged(planning, run, node);
  }
}

export function evaluateLocal(run: StackRun, { name, expression }: LocalNode): boolean {
  const { value, diagnostics } = expression.evaluate(run.values);
  run.values.setLocal(name, value);
  run.report(diagnostics);
  return diagnostics.length === 0;
}

/**
 * Evaluates a terraform_remote_state. A selected stack has the outputs of its plan; in a destroy and a
 * rollback, which plan none, those of its state.
 */
export function evaluateRemoteState(
  { runs, read, options }: Pick<Planning, "runs" | "read" | "options">,
  run: StackRun,
  { config, address }: ResourceNode,
): boolean {
  const outputsFrom = (source: RemoteState): Evaluated => {
    if (source.kind === "stored") return source.outputs;
    if (source.kind !== "selected") return UNKNOWN;
    const isPlanned = options.mode !== "destroy" && options.mode !== "rollback";
    const plansOutputs = isPlanned && !options.isBeforeDestroy;
    const upstream = (plansOutputs ? runs : read).get(source.stack);
    if (!upstream) return UNKNOWN;
    if (plansOutputs) return outputsOf(upstream);
    return storedOutputs(
      upstream.state.current(),
      upstream.context.config,
      upstream.context.providers,
    );
  };
  const instances = run.context.remoteStates.get(address) ?? [];
  const { value, diagnostics } = remoteStateValue(config, instances, run.values, outputsFrom);
  run.values.set(address, value);
  if (config.check === undefined) {
    run.report(diagnostics);
    return diagnostics.length === 0;
  }
  reportRead(run, config, [...diagnostics, ...unreadReasons(instances)]);
  return true;
}

/** Returns the outputs of a stack in the run as another one reads them, as from its next state. */
function outputsOf({ context, outputs }: StackRun): EvaluatedObject {
  const { outputs: declared } = context.config;
  const evaluated = [...declared.values()].map((config): [string, Evaluated | undefined] => {
    const { value = UNKNOWN } = outputs.get(config.name) ?? {};
    const stored = isKnown(value) ? encodeReached({ config }, value) : undefined;
    if (!stored) return [config.name, stored === null ? undefined : crossing(value, config)];
    return [config.name, crossing(remark(storedValue(stored), unmark(value).marks), config)];
  });
  return Object.fromEntries(
    evaluated.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

/** Returns the dependencies of providers, which a destroy has to read. */
function neededByProviders({ configuration: { graph } }: Planning): ReadonlySet<PlanNode> {
  const providers = [...graph.nodes()].filter(({ kind }) => kind === "provider");
  return graph.closure(providers);
}

function forgetting({ changes }: StackRun): readonly Diagnostic[] {
  const forgotten = [...changes.values()]
    .flat()
    .filter(({ change }) => change.action === "forget")
    .sort(compareChanges)
    .map(({ change }) => ` - ${change.address}`);
  if (forgotten.length === 0) return [];
  return [
    warning(
      "Some objects will no longer be managed by Terraform",
      printed`If you apply this plan, Terraform will discard its tracking information for the following objects, but it will not delete them:\n${joined(forgotten, "\n")}\n\nAfter applying this plan, Terraform will no longer manage these objects. You will need to import them into Terraform to manage them again.`,
    ),
  ];
}

/** Builds the plan document of one stack. */
export function stackPlan(
  { options, configuration, dependencies, selection }: Planning,
  run: StackRun,
): StackPlan {
  const changes = [...run.changes.values()].flat().sort(compareChanges);
  const outputs = [...run.outputs.values()]
    .map(({ change }) => change)
    .sort((a, b) => compareStrings(a.name, b.name));
  const hiddenIn = ({ address }: ResourceChange) => {
    const found = changes.find(({ change }) => change.address === address);
    return hiddenPaths(found?.configured?.effective.marks);
  };
  return {
    ...planIdentity(run.context.config),
    mode: options.mode,
    complete: selection === undefined,
    ...(options.mode === "refresh-only" &&
      run.recordsConfiguration && { recordsConfiguration: true }),
    changes: changes.map(({ change, target, configured }) => ({
      ...hiding(change, hiddenPaths(configured?.effective.marks)),
      ...endpointOf(run, target.providerKey),
    })),
    drift: [...run.drift].sort(compareDescribed).map((drift) => hiding(drift, hiddenIn(drift))),
    outputs,
    relevantAttributes: relevantAttributes(
      run.context.config,
      changes.map(({ change }) => change),
      outputs,
    ),
    diagnostics: [...run.diagnostics],
    endpoints: endpointsOf(run),
    dependencies: [...(configuration.stacks.get(run.name)?.resources.values() ?? [])]
      .map((node) => ({ resource: node.address, needs: dependencies.direct(node) }))
      .sort((a, b) => compareStrings(a.resource, b.resource)),
  };
}

function endpointOf(run: StackRun, providerKey: string): { endpoint?: string } {
  const { provider, connection } = run.connections.get(providerKey) ?? {};
  const endpoint = connection !== undefined && provider?.definition.endpoint?.(connection);
  return endpoint ? { endpoint } : {};
}

function endpointsOf(run: StackRun): readonly string[] {
  const found = [...run.connections.keys()].flatMap((key) => endpointOf(run, key).endpoint ?? []);
  return [...new Set(found)].sort(compareStrings);
}

function compareChanges(a: PlannedInstance, b: PlannedInstance): number {
  return (
    compareAddresses(a.target.instance, b.target.instance) ||
    Number(a.change.deposed !== undefined) - Number(b.change.deposed !== undefined)
  );
}

function compareDescribed(a: StackPlan["drift"][number], b: StackPlan["drift"][number]): number {
  return compareAddresses(a, b);
}
