import { dynamicTypeOf } from "../../provider/schema/dynamic";
import type { Type } from "../../provider/schema/fold";
import { parseType } from "../../provider/schema/terraform";
import {
  isListValue,
  isNullValue,
  isObjectValue,
  UNKNOWN,
  type Value,
} from "../../provider/values";
import type { JsonTree } from "../../runtime/state/format-json";
import type { PathTree } from "../difference/path-tree";

/** The known part of a value: unknown members are left out, unknown elements are null. */
export function knownPart(value: Value): JsonTree | undefined {
  if (value === UNKNOWN) return undefined;
  if (isListValue(value)) return value.map((element) => knownPart(element) ?? null);
  if (isNullValue(value)) return null;
  if (!isObjectValue(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, member]) => {
      const known = knownPart(member);
      return known === undefined ? [] : [[key, known]];
    }),
  );
}

/** A tree in the shape of a value: `true` for unknown parts, `false` for known ones. */
export function unknownTree(value: Value): JsonTree {
  if (value === UNKNOWN) return true;
  if (isListValue(value)) return value.map(unknownTree);
  return isObjectValue(value) ? markedMembers(value, (member) => unknownTree(member)) : false;
}

/** The part of an attribute that gives an unknown value its shape. */
interface Shaped {
  readonly type: Type<Shaped>;
  readonly typeOf?: string;
}

/**
 * A tree in the shape of a value: `true` for sensitive parts. Unknown parts have the shape of their
 * `kind`, which is undefined where no schema describes the value.
 */
export function sensitiveTree(
  kind: Type<Shaped> | undefined,
  value: Value,
  marks: PathTree,
): JsonTree {
  if (marks.here) return true;
  if (kind?.kind === "any") return sensitiveTree(typeIn(value), value, marks);
  if (value === UNKNOWN) return emptyOf(kind);
  const element = kind && "element" in kind ? kind.element : undefined;
  if (isListValue(value)) {
    const elements = kind?.kind === "tuple" ? kind.elements : [];
    return value.map((one, index) =>
      sensitiveTree(elements[index] ?? element, one, marks.at(index)),
    );
  }
  if (!isObjectValue(value)) return false;
  const attributes = kind?.kind === "object" ? kind.attributes : undefined;
  return markedMembers(value, (member, key) => {
    const { type = element, typeOf = key } = attributes?.[key] ?? {};
    const isOpen = type?.kind === "any" && member === UNKNOWN;
    const known = isOpen ? typeIn(value[typeOf] ?? null) : type;
    return sensitiveTree(known, member, marks.at(key));
  });
}

/** The type that a value of any type carries; undefined while it is unknown. */
function typeIn(value: Value): Type<Shaped> | undefined {
  return value === UNKNOWN || isNullValue(value) ? undefined : parseType(dynamicTypeOf(value));
}

function emptyOf(kind: Type<Shaped> | undefined): JsonTree {
  if (kind?.kind === "object" || kind?.kind === "map") return {};
  return kind?.kind === "list" || kind?.kind === "set" || kind?.kind === "tuple" ? [] : false;
}

/** Leaves out members without a mark. */
function markedMembers(
  object: { readonly [key: string]: Value },
  mark: (member: Value, key: string) => JsonTree,
): JsonTree {
  return Object.fromEntries(
    Object.entries(object).flatMap(([key, member]) => {
      const marked = mark(member, key);
      return marked === false ? [] : [[key, marked]];
    }),
  );
}
