import type { Attributes, Kind } from "../../core/schema/attribute";
import { nestedAttributes } from "../../core/schema/terraform";
import {
  isListValue,
  isNullValue,
  isNumberValue,
  isObjectValue,
  isUnknownValue,
  UNKNOWN,
  valuesEqual,
  type ObjectValue,
  type Value,
} from "../../core/values";
import { memberOf } from "../../core/member-of";
import {
  asList,
  asObject,
  childOf,
  comparePrimitive,
  compareSensitive,
  compareUnknown,
  difference,
  elementOf,
  wholeDifference,
  type Comparison,
} from "./comparison";
import type { Difference } from "./difference";
import { PathTree } from "./path-tree";
import { pairElements } from "./sequence";

const EVERYTHING = new PathTree([[]]);

/** Compares a resource's objects. Without a schema, attributes are shown by their values. */
export function compareResource(
  attributes: Attributes | null,
  comparison: Omit<Comparison, "emptyIsNull" | "alignsLists">,
): Difference {
  if (attributes === null) {
    return compareUndescribed({ ...comparison, emptyIsNull: false, alignsLists: true });
  }
  const nests = Object.values(attributes).some(({ type }) => nestedAttributes(type) !== undefined);
  return compareObject(attributes, { ...comparison, emptyIsNull: !nests, alignsLists: false });
}

function compareUndescribed(comparison: Comparison): Difference {
  const names = [asObject(comparison.before), asObject(comparison.after)].flatMap(Object.keys);
  const members = new Map(
    [...new Set(names)]
      .map((name) => [name, withoutNulls(childOf(comparison, name))] as const)
      .filter(([, { before, after }]) => before !== undefined || after !== undefined)
      .map(([name, member]) => [name, compare(undefined, member)]),
  );
  const content = { kind: "object", members, declared: true } as const;
  return wholeDifference(comparison, members.values(), content);
}

/** Compares values that no schema describes: outputs, and JSON inside strings. */
export function compareUntyped(
  before: Value | undefined,
  after: Value | undefined,
  sensitive = false,
): Difference {
  const marks = sensitive ? EVERYTHING : PathTree.NONE;
  return compare(undefined, {
    before,
    after,
    beforeSensitive: marks,
    afterSensitive: marks,
    replace: PathTree.NONE,
    emptyIsNull: false,
    alignsLists: false,
  });
}

/** Compares two values of one kind; undefined for values that no schema describes. */
function compare(kind: Kind | undefined, comparison: Comparison): Difference {
  return (
    compareSensitive(comparison, (inner) => compare(kind, inner)) ??
    compareUnknown(comparison, (before) =>
      kind?.kind === "object"
        ? compareObject(kind.attributes, { ...before, after: unknownMembers(kind.attributes) })
        : before.emptyIsNull && before.before === ""
          ? comparePrimitive(before)
          : compare(kind, before),
    ) ??
    (kind ? compareKnown(kind, comparison) : compareKnownUntyped(comparison))
  );
}

function compareKnown(kind: Kind, comparison: Comparison): Difference {
  switch (kind.kind) {
    case "any":
      // Terraform names no replacement next to a value of any type, unless it is hidden or unknown.
      return compareKnownUntyped({ ...comparison, emptyIsNull: false, replace: PathTree.NONE });
    case "string":
    case "number":
    case "bool":
      return comparePrimitive(comparison);
    case "object":
      return compareObject(kind.attributes, comparison);
    case "map": {
      const elements = compareMembers(kind.element, comparison);
      return wholeDifference(comparison, elements.values(), { kind: "map", elements });
    }
    case "set":
      return compareSet(kind.element, comparison);
    case "list":
      return kind.element.kind === "object"
        ? compareObjectList(kind.element, comparison)
        : compareList(comparison, (element) => compare(kind.element, element));
  }
}

function compareKnownUntyped(comparison: Comparison): Difference {
  const { before, after } = comparison;
  if (before !== undefined && after !== undefined && shapeOf(before) !== shapeOf(after)) {
    return difference(comparison, "update", {
      kind: "type-change",
      before: compareKnownUntyped({ ...comparison, after: undefined }),
      after: compareKnownUntyped({ ...comparison, before: undefined }),
    });
  }
  switch (shapeOf(before ?? after)) {
    case "object": {
      const members = compareMembers(undefined, comparison);
      const content = { kind: "object", members, declared: false } as const;
      return wholeDifference(comparison, members.values(), content);
    }
    case "list":
      // An empty string in a list is shown as null only where a schema describes the list.
      return compareList(
        comparison,
        (element) => compare(undefined, { ...element, emptyIsNull: false }),
        (a, b) => isObjectValue(a) && isObjectValue(b),
      );
    default:
      return comparePrimitive(comparison);
  }
}

