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
import { reviewOf, type ReviewHint } from "../../provider/review-hints";

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
export function compareMembers(
  attributes: Attributes,
  pair: Pair,
  path: AttributePath = [],
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
  const own = [beforeSensitive, afterSensitive];
  const isHidden =
    sensitive === true || [pair.beforeSensitive, pair.afterSensitive].some(({ here }) => here);
  const isInside = type.kind === "object" && isObjectValue(before) && isObjectValue(after);
  if (isInside && !isHidden && !own.some(({ here }) => here)) {
    const inner = { before, after, beforeSensitive, afterSensitive };
    return compareMembers(type.attributes, inner, path);
  }
  if (isHidden || own.some(({ isEmpty }) => !isEmpty)) return [{ path, kind: "sensitive" }];
  return compareValues(reviewOf(attribute), path, before, after);
}

function compareValues(
  review: ReviewHint | undefined,
  path: AttributePath,
  before: Value,
  after: Value,
): readonly MemberChange[] {
  if (isUnknownValue(after)) return [{ path, kind: "unknown" }];
  const value = [{ path, kind: "value", before, after }] as const;
  // A value that is no longer managed stays unchanged.
  if (after === null) return value;
  switch (review?.kind) {
    case "off-switch":
      return [{ path, kind: "switched", on: after !== true }];
    case "on-switch":
      return [{ path, kind: "switched", on: after !== false }];
    case "rules":
      return compareRules(review.noun, path, before, after);
    case "scope":
    case "collections": {
      if (!isWhollyKnown(after)) return [{ path, kind: "unknown" }];
      const [was, will] = [elementsOf(before), elementsOf(after)];
      const added = will.filter((element) => !was.includes(element));
      const removed = was.filter((element) => !will.includes(element));
      return added.length + removed.length === 0
        ? value
        : [{ path, kind: "scope", added, removed }];
    }
    case "limit":
    case "named-scope":
    case "entries":
    case "follows":
    case undefined:
      return value;
  }
}

function compareRules(
  noun: string,
  path: AttributePath,
  before: Value,
  after: Value,
): readonly MemberChange[] {
  const objectOf = (value: Value): ObjectValue => (isObjectValue(value) ? value : {});
  const [was, will] = [objectOf(before), objectOf(after)];
  const rules = [...new Set([...Object.keys(was), ...Object.keys(will)])];
  return rules.flatMap((rule): MemberChange[] => {
    const from = stateOfRule(memberOf(was, rule));
    const to = isUnknownValue(memberOf(will, rule)) ? "unknown" : stateOfRule(memberOf(will, rule));
    return from === to ? [] : [{ path, kind: "rule", noun, rule, before: from, after: to }];
  });
}

function stateOfRule(value: Value | undefined): RuleState {
  if (value === undefined || value === null) return "absent";
  return value === true ? "blocks" : "alerts";
}

function elementsOf(value: Value): readonly string[] {
  return isListValue(value) ? value.filter((element) => typeof element === "string") : [];
}
