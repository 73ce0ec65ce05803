import type { JsonTree } from "../json/format-json";
import {
  isListValue,
  isNullValue,
  isObjectValue,
  isUnknownValue,
  UNKNOWN,
  type ObjectValue,
  type PlainValue,
  type Value,
} from "../values";
import { mapMembers, memberOf } from "../member-of";

/*
 * A value with unknown parts as JSON, as Terraform's plans have it: its known part, and a tree that
 * marks the unknown ones.
 */

/**
 * Returns the known part of a value: unknown members are left out, unknown elements are null.
 *
 * @param keepsSign Keeps the sign of a zero, which Terraform's plans lose.
 */
export function knownPart(value: Value, keepsSign = false): PlainValue | undefined {
  if (isUnknownValue(value)) return undefined;
  if (isListValue(value)) return value.map((element) => knownPart(element, keepsSign) ?? null);
  if (isNullValue(value)) return null;
  if (!isObjectValue(value)) return value === 0 && !keepsSign ? 0 : value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, member]) => {
      const known = knownPart(member, keepsSign);
      return known === undefined ? [] : [[key, known]];
    }),
  );
}

/** Returns a tree in the shape of a value: `true` for unknown parts, `false` for known ones. */
export function unknownTree(value: Value): JsonTree {
  if (isUnknownValue(value)) return true;
  if (isListValue(value)) return value.map(unknownTree);
  return isObjectValue(value) ? markedMembers(value, (member) => unknownTree(member)) : false;
}

/** Marks the members of an object. Leaves out members without a mark. */
export function markedMembers(
  object: ObjectValue,
  mark: (member: Value, key: string) => JsonTree,
): JsonTree {
  return Object.fromEntries(
    Object.entries(object).flatMap(([key, member]) => {
      const marked = mark(member, key);
      return marked === false ? [] : [[key, marked]];
    }),
  );
}

/** Joins the known part of a value with the tree of its unknown parts. */
export function withUnknowns(known: Value, marks: unknown): Value {
  if (marks === true) return UNKNOWN;
  if (Array.isArray(marks)) {
    const list = isListValue(known) ? known : [];
    const joined = list.map((element, index) => withUnknowns(element, marks[index]));
    const isKnown = marks.length <= list.length && joined.every((one, at) => one === list[at]);
    if (isKnown && isListValue(known)) return known;
    return [...joined, ...marks.slice(list.length).map((mark) => withUnknowns(null, mark))];
  }
  if (typeof marks !== "object" || marks === null || Object.keys(marks).length === 0) return known;
  const members = isObjectValue(known) ? known : {};
  const marked = mapMembers({ ...marks }, (mark, key) =>
    withUnknowns(memberOf(members, key) ?? null, mark),
  );
  return { ...members, ...marked };
}
