import { unmarkRoot } from "../../core/marks";
import { isListValue, isObjectValue, type Evaluated } from "../../core/values";
import { LIMITS } from "./limits";

/** Values do not change: those of local values are measured once. */
const known = new WeakMap<object, number>();

/** Counts the levels of lists, sets and objects in a value. */
function depthOf(value: Evaluated): number {
  const root = unmarkRoot(value).value;
  if (typeof root !== "object" || root === null) return 0;
  const found = known.get(root);
  if (found !== undefined) return found;
  const depth = 1 + deepest(childrenOf(root));
  known.set(root, depth);
  return depth;
}

function childrenOf(value: Evaluated & object): readonly Evaluated[] {
  if (isListValue(value)) return value;
  return isObjectValue(value) ? Object.values(value) : [];
}

function deepest(values: readonly Evaluated[]): number {
  let depth = 0;
  for (const value of values) depth = Math.max(depth, depthOf(value));
  return depth;
}

/**
 * Reports whether a value is nested deeper than the executor processes. Local values could nest each
 * other without an end; no value that refers to one that is too deep exists.
 */
export function isTooDeep(value: Evaluated): boolean {
  return depthOf(value) > LIMITS.valueDepth.value;
}
