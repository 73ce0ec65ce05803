import { groupBy } from "../../core/group-by";
import { warning, type Diagnostic } from "../../core/diagnostics";
import type { StackPlan } from "../../core/documents/stack-plan";
import { struct } from "../../core/json/format-json";
import { joined, printed } from "../../core/printed";
import type { UiMessage } from "../../formats/ui-stream/message";
import { blindCause, type BlindCause } from "../../provider/console/not-readable";
import { shortStackList } from "./exclusions-text";

/** Stacks that were planned without reading their consoles, for one reason. */
export interface BlindGroup {
  readonly cause: BlindCause;
  readonly stacks: readonly string[];
}

type Planned = Pick<StackPlan, "stack" | "diagnostics">;

/** The reason why a plan was made without reading the console; undefined if it was read. */
export function blindCauseOf({
  diagnostics,
}: Pick<Planned, "diagnostics">): BlindCause | undefined {
  return diagnostics.flatMap((diagnostic) => blindCause(diagnostic) ?? [])[0];
}

/** Groups blind stacks by their causes, the largest group first. */
export function groupBlind(plans: readonly Planned[]): readonly BlindGroup[] {
  const blind = plans.flatMap((plan) => {
    const cause = blindCauseOf(plan);
    return cause === undefined ? [] : [{ cause, stack: plan.stack }];
  });
  return groupBy(blind, ({ cause }) => cause)
    .map((group) => ({ cause: group[0].cause, stacks: group.map(({ stack }) => stack) }))
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
    ({ cause, stacks }) =>
      `  - ${stacks.length} ${TEXTS[cause]} (${shortStackList(stacks, MOST_NAMES)})`,
  );
  return warning(
    `Consoles are not readable yet: ${countOf(groups)} of ${total}`,
    printed`${joined(lines, "\n")}\n\nTheir plans are made without what they hold. The apply checks for unmanaged entries, and is refused if it would overwrite any.`,
  );
}

/** Describes blind stacks for programs. Terraform's stream has no such message. */
export function blindMessage(groups: readonly BlindGroup[], total: number): UiMessage {
  const encoded = groups.map(({ cause, stacks }) =>
    struct([
      ["cause", cause],
      ["stacks", [...stacks]],
    ]),
  );
  return {
    level: "warn",
    text: `Blind: ${countOf(groups)} of ${total} stacks`,
    type: "blind_stacks",
    members: {
      blind: struct([
        ["total", total],
        ["groups", encoded],
      ]),
    },
  };
}

function countOf(groups: readonly BlindGroup[]): number {
  return groups.reduce((sum, { stacks }) => sum + stacks.length, 0);
}
