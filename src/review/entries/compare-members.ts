import type { Attribute, Attributes } from "../../provider/schema/attribute";
import {
  isListValue,
  isObjectValue,
  isWhollyKnown,
  UNKNOWN,
  valuesEqual,
  type AttributePath,
  type ObjectValue,
  type Value,
} from "../../provider/values";
import type { PathTree } from "../difference/path-tree";
import type { MemberChange, RuleState } from "./entries-diff";

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

/** Compares an entry inside. A disabled entry protects nothing, so no change weakens it. */
export function compareMembers(attributes: Attributes, pair: Pair): readonly MemberChange[] {
  const changes = compareObjects(attributes, pair, []);
  return isActive(attributes, pair.before)
    ? changes
    : changes.map((change) => ({ ...change, weakens: false }));
}

/** The notable members of an added entry: that it is disabled. */
export function membersOfNew(
  attributes: Attributes,
  entry: ObjectValue,
  sensitive: PathTree,
): readonly MemberChange[] {
  const off = offSwitch(attributes, entry);
  if (off === undefined || sensitive.here || !sensitive.at(off).isEmpty) return [];
  return [{ path: [off], weakens: false, kind: "switched", on: false }];
}

/** False for an entry that is known to be disabled. */
export function isActive(attributes: Attributes, entry: ObjectValue): boolean {
  return offSwitch(attributes, entry) === undefined;
}

/** The attribute that disables an entry. */
function offSwitch(attributes: Attributes, entry: ObjectValue): string | undefined {
  const switches = Object.entries(attributes).find(
    ([name, { review }]) =>
      (review?.kind === "off-switch" && entry[name] === true) ||
      (review?.kind === "on-switch" && entry[name] === false),
  );
  return switches?.[0];
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
  const before = pair.before[name] ?? null;
  const after = pair.after[name] ?? null;
  if (valuesEqual(before, after)) return [];
  const beforeSensitive = pair.beforeSensitive.at(name);
  const afterSensitive = pair.afterSensitive.at(name);
  const { type, review, sensitive } = attribute;
  const hidden =
    sensitive === true || [pair.beforeSensitive, pair.afterSensitive].some(({ here }) => here);
  const hides = [beforeSensitive, afterSensitive];
  const isInside = type.kind === "object" && isObjectValue(before) && isObjectValue(after);
  if (isInside && !hidden && !hides.some(({ here }) => here)) {
    const inner = { before, after, beforeSensitive, afterSensitive };
    return compareObjects(type.attributes, inner, path);
  }
  const changes = compareValues(review, path, before, after);
  if (!hidden && hides.every(({ isEmpty }) => isEmpty)) return changes;
  return [{ path, weakens: changes.some(({ weakens }) => weakens), kind: "sensitive" }];
}

function compareValues(
  review: Attribute["review"],
  path: AttributePath,
  before: Value,
  after: Value,
): readonly MemberChange[] {
  if (after === UNKNOWN) return [{ path, weakens: false, kind: "unknown" }];
  // A value that is no longer managed stays unchanged.
  if (after === null) return [{ path, weakens: false, kind: "value", before, after }];
  switch (review?.kind) {
    case "off-switch":
      return [switched(path, after !== true)];
    case "on-switch":
      return [switched(path, after !== false)];
    case "rules":
      return compareRules(review.noun, path, before, after);
    case "scope":
      return compareScopes(path, before, after);
    case "limit":
      return [{ path, weakens: isLower(before, after), kind: "value", before, after }];
    case "entries":
    case undefined:
      return [{ path, weakens: false, kind: "value", before, after }];
  }
}

function switched(path: AttributePath, on: boolean): MemberChange {
  return { path, weakens: !on, kind: "switched", on };
}

/** 0 is no limit; a limit that was not managed is not known. */
function isLower(before: Value, after: Value): boolean {
  if (typeof before !== "number" || typeof after !== "number" || after === 0) return false;
  return before === 0 || after < before;
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
    const from = stateOfRule(was[rule]);
    const to = will[rule] === UNKNOWN ? "unknown" : stateOfRule(will[rule]);
    if (from === to) return [];
    const weakens = to === "absent" || (from === "blocks" && to === "alerts");
    return [{ path, weakens, kind: "rule", noun, rule, before: from, after: to }];
  });
}

export function stateOfRule(value: Value | undefined): RuleState {
  if (value === undefined || value === null) return "absent";
  return value === true ? "blocks" : "alerts";
}

function compareScopes(path: AttributePath, before: Value, after: Value): readonly MemberChange[] {
  if (!isWhollyKnown(after)) return [{ path, weakens: false, kind: "unknown" }];
  const [was, will] = [elementsOf(before), elementsOf(after)];
  const lost = notCovered(was, will);
  const gained = notCovered(will, was);
  if (lost.length + gained.length > 0) {
    const weakens = lost.length > 0;
    return [{ path, weakens, kind: "scope", before: was, after: will, gained, lost }];
  }
  return [{ path, weakens: false, kind: "value", before, after }];
}

/** The elements that no pattern covers. */
export function notCovered(
  elements: readonly string[],
  patterns: readonly string[],
): readonly string[] {
  return elements.filter((element) => !patterns.some((pattern) => covers(pattern, element)));
}

/** `*` covers everything, `prod-*` covers `prod-eu-*`. */
function covers(pattern: string, element: string): boolean {
  return pattern === element || (pattern.endsWith("*") && element.startsWith(pattern.slice(0, -1)));
}

export function elementsOf(value: Value): readonly string[] {
  return isListValue(value) ? value.filter((element) => typeof element === "string") : [];
}

export function asObject(value: Value): ObjectValue {
  return isObjectValue(value) ? value : {};
}
