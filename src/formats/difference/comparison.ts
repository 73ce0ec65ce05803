import { memberOf } from "../../core/member-of";
import {
  isListValue,
  isNullValue,
  isObjectValue,
  isUnknownValue,
  valuesEqual,
  type ObjectValue,
  type Value,
} from "../../core/values";
import { combineEffects, type Content, type Difference, type Effect } from "./difference";
import { PathTree } from "./path-tree";

/** Two values with their marks. `undefined` is an absent value; null is a value, as in a list. */
export interface Comparison {
  readonly before: Value | undefined;
  readonly after: Value | undefined;
  readonly beforeSensitive: PathTree;
  readonly afterSensitive: PathTree;
  readonly replace: PathTree;
  /**
   * Terraform shows an empty string as null unless a schema nests attributes, and inside lists even
   * then. This does the same, so that the text is the same on both engines.
   */
  readonly emptyIsNull: boolean;
  /**
   * Pairs equal elements of lists wherever they are. Without a schema a list can be a set, whose
   * elements have no positions.
   */
  readonly alignsLists: boolean;
}

/** A value with parts. */
export function wholeDifference(
  comparison: Comparison,
  parts: Iterable<Difference>,
  content: Content,
): Difference {
  let effect = effectOnWhole(comparison);
  for (const part of parts) effect = combineEffects(effect, part.effect);
  return difference(comparison, effect, content);
}

export function difference(comparison: Comparison, effect: Effect, content: Content): Difference {
  return { effect, forcesReplacement: comparison.replace.here, content };
}

export function comparePrimitive(comparison: Comparison): Difference {
  const before = primitive(comparison.before, comparison.emptyIsNull);
  const after = primitive(comparison.after, comparison.emptyIsNull);
  return difference(comparison, effectOf(before, after), { kind: "primitive", before, after });
}

/** Undefined where neither value is sensitive. */
export function compareSensitive(
  comparison: Comparison,
  compareInner: (inner: Comparison) => Difference,
): Difference | undefined {
  const before = comparison.beforeSensitive.here;
  const after = comparison.afterSensitive.here;
  if (!before && !after) return undefined;
  const inner = compareInner({
    ...comparison,
    beforeSensitive: comparison.beforeSensitive.below,
    afterSensitive: comparison.afterSensitive.below,
  }).effect;
  const isSet = comparison.before !== undefined || comparison.after !== undefined;
  const marksChange = before !== after && isSet;
  return difference(comparison, inner === "none" && marksChange ? "update" : inner, {
    kind: "sensitive",
    inner,
    before,
    after,
  });
}

/** Undefined where the value is known. `compareBefore` gets the value before as if it were deleted. */
export function compareUnknown(
  comparison: Comparison,
  compareBefore: (before: Comparison) => Difference,
): Difference | undefined {
  if (!isUnknownValue(comparison.after)) return undefined;
  if (comparison.before === undefined || comparison.before === null) {
    return difference(comparison, comparison.before === undefined ? "create" : "update", {
      kind: "unknown",
      before: undefined,
    });
  }
  return difference(comparison, "update", {
    kind: "unknown",
    before: compareBefore({ ...comparison, after: undefined, replace: PathTree.NONE }),
  });
}

/** A member of an object, null where it is not set. */
export function childOf(comparison: Comparison, name: string): Comparison {
  const { before, after, beforeSensitive, afterSensitive, replace } = comparison;
  return {
    ...comparison,
    before: memberOf(asObject(before), name) ?? null,
    after: memberOf(asObject(after), name) ?? null,
    beforeSensitive: beforeSensitive.at(name),
    afterSensitive: afterSensitive.at(name),
    replace: replace.at(name),
  };
}

export function elementOf(
  comparison: Comparison,
  before: number | undefined,
  after: number | undefined,
): Comparison {
  return {
    before: before === undefined ? undefined : asList(comparison.before)[before],
    after: after === undefined ? undefined : asList(comparison.after)[after],
    beforeSensitive: comparison.beforeSensitive.at(before),
    afterSensitive: comparison.afterSensitive.at(after),
    replace: comparison.replace.at(before ?? after),
    emptyIsNull: true,
    alignsLists: comparison.alignsLists,
  };
}

export function asList(value: Value | undefined): readonly Value[] {
  return isListValue(value) ? value : [];
}

export function asObject(value: Value | undefined): ObjectValue {
  return isObjectValue(value) ? value : {};
}

function effectOf(before: Value | undefined, after: Value | undefined): Effect {
  if (before === undefined) return after === undefined ? "none" : "create";
  if (after === undefined) return "delete";
  return valuesEqual(before, after) ? "none" : "update";
}

/** The effect on a value with parts, regardless of its parts. */
function effectOnWhole({ before, after }: Comparison): Effect {
  const [isThere, willBeThere] = [(before ?? null) !== null, (after ?? null) !== null];
  if (isThere === willBeThere) return "none";
  return isThere ? "delete" : "create";
}

function primitive(value: Value | undefined, emptyIsNull: boolean) {
  if (value === undefined || isNullValue(value) || (emptyIsNull && value === "")) {
    return value === undefined ? undefined : null;
  }
  return isListValue(value) || isObjectValue(value) || isUnknownValue(value) ? null : value;
}
