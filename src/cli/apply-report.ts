import { hasErrors } from "../provider/diagnostics";
import { sumCounts, type AppliedStack, type ApplyResult } from "../runtime";
import { formatCompletion } from "../review/text/counts";
import { renderOutputs } from "../review/text/output-text";
import { appliedMessages } from "../review/ui-stream/plan-messages";
import { ExitCode } from "./exit-code";
import { stackHeading } from "./headings";
import type { Screen } from "./terminal/screen";

/** Prints what an apply or a destroy did, and says how it ended. */
export function reportApplied(
  screen: Screen,
  operation: "apply" | "destroy",
  { stacks, interrupted, diagnostics }: ApplyResult,
): ExitCode {
  screen.report(diagnostics);
  for (const stack of stacks) {
    // Of a stack that was not finished there is nothing to say but what went wrong.
    if (interrupted && stack.diagnostics.length === 0) continue;
    if (stacks.length > 1 && !screen.stream) {
      screen.print(stackHeading(stack.stack, screen.style));
    }
    if (!interrupted && !hasErrors(stack.diagnostics)) {
      printApplied(screen, operation, stack, stacks.length);
    }
    screen.report(stack.diagnostics);
  }
  const { add, change, destroy } = sumCounts(stacks.map(({ counts }) => counts));
  const counts = `${add} added, ${change} changed, ${destroy} destroyed.`;
  if (interrupted) {
    screen.print(`\nInterrupted. Resources: ${counts} Run it again to do the rest.\n`);
    return ExitCode.INTERRUPTED;
  }
  const failed = stacks.filter((stack) => hasErrors(stack.diagnostics)).length;
  if (stacks.length > 1) {
    const failures = failed === 0 ? "" : ` ${failed} ${failed === 1 ? "stack" : "stacks"} failed.`;
    const heading = screen.style.bold(`Total of ${stacks.length} stacks:`);
    screen.print(`\n${heading} ${counts}${failures}\n`);
  }
  return failed > 0 ? ExitCode.ERROR : ExitCode.DONE;
}

function printApplied(
  screen: Screen,
  operation: "apply" | "destroy",
  { stack, counts, state }: AppliedStack,
  stacks: number,
): void {
  if (screen.stream) {
    const messages = appliedMessages(operation, counts, state?.outputs ?? {});
    for (const message of messages) screen.stream.send(message, stacks > 1 ? stack : undefined);
    return;
  }
  const { bold, green } = screen.style;
  screen.print(`\n${bold(green(formatCompletion(operation, counts)))}\n`);
  const outputs = renderOutputs(state?.outputs ?? {});
  if (outputs !== "") screen.print(`\n${screen.style.bold("Outputs:")}\n\n${outputs}`);
}
