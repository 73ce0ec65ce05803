import { hasErrors } from "../../core/diagnostics";
import { answered } from "../evaluation/provider-diagnostics";
import { marked } from "../evaluation/stored-objects";
import { Graph } from "../graph/graph";
import type { Pause } from "../graph/walk";
import type { PlannedInstance, PlannedReturn } from "../plan/planned-instance";
import type { Planning } from "../plan/run";
import type { StackApply } from "./stack-apply";
import type { ApplyNode } from "./steps";

/** The order of a rollback: objects that were changed last go back first. Stacks do not wait. */
export function rollbackGraph({ runs }: Planning): Graph<ApplyNode> {
  const graph = new Graph<ApplyNode>();
  for (const [stack, { changes }] of runs) {
    const start: ApplyNode = { kind: "start", stack };
    let last: ApplyNode = { kind: "recorded", stack };
    graph.connect(start, { kind: "admitted", stack });
    graph.connect(last, start);
    for (const change of [...changes.values()].flat()) {
      if (!change.rollback) continue;
      const step: ApplyNode = { kind: "restore", stack, change, rollback: change.rollback };
      graph.connect(step, last);
      last = step;
    }
    // It is not passed after a step that failed, so that the stack is not complete.
    graph.connect({ kind: "applied", stack }, last);
  }
  return graph;
}

/** Puts back what a recorded run replaced; false if that fails. */
export async function restore(
  applying: StackApply,
  planned: PlannedInstance,
  { write, before }: PlannedReturn,
  pause: Pause,
): Promise<boolean> {
  const { options, run } = applying;
  const { target, prior } = planned;
  const action = !prior ? "create" : before ? "update" : "delete";
  const operation = await applying.begin(planned, action, pause);
  if (!operation) return false;
  const call = {
    connection: target.connection,
    signal: options.abort,
    stop: options.stop,
    ...operation.callbacks,
  };
  const problems = write ? await target.provider.rollback(target.type, write, call) : [];
  const failed = hasErrors(problems);
  operation.end(failed, before && planned.planned);
  if (operation.isRefused) return false;
  run.report(answered(problems, target.where, prior && marked(prior)));
  if (failed || !(await applying.store(target, { instance: before }))) return false;
  applying.counts[action === "create" ? "add" : action === "update" ? "change" : "destroy"]++;
  return true;
}
