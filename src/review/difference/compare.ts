import type { Attributes, Kind } from "../../provider/schema/attribute";
import { nestedAttributes } from "../../provider/schema/terraform";
import {
  isListValue,
  isObjectValue,
  memberOf,
  UNKNOWN,
  valuesEqual,
  type ObjectValue,
  type Value,
} from "../../provider/values";
import { combineEffects, type Content, type Difference, type Effect } from "./difference";
import { PathTree } from "./path-tree";
import { pairElements } from "./sequence";

/**
 * Two values and what is said about them. `undefined` is a value that is not there; a null is one
 * that is, as in a list.
 */
export interface Comparison {
  readonly before: Value | undefined;
  readonly after: Value | undefined;
  readonly beforeSensitive: PathTree;
  readonly afterSensitive: PathTree;
  readonly replace: PathTree;
  /**
   * Terraform shows an empty string as null unless a schema nests attributes, and inside lists even
   * then. So do we: a reviewer sees the same text on both engines.
   */
  readonly emptyIsNull: boolean;
}

/** Compares a resource's objects. */
export function compareResource(
  attributes: Attributes,
  comparison: Omit<Comparison, "emptyIsNull">,
): Difference {
  const nests = Object.values(attributes).some(({ type }) => nestedAttributes(type) !== undefined);
  return compareObject(attributes, { ...comparison, emptyIsNull: !nests });
}

/** Compares two values of one kind. */
function compareKind(kind: Kind, comparison: Comparison): Difference {
  return (
    compareSensitive(comparison, (inner) => compareKind(kind, inner)) ??
    compareUnknown(comparison, (before) =>
      kind.kind === "object"
        ? compareObject(kind.attributes, { ...before, after: unknownMembers(kind.attributes) })
        : compareKind(kind, before),
    ) ??
    compareKnown(kind, comparison)
  );
}

function compareKnown(kind: Kind, comparison: Comparison): Difference {
  switch (kind.kind) {
    case "string":
    case "number":
    case "bool":
      return comparePrimitive(comparison);
    case "object":
      return compareObject(kind.attributes, comparison);
    case "map":
      return compareMap(comparison, (element) => compareKind(kind.element, element));
    case "set":
      return compareSet(kind.element, comparison);
    case "list":
      return kind.element.kind === "object"
        ? compareObjects(kind.element.attributes, comparison)
        : compareList(comparison, (element) => compareKind(kind.element, element));
  }
}

export function comparePrimitive(comparison: Comparison): Difference {
  const before = primitive(comparison.before, comparison.emptyIsNull);
  const after = primitive(comparison.after, comparison.emptyIsNull);
  return difference(comparison, effectOf(before, after), { kind: "primitive", before, after });
}

function compareObject(attributes: Attributes, comparison: Comparison): Difference {
  const members = new Map<string, Difference>();
  let effect = effectOnWhole(comparison);
  for (const [name, attribute] of Object.entries(attributes)) {
    if (attribute.writeOnly) continue;
    const member = childOf(comparison, name);
    if (member.before === null && member.after === null) continue;
    // What an attribute is null before or after is not there.
    const set = withoutNulls(member);
    const compared = compareKind(attribute.type, attribute.sensitive ? markSensitive(set) : set);
    members.set(name, compared);
    effect = combineEffects(effect, compared.effect);
  }
  // Write-only attributes come and go with their object; nobody can tell whether they change.
  for (const [name, attribute] of Object.entries(attributes)) {
    if (!attribute.writeOnly) continue;
    members.set(name, {
      effect: effect === "update" ? "none" : effect,
      forcesReplacement: comparison.replace.at(name).here,
      content: { kind: "write-only" },
    });
  }
  return difference(comparison, effect, { kind: "object", members, declared: true });
}

/** Lists of objects: by position, as Terraform compares nested attributes. */
function compareObjects(attributes: Attributes, comparison: Comparison): Difference {
  const before = asList(comparison.before);
  const after = asList(comparison.after);
  const length = Math.max(before.length, after.length);
  const elements = Array.from({ length }, (_, index) =>
    compareKind({ kind: "object", attributes }, elementOf(comparison, index, index)),
  );
  return difference(comparison, effectOfParts(comparison, elements), {
    kind: "list",
    elements,
    context: false,
  });
}

export function compareList(
  comparison: Comparison,
  compareElement: (element: Comparison) => Difference,
  comparable?: (a: Value, b: Value) => boolean,
): Difference {
  const elements = pairElements(asList(comparison.before), asList(comparison.after), {
    equal: valuesEqual,
    ...(comparable && { comparable }),
  }).map(([before, after]) => compareElement(elementOf(comparison, before, after)));
  return difference(comparison, effectOfParts(comparison, elements), {
    kind: "list",
    elements,
    context: true,
  });
}

