import { memberOf } from "../../core/member-of";
import { dynamicTypeOf } from "../../core/schema/dynamic";
import type { Type } from "../../core/types";
import {
  isListValue,
  isNullValue,
  isObjectValue,
  isUnknownValue,
  UNKNOWN,
  type Value,
} from "../../core/values";
import type { JsonTree } from "../../core/json/format-json";
import { markedMembers } from "../../core/documents/partial-value";
import type { PathTree } from "../difference/path-tree";

/**
 * A tree in the shape of a value: `true` for sensitive parts. Unknown parts have the shape of their
 * `kind`, which is undefined where no schema describes the value.
 */
export function sensitiveTree(kind: Type | undefined, value: Value, marks: PathTree): JsonTree {
  if (marks.here) return true;
  if (kind?.kind === "any") return sensitiveTree(typeIn(value), value, marks);
  if (isUnknownValue(value)) return emptyOf(kind);
  const element = kind && "element" in kind ? kind.element : undefined;
  if (isListValue(value)) {
    const elements = kind?.kind === "tuple" ? kind.elements : [];
    return value.map((one, index) =>
      sensitiveTree(elements[index] ?? element, one, marks.at(index)),
    );
  }
  if (!isObjectValue(value)) return false;
  const attributes = kind?.kind === "object" ? kind.attributes : undefined;
  return markedMembers(value, (member, key) =>
    sensitiveTree(memberOf(attributes, key)?.type ?? element, member, marks.at(key)),
  );
}

/** The type that a value of any type carries; undefined if it has none. */
function typeIn(value: Value): Type | undefined {
  return value === UNKNOWN || isNullValue(value) ? undefined : dynamicTypeOf(value);
}

function emptyOf(kind: Type | undefined): JsonTree {
  if (kind?.kind === "object" || kind?.kind === "map") return {};
  return kind?.kind === "list" || kind?.kind === "set" || kind?.kind === "tuple" ? [] : false;
}
