import {
  isListValue,
  isObjectValue,
  memberOf,
  type AttributePath,
  type ObjectValue,
  type Value,
} from "../../provider/values";
import type { ResourceChange, StackPlan } from "../../runtime/documents/plan";

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
    return [{ ...change, after: changedAt(paths, before, after) as ObjectValue }];
  });
}

/** `before` with the values of `after` at these paths. */
function changedAt(paths: readonly AttributePath[], before: Value, after: Value): Value {
  if (paths.some((path) => path.length === 0)) return after;
  const below = (step: string | number) =>
    paths.filter(([first]) => first === step).map(([, ...rest]) => rest);
  if (isObjectValue(before) && isObjectValue(after)) {
    const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
    return Object.fromEntries(
      [...keys].flatMap((key) => {
        const inner = below(key);
        const kept = memberOf(before, key);
        if (inner.length === 0) return kept === undefined ? [] : [[key, kept]];
        return [[key, changedAt(inner, kept ?? null, memberOf(after, key) ?? null)]];
      }),
    );
  }
  if (isListValue(before) && isListValue(after) && before.length === after.length) {
    return before.map((element, index) => {
      const inner = below(index);
      return inner.length === 0 ? element : changedAt(inner, element, after[index] ?? null);
    });
  }
  return paths.length > 0 ? after : before;
}
