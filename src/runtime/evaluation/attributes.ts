import { mapMembers, memberOf } from "../../core/member-of";
import { onceForEach, onceForPairs } from "../../core/alike";
import { dynamicTypeOf } from "../../core/schema/dynamic";
import { typeWithin } from "../../core/schema/dynamic-paths";
import { nestedAttributes } from "../../core/schema/terraform";
import type { Attribute, Attributes, Kind } from "../../core/schema/attribute";
import { foldObject, readsValues, type Fold } from "../../core/schema/fold";
import { walkAttributes } from "../../core/schema/walk";
import { mark, NO_MARKS, remark, type PathMarks } from "../../core/marks";
import { listOf, mapOf, withType } from "../../core/typed-values";
import {
  isNullValue,
  UNKNOWN,
  valueAt,
  type AttributePath,
  type Evaluated,
  type ObjectValue,
  type Value,
} from "../../core/values";
import { NOT_NULL, unknownOf } from "../../language";
import { typeAlone, type Type } from "../../core/types";

/**
 * Converts a provider's object to a value of expressions, with types and with marks.
 *
 * @param sensitive Paths to mark in addition to those of the schema.
 * @param configured Marks of its configuration; the hidden ones stay.
 */
export function toEvaluated(
  attributes: Attributes,
  object: ObjectValue,
  sensitive: readonly AttributePath[] = [],
  configured: readonly PathMarks[] = [],
): Evaluated {
  const typed = evaluated(attributes, object);
  const hidden = hiddenPaths(configured).map((path) => ({ ...NO_MARKS, path, hidden: true }));
  const marks = [...sensitive.map(asMark), ...hidden];
  return marks.length === 0 ? typed : remark(typed, marks);
}

/** Returns the paths of values that are hidden because another stack made them. */
export function hiddenPaths(marks: readonly PathMarks[] = []): readonly AttributePath[] {
  return marks.flatMap(({ path, hidden }) => (hidden ? [path] : []));
}

const evaluated = onceForPairs((attributes: Attributes, object: ObjectValue) =>
  foldObject(attributes, object, evaluating),
);

/** Returns an object whose attributes are all unknown. */
export const unknownObject = onceForEach((attributes: Attributes): Evaluated => {
  return toEvaluated(
    attributes,
    mapMembers(attributes, () => UNKNOWN),
  );
});

/** Returns the sensitive paths of the schema and those that the configuration marked. */
export function sensitivePaths(
  attributes: Attributes,
  object: ObjectValue | null,
  marks: readonly PathMarks[] = [],
): readonly AttributePath[] {
  if (object === null) return [];
  const ofSchema = sensitiveBySchema(attributes, object);
  // Terraform leaves out paths into a null, such as those of a write-only value of any type.
  const marked = marks.flatMap(({ path, sensitive }) =>
    sensitive && !isNullValue(valueAt(object, path.slice(0, -1))) ? [path] : [],
  );
  if (marked.length === 0) return ofSchema;
  const paths = [...ofSchema, ...marked].map((path) => [JSON.stringify(path), path] as const);
  return [...new Map(paths).values()];
}

const sensitiveBySchema = onceForPairs((attributes: Attributes, object: ObjectValue) =>
  // Data sources without a secret may have a million values.
  declaresSensitive(attributes)
    ? walkAttributes(attributes, object).flatMap(({ attribute, path }): AttributePath[] =>
        attribute.sensitive ? [path] : [],
      )
    : [],
);

const declaresSensitive = onceForEach((attributes: Attributes): boolean =>
  Object.values(attributes).some(
    ({ sensitive, type }) =>
      sensitive === true || declaresSensitive(nestedAttributes(type) ?? NO_ATTRIBUTES),
  ),
);

const NO_ATTRIBUTES: Attributes = {};

/** Compares paths regardless of their order. */
export function samePaths(one: readonly AttributePath[], other: readonly AttributePath[]): boolean {
  const keys = (paths: readonly AttributePath[]) =>
    paths.map((path) => JSON.stringify(path)).sort();
  return keys(one).join() === keys(other).join();
}

/** Returns the kind of the value at a path; undefined if there is none. */
export function attributeKindAt(attributes: Attributes, path: AttributePath): Kind | undefined {
  let kind: Kind | undefined = { kind: "object", attributes };
  for (const step of path) {
    if (kind.kind === "object") {
      const member: Attribute | undefined = Object.hasOwn(kind.attributes, step)
        ? memberOf(kind.attributes, step)
        : undefined;
      kind = member?.type;
    } else {
      kind = "element" in kind ? kind.element : undefined;
    }
    if (kind === undefined) return undefined;
  }
  return kind;
}

/** Reports whether the value at a path is a map. Within a value of any type, its own type decides. */
export function isMapAt(attributes: Attributes, value: ObjectValue, path: AttributePath): boolean {
  return valueKindAt(attributes, value, path) === "map";
}

/** Returns the kind of the value at a path. Within a value of any type, its own type decides. */
export function valueKindAt(
  attributes: Attributes,
  value: ObjectValue,
  path: AttributePath,
): Kind["kind"] | Type["kind"] | undefined {
  if (lengthToDynamic(attributes, path) === undefined)
    return attributeKindAt(attributes, path)?.kind;
  return dynamicTypeAt(attributes, value, path)?.kind;
}

/** Returns the type of the value at a path within one of any type; undefined if there is none. */
export function dynamicTypeAt(
  attributes: Attributes,
  value: ObjectValue,
  path: AttributePath,
): Type | undefined {
  const length = lengthToDynamic(attributes, path);
  if (length === undefined) return undefined;
  return typeWithin(dynamicTypeOf(valueAt(value, path.slice(0, length))), path.slice(length));
}

/** Returns the length of the path to the attribute of any type that a path leads to or through. */
export function lengthToDynamic(attributes: Attributes, path: AttributePath): number | undefined {
  for (let length = 1; length <= path.length; length++) {
    if (attributeKindAt(attributes, path.slice(0, length))?.kind === "any") return length;
  }
  return undefined;
}

const evaluating: Fold<Value, Evaluated, Attribute> = {
  ...readsValues,
  settle: (value, type, { attribute, isElement }) => {
    if (type.kind === "any") return withType(value, dynamicTypeOf(value));
    const isNested = nestedAttributes(type) && type.kind !== "set";
    if (value !== null && value !== UNKNOWN && isNested) return undefined;
    const isRefined = value === UNKNOWN && attribute?.notNull === true && !isElement;
    const plain = typeAlone(type);
    return isRefined ? unknownOf(plain, NOT_NULL) : withType(value, plain);
  },
  primitive: (value) => value,
  mismatch: (value) => value,
  list: (elements, type) => ("element" in type ? listOf(elements, type.element) : elements),
  record: (members, type) => {
    if (type.kind === "object") return marked(members, type.attributes);
    return "element" in type ? mapOf(members, type.element) : members;
  },
};

function marked(
  members: { readonly [name: string]: Evaluated },
  attributes: Attributes,
): Evaluated {
  return mapMembers(members, (member, name) => {
    const { sensitive } = memberOf(attributes, name) ?? {};
    return sensitive ? mark(member, { sensitive }) : member;
  });
}

function asMark(path: AttributePath): PathMarks {
  return { ...NO_MARKS, path, sensitive: true };
}
