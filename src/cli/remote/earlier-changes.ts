import type { ActionStep } from "../../core/documents/events";
import type { RecordedObject } from "../../core/documents/run-record";
import type { ChangeCounts, StackPlan } from "../../core/documents/stack-plan";
import { ACTIONS } from "../../formats/json/plan-json";

/**
 * Counts what a run had done to a stack before it planned it again: what its record has begun, and is not
 * left to do.
 *
 * @param plan - undefined if it could not be made: only what was certainly done counts
 */
export function countEarlier(
  objects: readonly RecordedObject[],
  plan: StackPlan | undefined,
): ChangeCounts {
  const left = new Set(
    (plan?.changes ?? []).flatMap(({ address, action, deposed }) =>
      deposed === undefined ? ACTIONS[action].map((step) => `${step} ${address}`) : [],
    ),
  );
  const done = objects.flatMap(({ address, actions, isComplete }) => {
    const begun = plan || isComplete ? actions : actions.slice(0, -1);
    return [...new Set(begun)].filter((action) => !left.has(`${action} ${address}`));
  });
  const count = (action: ActionStep) => done.filter((one) => one === action).length;
  return {
    import: 0,
    add: count("create"),
    change: count("update"),
    destroy: count("delete"),
  };
}