function shapeOf(value: Value | undefined): string {
  if (isListValue(value)) return "list";
  if (isObjectValue(value)) return "object";
  if (isNumberValue(value)) return "number";
  return value === null ? "null" : typeof value;
}

function compareObject(attributes: Attributes, comparison: Comparison): Difference {
  const members = new Map<string, Difference>();
  for (const [name, attribute] of Object.entries(attributes)) {
    if (attribute.writeOnly) continue;
    const member = childOf(comparison, name);
    if (isNullValue(member.before) && isNullValue(member.after)) continue;
    // An attribute that is null is absent.
    const emptyIsNull = member.emptyIsNull && attribute.type.kind !== "any";
    const set = { ...withoutNulls({ ...member, emptyIsNull }), emptyIsNull: member.emptyIsNull };
    members.set(name, compare(attribute.type, attribute.sensitive ? markSensitive(set) : set));
  }
  const content = { kind: "object", members, declared: true } as const;
  const { effect } = wholeDifference(comparison, members.values(), content);
  // Write-only attributes are created and deleted with their object; their changes are not known.
  for (const [name, attribute] of Object.entries(attributes)) {
    if (!attribute.writeOnly) continue;
    members.set(name, {
      effect: effect === "update" ? "none" : effect,
      forcesReplacement: comparison.replace.at(name).here,
      content: { kind: "write-only" },
    });
  }
  return difference(comparison, effect, content);
}

/** Compares a list of objects by position, as Terraform compares nested attributes. */
function compareObjectList(element: Kind, comparison: Comparison): Difference {
  const length = Math.max(asList(comparison.before).length, asList(comparison.after).length);
  const elements = Array.from({ length }, (_, index) =>
    compare(element, elementOf(comparison, index, index)),
  );
  return wholeDifference(comparison, elements, { kind: "list", elements, context: false });
}

function compareList(
  comparison: Comparison,
  compareElement: (element: Comparison) => Difference,
  comparable?: (a: Value, b: Value) => boolean,
): Difference {
  const elements = pairElements(asList(comparison.before), asList(comparison.after), {
    equal: valuesEqual,
    byPosition: !comparison.alignsLists,
    ...(comparable && { comparable }),
  }).map(([before, after]) => compareElement(elementOf(comparison, before, after)));
  return wholeDifference(comparison, elements, { kind: "list", elements, context: true });
}

function compareSet(element: Kind, comparison: Comparison): Difference {
  const before = asList(comparison.before);
  const after = asList(comparison.after);
  const kept = new Set<number>();
  const pairs = before.map((value, index): [number, number | undefined] => {
    const match = after.findIndex(
      (candidate, position) =>
        !kept.has(position) && !isUnknownValue(candidate) && valuesEqual(value, candidate),
    );
    if (match < 0) return [index, undefined];
    kept.add(match);
    return [index, match];
  });
  const added = after.flatMap((_, index): [undefined, number][] =>
    kept.has(index) ? [] : [[undefined, index]],
  );
  const elements = [...pairs, ...added].map(([b, a]) =>
    compare(element, elementOf(comparison, b, a)),
  );
  return wholeDifference(comparison, elements, { kind: "list", elements, context: false });
}

/** Compares members by key; a key that only one side has is created or deleted. */
function compareMembers(
  kind: Kind | undefined,
  comparison: Comparison,
): ReadonlyMap<string, Difference> {
  const [before, after] = [asObject(comparison.before), asObject(comparison.after)];
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return new Map(
    keys.map((key) => [
      key,
      compare(kind, {
        ...childOf(comparison, key),
        before: memberOf(before, key),
        after: memberOf(after, key),
      }),
    ]),
  );
}

function withoutNulls(comparison: Comparison): Comparison {
  const set = (value: Value | undefined) =>
    isNullValue(value) || (comparison.emptyIsNull && value === "") ? undefined : value;
  return { ...comparison, before: set(comparison.before), after: set(comparison.after) };
}

function markSensitive(comparison: Comparison): Comparison {
  return { ...comparison, beforeSensitive: EVERYTHING, afterSensitive: EVERYTHING };
}

function unknownMembers(attributes: Attributes): ObjectValue {
  return Object.fromEntries(Object.keys(attributes).map((name) => [name, UNKNOWN]));
}
