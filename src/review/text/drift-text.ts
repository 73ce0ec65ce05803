import { rendered, type Printable } from "../../core/printed";
import { isListValue, isObjectValue, type ObjectValue, type Value } from "../../core/values";
import { memberOf } from "../../core/member-of";
import type { ResourceChange, StackPlan } from "../../runtime/documents/stack-plan";
import { PathTree } from "../difference/path-tree";
import { describeDrift, describeDriftedObjects, driftOf } from "../drift";
import { renderEntries } from "../entries/entries-text";
import { renderProtection } from "../protection/render-protection";
import { reviewDrift } from "../protection/review-protection";
import { inWordingOf } from "./program-name";
import { compareChange, driftHeading, renderDrift } from "./resource-text";
import type { TextOptions } from "./style";
import { wrapParagraph } from "./word-wrap";

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

const ACCEPTED =
  "The plan does not undo these changes: the configuration has them too, or ignores them.";

/**
 * Renders what was changed outside. Terraform shows it only with refresh-only plans and where a change
 * of the plan depends on it; without `attributes` there is a headline, and its effect on protection.
 */
export function renderDriftOf(plan: StackPlan, options: TextOptions): string[] {
  const sections = terraformSections(plan, options);
  if (options.attributes) return sections;
  const drift = driftOf(plan);
  if (drift.length === 0) return sections;
  const isQuiet = plan.changes.every(({ action }) => action === "no-op");
  const own = isQuiet
    ? [...renderChanges(drift, options), wrapParagraph(ACCEPTED, options)]
    : drift.flatMap((change) => {
        const effect = renderProtection(reviewDrift(change), options);
        return effect.length === 0 ? [] : [[driftHeading(change, options), ...effect].join("\n")];
      });
  const headline = driftLine(describeDriftedObjects(drift), options);
  return [headline, ...(sections.length > 0 ? sections : own)];
}

/** The headline of several plans; empty where no stack drifted. */
export function renderDriftHeadline(plans: readonly StackPlan[], options: TextOptions): Printable {
  const headline = describeDrift(plans, plans.length);
  return rendered(headline === undefined ? "" : `\n${driftLine(headline, options)}\n`);
}

function driftLine(text: string, { style: { bold, yellow } }: TextOptions): string {
  return `${bold(yellow("Drift:"))} ${bold(text)}.`;
}

/** Empty where Terraform shows none. */
function terraformSections(plan: StackPlan, options: TextOptions): string[] {
  const { style } = options;
  const refreshOnly = plan.mode === "refresh-only";
  const drifted = relevantDrift(plan).filter(
    (change) =>
      compareChange(change).effect !== "none" ||
      (refreshOnly && change.previousAddress !== undefined),
  );
  if (drifted.length === 0) return [];
  return [
    `${style.bold(style.cyan("Note:"))} ${style.bold(inWordingOf(options, "Objects have changed outside of Terraform"))}`,
    wrapParagraph(inWordingOf(options, DETECTED), options),
    ...renderChanges(drifted, options),
    ...(options.attributes ? drifted.flatMap((change) => renderEntries(change, options)) : []),
    "\n" + wrapParagraph(inWordingOf(options, refreshOnly ? RECORDED_ONLY : RESPONDED_TO), options),
  ];
}

function renderChanges(changes: readonly ResourceChange[], options: TextOptions): string[] {
  return changes.map((change) =>
    renderDrift(change, options, renderProtection(reviewDrift(change), options)),
  );
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
