import {
  isListValue,
  isObjectValue,
  memberOf,
  type ObjectValue,
  type Value,
} from "../../provider/values";
import type { ResourceChange, StackPlan } from "../../runtime/documents/stack-plan";
import { PathTree } from "../difference/path-tree";

/**
 * The drift that Terraform shows with a plan: for each object the attributes that contributed to a
 * change; all drift in a refresh-only plan.
 */
export function relevantDrift(plan: StackPlan): readonly ResourceChange[] {
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
