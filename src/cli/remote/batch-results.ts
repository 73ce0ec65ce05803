import type { ExcludedStack } from "../../core/documents/excluded-stack";
import type { Diagnostic } from "../../core/diagnostics";
import type { ChangeCounts } from "../../core/documents/stack-plan";
import { groupBy } from "../../core/group-by";
import { groupExclusions } from "../../review/exclusions/group-exclusions";
import type { AppliedStack } from "../../runtime";
import type {
  AppliedBatch,
  PlanBatch,
  PlannedBatch,
  StackOutcome,
  StackProblem,
} from "../../temporal";
import { encodePart } from "./review-part";

/** The counts of a stack that was not changed. */
export const NOTHING = { add: 0, change: 0, remove: 0 };

/** Excludes stacks; `too large` if the batch has to be planned in halves. */
export function failedToPlan(
  { operation, stacks }: Pick<PlanBatch, "operation" | "stacks">,
  diagnostics: readonly Diagnostic[],
): PlannedBatch | "too large" {
  const excluded = stacks.map((stack) => ({ stack, diagnostics }));
  const failed = { stacks: [], excluded: reasonsOf(excluded) };
  // A status has no review of them: their results have the reasons.
  if (operation === "status") return failed;
  const review = encodePart({ plans: [], excluded, problems: [], verdict: [] });
  return review === undefined ? "too large" : { ...failed, review };
}

export function notApplied(stacks: readonly string[], reason: string): AppliedBatch {
  return {
    stacks: stacks.map((stack) => ({ ...NOTHING, stack, status: "failed", reason })),
    problems: [],
  };
}

export function reasonsOf(excluded: readonly ExcludedStack[]): PlannedBatch["excluded"] {
  const ofInput = new Set(excluded.flatMap(({ stack, isInput }) => (isInput ? stack : [])));
  return groupExclusions(excluded).flatMap(({ reason, stacks }) =>
    stacks.map((stack) => ({
      ...{ stack, reason },
      ...(ofInput.has(stack) && { isInput: true as const }),
    })),
  );
}

export function failedOutcome({ stack, diagnostics }: ExcludedStack): StackOutcome {
  const [group] = groupExclusions([{ stack, diagnostics }]);
  return { ...NOTHING, stack, status: "failed", reason: group?.reason ?? "Not completed" };
}

export function outcomeOf(applied: ExcludedStack & Partial<AppliedStack>): StackOutcome {
  const { stack, complete, counts } = applied;
  const { add = 0, change = 0, destroy: remove = 0 } = counts ?? {};
  if (complete) return { stack, status: "applied", add, change, remove };
  return { ...failedOutcome(applied), add, change, remove };
}

/** Adds what the run has done to a stack before: a result is that of all workers that had the stack. */
export function withEarlier(outcome: StackOutcome, earlier?: ChangeCounts): StackOutcome {
  if (!earlier) return outcome;
  return {
    ...outcome,
    add: outcome.add + earlier.add,
    change: outcome.change + earlier.change,
    remove: outcome.remove + earlier.destroy,
  };
}

/** The diagnostics of stacks, each once with the names of its stacks; of alike errors the first. */
export function stackProblems(found: readonly ExcludedStack[]): readonly StackProblem[] {
  const all = found.flatMap(({ stack, diagnostics }) =>
    diagnostics.map((diagnostic) => ({ stack, diagnostic })),
  );
  return groupBy(all, ({ diagnostic: { severity, summary } }) => `${severity} ${summary}`).map(
    (group) => {
      const { severity, summary, detail } = group[0].diagnostic;
      const stacks = [...new Set(group.map(({ stack }) => stack))];
      return { severity, summary, detail, stacks };
    },
  );
}
