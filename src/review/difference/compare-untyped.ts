import { isListValue, isObjectValue, type Value } from "../../provider/values";
import {
  compareList,
  compareMembers,
  comparePrimitive,
  compareSensitive,
  compareUnknown,
  difference,
  effectOfParts,
  type Comparison,
} from "./compare";
import type { Difference } from "./difference";
import { PathTree } from "./path-tree";

/** Compares values that no schema describes: outputs, and JSON inside strings. */
export function compareUntyped(
  before: Value | undefined,
  after: Value | undefined,
  sensitive = false,
): Difference {
  const marks = sensitive ? new PathTree([[]]) : PathTree.NONE;
  return compare({
    before,
    after,
    beforeSensitive: marks,
    afterSensitive: marks,
    replace: PathTree.NONE,
    emptyIsNull: false,
  });
}

function compare(comparison: Comparison): Difference {
  return (
    compareSensitive(comparison, compare) ??
    compareUnknown(comparison, compare) ??
    compareKnown(comparison)
  );
}

function compareKnown(comparison: Comparison): Difference {
  const { before, after } = comparison;
  if (before !== undefined && after !== undefined && shapeOf(before) !== shapeOf(after)) {
    return difference(comparison, "update", {
      kind: "type-change",
      before: compareKnown({ ...comparison, after: undefined }),
      after: compareKnown({ ...comparison, before: undefined }),
    });
  }
  switch (shapeOf(before ?? after)) {
    case "object": {
      const members = compareMembers(comparison, compare);
      return difference(comparison, effectOfParts(comparison, members.values()), {
        kind: "object",
        members,
        declared: false,
      });
    }
    case "list":
      // Only where a schema describes a list is an empty string in it shown as null.
      return compareList(
        comparison,
        (element) => compare({ ...element, emptyIsNull: false }),
        areObjects,
      );
    default:
      return comparePrimitive(comparison);
  }
}

function areObjects(a: Value, b: Value): boolean {
  return isObjectValue(a) && isObjectValue(b);
}

function shapeOf(value: Value | undefined): string {
  if (isListValue(value)) return "list";
  return value === null ? "null" : typeof value;
}
