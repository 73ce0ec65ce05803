import { countChanges, sumCounts, type StackPlan } from "../../runtime/documents/plan";
import { renderPlan } from "../../review/text/plan-text";
import { planMessages } from "../../review/ui-stream/plan-messages";
import { stackHeading } from "../headings";
import type { Screen } from "../terminal/screen";

/** Prints the plans, each below the name of its stack where there are several, and what they add up to. */
export function printPlans(screen: Screen, plans: readonly StackPlan[]): void {
  const { style, width, stream } = screen;
  if (stream) {
    for (const plan of plans) {
      const stack = plans.length > 1 ? plan.stack : undefined;
      for (const message of planMessages(plan)) stream.send(message, stack);
    }
    return;
  }
  for (const plan of plans) {
    if (plans.length > 1) screen.print(stackHeading(plan.stack, style));
    screen.print(renderPlan(plan, { style, width }));
  }
  if (plans.length <= 1) return;
  const { add, change, destroy } = sumCounts(plans.map(countChanges));
  screen.print(
    `\n${style.bold(`Total of ${plans.length} stacks:`)} ${add} to add, ${change} to change, ${destroy} to destroy.\n`,
  );
}
