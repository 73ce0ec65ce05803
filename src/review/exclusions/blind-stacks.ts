import { groupBy } from "../../core/group-by";
import { warning, type Diagnostic } from "../../core/diagnostics";
import type { StackPlan } from "../../core/documents/stack-plan";
import { joined, printed } from "../../core/printed";
import { blindCause, type BlindCause } from "../../provider/console/not-readable";
import { shortStackList } from "./exclusions-text";
import { countStacks, type StackGroup } from "./group-exclusions";

/** Stacks that were planned without reading their consoles, for one reason. */
interface BlindGroup extends StackGroup {
  readonly reason: BlindCause;
}

/** The reason why a plan was made without reading the console; undefined if it was read. */
export function blindCauseOf({
  diagnostics,
}: Pick<StackPlan, "diagnostics">): BlindCause | undefined {
  return diagnostics.flatMap((diagnostic) => blindCause(diagnostic) ?? [])[0];
}

/** Groups blind stacks by their causes, the largest group first. */
export function groupBlind(plans: readonly StackPlan[]): readonly BlindGroup[] {
  const blind = plans.flatMap((plan) => {
    const reason = blindCauseOf(plan);
    return reason === undefined ? [] : [{ reason, stack: plan.stack }];
  });
  return groupBy(blind, ({ reason }) => reason)
    .map((group) => ({ reason: group[0].reason, stacks: group.map(({ stack }) => stack) }))
    .sort((a, b) => b.stacks.length - a.stacks.length);
}

/** Names of stacks behind one cause. */
const MOST_NAMES = 5;

const TEXTS: Readonly<Record<BlindCause, string>> = {
  unreachable: "not responding",
  refused: "credentials refused: new, or wrong credentials",
  unlicensed: "without a license",
};

/** One warning for all blind stacks of a run, with counts and names first. */
export function blindWarning(groups: readonly BlindGroup[], total: number): Diagnostic {
  const lines = groups.map(
    ({ reason, stacks }) =>
      `  - ${stacks.length} ${TEXTS[reason]} (${shortStackList(stacks, MOST_NAMES)})`,
  );
  return warning(
    `Consoles are not readable yet: ${countStacks(groups)} of ${total}`,
    printed`${joined(lines, "\n")}\n\nTheir plans are made without what they hold. The apply checks for unmanaged entries, and is refused if it would overwrite any.`,
  );
}
