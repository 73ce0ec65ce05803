import { error, warning, type Diagnostic } from "../../core/diagnostics";
import { prose } from "../../core/printed";
import type { AppliedStack, ApplyResult } from "../../runtime";
import type { StackOutcome, StackProblem } from "../../temporal";

/** Converts the outcomes of a run to the result of an apply. Excluded stacks are no part of it. */
export function resultOf(
  outcomes: readonly StackOutcome[],
  problems: readonly StackProblem[],
  interrupted: boolean,
): ApplyResult {
  const found = new Map<string, Diagnostic[]>();
  for (const { severity, summary, detail, stacks } of problems) {
    const make = severity === "error" ? error : warning;
    for (const stack of stacks) {
      const known = found.get(stack) ?? [];
      found.set(stack, [...known, make(summary, prose(detail))]);
    }
  }
  const isOf = (...statuses: readonly StackOutcome["status"][]) =>
    outcomes.filter(({ status }) => statuses.includes(status));
  return {
    stacks: isOf("applied", "failed", "changed").map((one) =>
      appliedStack(one, found.get(one.stack) ?? []),
    ),
    skipped: isOf("not started").map(({ stack }) => stack),
    interrupted,
    diagnostics: [],
  };
}

const CHANGED = "The plan is another one than was approved";

function appliedStack(outcome: StackOutcome, found: readonly Diagnostic[]): AppliedStack {
  const { stack, status, reason, add, change, remove } = outcome;
  const complete = status === "applied";
  const hasError = found.some(({ severity }) => severity === "error");
  const cause = status === "changed" ? CHANGED : (reason ?? "The stack was not completed");
  return {
    stack,
    counts: { import: 0, add, change, destroy: remove },
    complete,
    state: undefined,
    diagnostics: complete || hasError ? found : [...found, error(cause, "")],
  };
}
