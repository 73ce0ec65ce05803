import { memberOf } from "../../core/member-of";
import { isListValue, isObjectValue, type ObjectValue, type Value } from "../../core/values";
import type { ResourceChange, StackPlan } from "../../core/documents/stack-plan";
import { PathTree } from "../difference/path-tree";
import { inWordingOf } from "./program-name";
import { compareChange, renderDrift, type ChangeSections } from "./resource-text";
import type { TextOptions } from "./style";
import { joined, printed, type Printed } from "../../core/printed";
import { wrappedLines } from "./word-wrap";

const DETECTED =
  "Terraform detected the following changes made outside of Terraform since the last " +
  '"terraform apply" which may have affected this plan:';

const RECORDED_ONLY =
  "This is a refresh-only plan, so Terraform will not take any actions to undo these. If you were " +
  "expecting these changes then you can apply this plan to record the updated values in the " +
  "Terraform state without changing any remote objects.";

const RESPONDED_TO =
  "Unless you have made equivalent changes to your configuration, or ignored the relevant " +
  "attributes using ignore_changes, the following plan may include actions to undo or respond to " +
  "these changes.";

/**
 * Renders the changes made outside that Terraform shows: with refresh-only plans, and where a change
 * of the plan depends on them. Empty where there are none.
 */
export function renderRelevantDrift(
  plan: StackPlan,
  options: TextOptions,
  sections: ChangeSections = {},
): readonly Printed[] {
  const { style } = options;
  const refreshOnly = plan.mode === "refresh-only";
  const drifted = relevantDrift(plan).filter(
    (change) =>
      compareChange(change).effect !== "none" ||
      (refreshOnly && change.previousAddress !== undefined),
  );
  if (drifted.length === 0) return [];
  const paragraph = (text: string) =>
    joined(wrappedLines(inWordingOf(options, text), options.width - 1), "\n");
  return [
    printed`${style.bold(style.cyan(printed`Note:`))} ${style.bold(printed`${inWordingOf(options, "Objects have changed outside of Terraform")}`)}`,
    paragraph(DETECTED),
    ...drifted.map((change) => renderDrift(change, options, sections)),
    ...drifted.flatMap((change) => sections.after?.(change) ?? []),
    printed`\n${paragraph(refreshOnly ? RECORDED_ONLY : RESPONDED_TO)}`,
  ];
}

/**
 * The drift that Terraform shows with a plan: for each object the attributes that contributed to a
 * change; all drift in a refresh-only plan.
 */
function relevantDrift(plan: StackPlan): readonly ResourceChange[] {
  if (plan.mode === "refresh-only") return plan.drift;
  return plan.drift.flatMap((change) => {
    const paths = plan.relevantAttributes
      .filter(({ resource }) => resource === change.address)
      .map(({ attribute }) => attribute);
    if (paths.length === 0) return [];
    const { before, after } = change;
    if (before === null || after === null) return [change];
    return [{ ...change, after: changedAt(new PathTree(paths), before, after) as ObjectValue }];
  });
}

/** `before` with the values of `after` at these paths; undefined for a value that is absent. */
function changedAt(
  paths: PathTree,
  before: Value | undefined,
  after: Value | undefined,
): Value | undefined {
  if (paths.isEmpty) return before;
  if (paths.here) return after;
  if (isObjectValue(before) && isObjectValue(after)) {
    const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    return Object.fromEntries(
      keys.flatMap((key) => {
        const value = changedAt(paths.at(key), memberOf(before, key), memberOf(after, key));
        return value === undefined ? [] : [[key, value]];
      }),
    );
  }
  if (isListValue(before) && isListValue(after) && before.length === after.length) {
    return before.map(
      (element, index) => changedAt(paths.at(index), element, after[index]) ?? null,
    );
  }
  return after;
}
