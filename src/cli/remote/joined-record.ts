import type { RunOperation } from "../../fleet/run-log/entries";
import type { RolloutResult, StackOutcome } from "../../temporal";
import { ExitCode } from "../exit-code";
import { RecordLines } from "../rollout/record-lines";
import { runLogMessage, type RunLogMessage } from "../rollout/run-log-message";

/**
 * Joins the record of a run: first its own lines, by what Temporal has, then the parts of its stacks as
 * the workers have written them. Each part begins with a line without a line before it.
 */
export function joinedRecord(
  { id, operation }: { readonly id: string; readonly operation: RunOperation },
  { status, outcomes }: RolloutResult,
  parts: readonly string[],
): string {
  let text = "";
  const lines = new RecordLines((line) => (text += `${line}\n`));
  const time = new Date(status.started_at);
  const add = (entry: RunLogMessage, stacks: readonly string[] = []) => {
    lines.add(runLogMessage(entry), stacks, time);
  };
  const { by, rolls_back } = status;
  const back = rolls_back !== undefined && { rolls_back };
  const stacks = [...outcomes.keys()];
  const all = [...outcomes.values()];
  add({ type: "run_start", run: { operation, resumed: false, stacks, id, by, ...back } });
  for (const { stack, status: found, ...result } of all) {
    if (found === "changed" || found === "not started") continue;
    add({ type: "stack_result", stack, result: { ...result, status: found } }, [stack]);
  }
  if (status.phase === "ended") {
    const count = (...statuses: readonly StackOutcome["status"][]) =>
      all.filter((one) => statuses.includes(one.status)).length;
    const run = {
      applied: count("applied"),
      failed: count("failed"),
      excluded: count("excluded"),
      not_started: count("not started", "changed"),
      interrupted: status.code === ExitCode.INTERRUPTED,
    };
    add({ type: "run_result", run });
  }
  return text + parts.join("");
}
