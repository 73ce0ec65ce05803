import type { Diagnostic } from "../../core/diagnostics";
import { compareStrings } from "../../core/values";
import type { ExcludedStack } from "../../core/documents/excluded-stack";
import { groupBy } from "../../core/group-by";
import { struct } from "../../core/json/format-json";
import type { UiMessage } from "../../formats/ui-stream/message";

/** Stacks of which one fact is true, for one reason. */
export interface StackGroup {
  readonly reason: string;
  readonly stacks: readonly string[];
}

/** Stacks that were excluded, or failed. The reason is the summary of their error. */
export interface ExclusionGroup extends StackGroup {
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

const MESSAGES = {
  excluded_stacks: { title: "Excluded", level: "error", member: "excluded_stacks", key: "reason" },
  failed_stacks: { title: "Failed", level: "error", member: "failed_stacks", key: "reason" },
  blind_stacks: { title: "Blind", level: "warn", member: "blind", key: "cause" },
} as const;

/** Describes groups of stacks for programs. Terraform's stream has no such message. */
export function groupsMessage(
  type: keyof typeof MESSAGES,
  groups: readonly StackGroup[],
  total: number,
): UiMessage {
  const { title, level, member, key } = MESSAGES[type];
  const encoded = groups.map(({ reason, stacks }) =>
    struct([
      [key, reason],
      ["stacks", [...stacks]],
    ]),
  );
  return {
    ...{ level, type, text: `${title}: ${countStacks(groups)} of ${total} stacks` },
    members: {
      [member]: struct([
        ["total", total],
        ["groups", encoded],
      ]),
    },
  };
}

export function countStacks(groups: readonly Pick<StackGroup, "stacks">[]): number {
  return groups.reduce((sum, { stacks }) => sum + stacks.length, 0);
}
