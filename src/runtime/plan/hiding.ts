import {
  isListValue,
  isNumberValue,
  isObjectValue,
  valueAt,
  type AttributePath,
  type Value,
} from "../../core/values";
import type { ResourceChange } from "../../core/documents/stack-plan";
import { formatJson } from "../../core/json/format-json";

/**
 * Hides values that are sensitive in another stack, in both objects: the state has no marks for them.
 * Also hides where the provider repeats them, as terraform_data does in its output.
 */
export function hiding(change: ResourceChange, paths: readonly AttributePath[]): ResourceChange {
  if (paths.length === 0) return change;
  const { before, after, beforeSensitive, afterSensitive } = change;
  const secrets = new Set(
    [before, after].flatMap((object) =>
      paths.flatMap((path) => leavesOf(valueAt(object, path)).map(({ text }) => text)),
    ),
  );
  const repeated = [before, after].flatMap((object) =>
    leavesOf(object).flatMap(({ path, text }) => (secrets.has(text) ? [path] : [])),
  );
  const hidden = [...paths, ...repeated];
  return {
    ...change,
    beforeSensitive: [...beforeSensitive, ...hidden],
    afterSensitive: [...afterSensitive, ...hidden],
  };
}

interface Leaf {
  readonly path: AttributePath;
  readonly text: string;
}

/** Returns the strings and numbers in a value. */
function leavesOf(value: Value, path: AttributePath = []): readonly Leaf[] {
  if (isListValue(value)) return value.flatMap((one, index) => leavesOf(one, [...path, index]));
  if (isObjectValue(value)) {
    return Object.entries(value).flatMap(([key, one]) => leavesOf(one, [...path, key]));
  }
  if (typeof value !== "string" && !isNumberValue(value)) return [];
  return [{ path, text: formatJson(value) }];
}