function compareSet(element: Kind, comparison: Comparison): Difference {
  const before = asList(comparison.before);
  const after = asList(comparison.after);
  const kept = new Set<number>();
  const pairs = before.map((value, index): [number, number | undefined] => {
    const match = after.findIndex(
      (candidate, position) =>
        !kept.has(position) && candidate !== UNKNOWN && valuesEqual(value, candidate),
    );
    if (match < 0) return [index, undefined];
    kept.add(match);
    return [index, match];
  });
  const added = after.flatMap((_, index): [undefined, number][] =>
    kept.has(index) ? [] : [[undefined, index]],
  );
  const elements = [...pairs, ...added].map(([b, a]) =>
    compareKind(element, elementOf(comparison, b, a)),
  );
  return difference(comparison, effectOfParts(comparison, elements), { kind: "set", elements });
}

function compareMap(
  comparison: Comparison,
  compareElement: (element: Comparison) => Difference,
): Difference {
  const elements = compareMembers(comparison, compareElement);
  return difference(comparison, effectOfParts(comparison, elements.values()), {
    kind: "map",
    elements,
  });
}

/** By key; a key that only one side has is created or deleted. */
export function compareMembers(
  comparison: Comparison,
  compareMember: (member: Comparison) => Difference,
): Map<string, Difference> {
  const [before, after] = [asObject(comparison.before), asObject(comparison.after)];
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return new Map(
    keys.map((key) => [
      key,
      compareMember({
        ...childOf(comparison, key),
        before: memberOf(before, key),
        after: memberOf(after, key),
      }),
    ]),
  );
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

/** Undefined where the value is known. `compareBefore` gets what is there as if it were deleted. */
export function compareUnknown(
  comparison: Comparison,
  compareBefore: (before: Comparison) => Difference,
): Difference | undefined {
  if (comparison.after !== UNKNOWN) return undefined;
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

export function difference(comparison: Comparison, effect: Effect, content: Content): Difference {
  return { effect, forcesReplacement: comparison.replace.here, content };
}

function effectOf(before: Value | undefined, after: Value | undefined): Effect {
  if (before === undefined) return after === undefined ? "none" : "create";
  if (after === undefined) return "delete";
  return valuesEqual(before, after) ? "none" : "update";
}

/** The effect on something with parts, before its parts are looked at. */
function effectOnWhole({ before, after }: Comparison): Effect {
  const [isThere, willBeThere] = [(before ?? null) !== null, (after ?? null) !== null];
  if (isThere === willBeThere) return "none";
  return isThere ? "delete" : "create";
}

export function effectOfParts(comparison: Comparison, parts: Iterable<Difference>): Effect {
  let effect = effectOnWhole(comparison);
  for (const part of parts) effect = combineEffects(effect, part.effect);
  return effect;
}

/** A member of an object, with null where it is not set. */
function childOf(comparison: Comparison, name: string): Comparison {
  const { before, after, beforeSensitive, afterSensitive, replace } = comparison;
  return {
    ...comparison,
    before: asObject(before)[name] ?? null,
    after: asObject(after)[name] ?? null,
    beforeSensitive: beforeSensitive.at(name),
    afterSensitive: afterSensitive.at(name),
    replace: replace.at(name),
  };
}

function elementOf(
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
  };
}

function withoutNulls(comparison: Comparison): Comparison {
  const set = (value: Value | undefined) =>
    value === null || (comparison.emptyIsNull && value === "") ? undefined : value;
  return { ...comparison, before: set(comparison.before), after: set(comparison.after) };
}

function markSensitive(comparison: Comparison): Comparison {
  const everything = new PathTree([[]]);
  return { ...comparison, beforeSensitive: everything, afterSensitive: everything };
}

function unknownMembers(attributes: Attributes): ObjectValue {
  return Object.fromEntries(Object.keys(attributes).map((name) => [name, UNKNOWN]));
}

function primitive(value: Value | undefined, emptyIsNull: boolean) {
  if (value === undefined || value === null || (emptyIsNull && value === "")) {
    return value === undefined ? undefined : null;
  }
  return typeof value === "object" || typeof value === "symbol" ? null : value;
}

function asList(value: Value | undefined): readonly Value[] {
  return isListValue(value) ? value : [];
}

function asObject(value: Value | undefined): ObjectValue {
  return isObjectValue(value) ? value : {};
}
