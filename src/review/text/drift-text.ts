import { joined, printed, type Printable, type Printed } from "../../core/printed";
import type { StackPlan } from "../../core/documents/stack-plan";
import { renderRelevantDrift } from "../../formats/text/drift-text";
import { driftHeading, renderDrift } from "../../formats/text/resource-text";
import type { TextOptions } from "../../formats/text/style";
import { wrappedLines } from "../../formats/text/word-wrap";
import { describeDrift, describeDriftedObjects, driftOf } from "../overview/drift";
import { renderProtection } from "../protection/render-protection";
import { reviewDrift } from "../protection/review-protection";
import { reviewSections } from "./review-sections";

const ACCEPTED =
  "The plan does not undo these changes: the configuration has them too, or ignores them.";

/**
 * Renders what was changed outside. Terraform shows it only with refresh-only plans and where a change
 * of the plan depends on it; without `attributes` there is a headline, and its effect on protection.
 */
export function renderDriftOf(plan: StackPlan, options: TextOptions): readonly Printed[] {
  const sections = reviewSections(options, (change) =>
    // An object that was only moved has no effect.
    change.action === "no-op" ? undefined : reviewDrift(change),
  );
  const relevant = renderRelevantDrift(plan, options, sections);
  if (options.attributes) return relevant;
  const drift = driftOf(plan);
  if (drift.length === 0) return relevant;
  const isQuiet = plan.changes.every(({ action }) => action === "no-op");
  const own = isQuiet
    ? [
        ...drift.map((change) => renderDrift(change, options, sections)),
        joined(wrappedLines(ACCEPTED, options.width - 1), "\n"),
      ]
    : drift.flatMap((change) => {
        const effect = renderProtection(reviewDrift(change), options);
        return effect.length === 0
          ? []
          : [joined([driftHeading(change, options), ...effect], "\n")];
      });
  const headline = driftLine(describeDriftedObjects(drift), options);
  return [headline, ...(relevant.length > 0 ? relevant : own)];
}

/** The headline of several plans; empty where no stack drifted. */
export function renderDriftHeadline(plans: readonly StackPlan[], options: TextOptions): Printable {
  const headline = describeDrift(plans);
  return (
    headline === undefined ? printed`` : printed`\n${driftLine(headline, options)}\n`
  ).toString();
}

function driftLine(text: string, { style: { bold, yellow } }: TextOptions): Printed {
  return printed`${bold(yellow(printed`Drift:`))} ${bold(printed`${text}`)}.`;
}
