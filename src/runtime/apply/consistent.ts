import { error, formatPath, type Diagnostic } from "../../core/diagnostics";
import {
  isListValue,
  isObjectValue,
  UNKNOWN,
  valuesEqual,
  type AttributePath,
  type Value,
} from "../../core/values";
import { memberOf } from "../../core/member-of";

/**
 * Checks that a plan that was made again with all values known is the reviewed one: only values that
 * were unknown may differ.
 */
export function checkFinalPlan(
  reviewed: Value,
  final: Value,
  address: string,
  path: AttributePath = [],
): readonly Diagnostic[] {
  if (reviewed === UNKNOWN || valuesEqual(reviewed, final)) return [];
  if (isListValue(reviewed) && isListValue(final)) {
    if (reviewed.length === final.length) {
      const found = reviewed.flatMap((member, index) =>
        checkFinalPlan(member, final[index] ?? null, address, [...path, index]),
      );
      if (found.length === 0 || !reviewed.includes(UNKNOWN)) return found;
    }
    // A set with unknown elements: they may turn out to be equal, and sort anywhere.
    const known = reviewed.filter((member) => member !== UNKNOWN);
    const kept = known.every((member) => final.some((other) => valuesEqual(member, other)));
    if (kept && known.length < reviewed.length && final.length <= reviewed.length) return [];
  }
  if (isObjectValue(reviewed) && isObjectValue(final)) {
    const keys = new Set([...Object.keys(reviewed), ...Object.keys(final)]);
    return [...keys].flatMap((key) =>
      checkFinalPlan(memberOf(reviewed, key) ?? null, memberOf(final, key) ?? null, address, [
        ...path,
        key,
      ]),
    );
  }
  return [
    error(
      "Provider produced inconsistent final plan",
      `When expanding the plan for ${address} to include new values learned so far during apply, "${formatPath(path)}" became another value than the planned one. The object was not changed. Plan again.`,
      path,
    ),
  ];
}
