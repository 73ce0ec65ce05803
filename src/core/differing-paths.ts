import { memberOf } from "./member-of";
import { isListValue, isObjectValue, valuesEqual, type AttributePath, type Value } from "./values";

/** Returns the outermost differing paths below lists and objects of the same shape. */
export function differingPaths(
  a: Value,
  b: Value,
  path: AttributePath = [],
): readonly AttributePath[] {
  if (valuesEqual(a, b)) return [];
  if (isListValue(a) && isListValue(b) && a.length === b.length) {
    return a.flatMap((item, index) => differingPaths(item, b[index] ?? null, [...path, index]));
  }
  if (isObjectValue(a) && isObjectValue(b)) {
    const keys = [...new Set([...Object.keys(a), ...Object.keys(b)])];
    return keys.flatMap((key) =>
      differingPaths(memberOf(a, key) ?? null, memberOf(b, key) ?? null, [...path, key]),
    );
  }
  return [path];
}
