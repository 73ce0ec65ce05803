import { memberOf } from "../../core/member-of";
import type { Attribute, Attributes } from "../../core/schema/attribute";
import {
  isListValue,
  isObjectValue,
  isUnknownValue,
  isWhollyKnown,
  valuesEqual,
  type AttributePath,
  type ObjectValue,
  type Value,
} from "../../core/values";
import type { PathTree } from "../../formats/difference/path-tree";
import type { MemberChange, RuleState } from "./entries-diff";
import { reviewOf, type Review } from "../../provider/review-hints";

/** An entry of a list before or after. */
export interface Entry {
  readonly index: number;
  readonly value: Value;
  readonly sensitive: PathTree;
}

/** An object before and after, with the paths of its sensitive values. */
interface Pair {
  readonly before: ObjectValue;
  readonly after: ObjectValue;
  readonly beforeSensitive: PathTree;
  readonly afterSensitive: PathTree;
}

/** Compares an entry inside. */
export function compareMembers(attributes: Attributes, pair: Pair): readonly MemberChange[] {
  return compareObjects(attributes, pair, []);
}

function compareObjects(
  attributes: Attributes,
  pair: Pair,
  path: AttributePath,
): readonly MemberChange[] {
  return Object.entries(attributes).flatMap(([name, attribute]) =>
    attribute.writeOnly ? [] : compareMember(attribute, name, pair, [...path, name]),
  );
}

function compareMember(
  attribute: Attribute,
  name: string,
  pair: Pair,
  path: AttributePath,
): readonly MemberChange[] {
  const before = memberOf(pair.before, name) ?? null;
  const after = memberOf(pair.after, name) ?? null;
  if (valuesEqual(before, after)) return [];
  const beforeSensitive = pair.beforeSensitive.at(name);
  const afterSensitive = pair.afterSensitive.at(name);
  const { type, sensitive } = attribute;
  const hidden =
    sensitive === true || [pair.beforeSensitive, pair.afterSensitive].some(({ here }) => here);
  const hides = [beforeSensitive, afterSensitive];
  const isInside = type.kind === "object" && isObjectValue(before) && isObjectValue(after);
  if (isInside && !hidden && !hides.some(({ here }) => here)) {
    const inner = { before, after, beforeSensitive, afterSensitive };
    return compareObjects(type.attributes, inner, path);
  }
  if (hidden || hides.some(({ isEmpty }) => !isEmpty)) return [{ path, kind: "sensitive" }];
  return compareValues(reviewOf(attribute), path, before, after);
}

function compareValues(
  review: Review | undefined,
  path: AttributePath,
  before: Value,
  after: Value,
): readonly MemberChange[] {
  if (isUnknownValue(after)) return [{ path, kind: "unknown" }];
  // A value that is no longer managed stays unchanged.
  if (after === null) return [{ path, kind: "value", before, after }];
  switch (review?.kind) {
    case "off-switch":
      return [switched(path, after !== true)];
    case "on-switch":
      return [switched(path, after !== false)];
    case "rules":
      return compareRules(review.noun, path, before, after);
    case "scope":
    case "collections":
      return compareScopes(path, before, after);
    case "limit":
    case "named-scope":
    case "entries":
    case "follows":
    case undefined:
      return [{ path, kind: "value", before, after }];
  }
}

function switched(path: AttributePath, on: boolean): MemberChange {
  return { path, kind: "switched", on };
}

function compareRules(
  noun: string,
  path: AttributePath,
  before: Value,
  after: Value,
): readonly MemberChange[] {
  const [was, will] = [asObject(before), asObject(after)];
  const rules = [...new Set([...Object.keys(was), ...Object.keys(will)])];
  return rules.flatMap((rule): MemberChange[] => {
    const from = stateOfRule(memberOf(was, rule));
    const to = isUnknownValue(memberOf(will, rule)) ? "unknown" : stateOfRule(memberOf(will, rule));
    if (from === to) return [];
    return [{ path, kind: "rule", noun, rule, before: from, after: to }];
  });
}

function stateOfRule(value: Value | undefined): RuleState {
  if (value === undefined || value === null) return "absent";
  return value === true ? "blocks" : "alerts";
}

function compareScopes(path: AttributePath, before: Value, after: Value): readonly MemberChange[] {
  if (!isWhollyKnown(after)) return [{ path, kind: "unknown" }];
  const [was, will] = [elementsOf(before), elementsOf(after)];
  const added = will.filter((element) => !was.includes(element));
  const removed = was.filter((element) => !will.includes(element));
  if (added.length + removed.length === 0) return [{ path, kind: "value", before, after }];
  return [{ path, kind: "scope", added, removed }];
}

function elementsOf(value: Value): readonly string[] {
  return isListValue(value) ? value.filter((element) => typeof element === "string") : [];
}

function asObject(value: Value): ObjectValue {
  return isObjectValue(value) ? value : {};
}
