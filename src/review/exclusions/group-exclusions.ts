import type { Diagnostic } from "../../core/diagnostics";
import { compareStrings } from "../../core/values";
import type { ExcludedStack } from "../../core/documents/excluded-stack";
import { groupBy } from "../../core/group-by";

/** Stacks that were excluded, or failed, for the same reason. */
export interface ExclusionGroup {
  /** The summary of their error. */
  readonly reason: string;
  readonly stacks: readonly string[];
  /** The error of the first of them. The details of the others may differ. */
  readonly example: Diagnostic;
}

/** Groups stacks by their first error, the largest group first. */
export function groupExclusions(excluded: readonly ExcludedStack[]): readonly ExclusionGroup[] {
  const reasons = excluded.flatMap(({ stack, diagnostics }) => {
    const error = firstError(diagnostics);
    return error ? [{ stack, error }] : [];
  });
  return groupBy(reasons, ({ error }) => error.summary)
    .map((group) => ({
      reason: group[0].error.summary,
      stacks: group.map(({ stack }) => stack),
      example: group[0].error,
    }))
    .sort((a, b) => b.stacks.length - a.stacks.length || compareStrings(a.reason, b.reason));
}

/** The first error by its place: the order of concurrent errors differs from run to run. */
function firstError(diagnostics: readonly Diagnostic[]): Diagnostic | undefined {
  const problemKey = ({ address = "", summary }: Diagnostic) => JSON.stringify([address, summary]);
  return diagnostics
    .filter(({ severity }) => severity === "error")
    .sort((a, b) => compareStrings(problemKey(a), problemKey(b)))[0];
}
