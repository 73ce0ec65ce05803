import { unmarkRoot } from "../../core/marks";
import { isSet, typeOf } from "../../core/typed-values";
import {
  isListValue,
  isNumberValue,
  isObjectValue,
  isWhollyKnown,
  UNKNOWN,
  valuesEqual,
  type Evaluated,
  type NumberValue,
  type Unknown,
} from "../../core/values";
import { boundsOf, isNull, isUnknown, rangeOf } from "./ranges";
import { memberOf } from "../../core/member-of";
import { compareNumbers } from "./numbers";
import { isOpen, sameType, type Type } from "../../core/types";
import { isConvertible } from "./unify";

/**
 * Compares two values by type and content, as cty's `Equals`: `1` does not equal `"1"`, and a list
 * does not equal a tuple. Nulls of all types are equal. Ignores marks.
 */
export function equal(a: Evaluated, b: Evaluated): boolean | Unknown {
  const x = unmarkRoot(a).value;
  const y = unmarkRoot(b).value;
  if (x === UNKNOWN || y === UNKNOWN) return compareUnknown(a, b);
  if (x === null || y === null) return x === y;
  if (isNumberValue(x) && isNumberValue(y)) return valuesEqual(x, y);
  if (typeof x !== "object" || typeof y !== "object") return x === y;
  const comparable = compareTypes(a, b);
  if (comparable !== true) return comparable;
  if (isSet(x) && !(isWhollyKnown(x) && isWhollyKnown(y))) return UNKNOWN;
  if (isListValue(x) && isListValue(y)) return equalLists(x, y);
  if (isObjectValue(x) && isObjectValue(y)) {
    const keys = Object.keys(x);
    if (keys.length !== Object.keys(y).length || keys.some((key) => !Object.hasOwn(y, key))) {
      return false;
    }
    const members = keys.map((key) => equal(memberOf(x, key) ?? null, memberOf(y, key) ?? null));
    return members.includes(UNKNOWN) ? UNKNOWN : !members.includes(false);
  }
  return false;
}

/** Compares where at least one value is unknown: its type or its range may exclude the other. */
function compareUnknown(a: Evaluated, b: Evaluated): boolean | Unknown {
  if (isUnknown(a) && isUnknown(b)) return UNKNOWN;
  const unknown = isUnknown(a) ? a : b;
  const known = isUnknown(a) ? b : a;
  if (excludes(unknown, known)) return false;
  const type = typeOf(unknown);
  if (isNull(known)) return UNKNOWN;
  if (isOpen(type)) return conforms(type, typeOf(known)) ? UNKNOWN : false;
  return sameType(type, typeOf(known)) ? UNKNOWN : false;
}

/** Reports whether two values have one type; unknown while a part without a type may decide. */
function compareTypes(a: Evaluated, b: Evaluated): boolean | Unknown {
  const x = typeOf(a);
  const y = typeOf(b);
  if (hasUntypedUnknown(a) || hasUntypedUnknown(b)) return conforms(x, y) ? UNKNOWN : false;
  return sameType(x, y);
}

/** Reports whether a tree contains an unknown value without a type. */
function hasUntypedUnknown(value: Evaluated): boolean {
  const root = unmarkRoot(value).value;
  if (root === UNKNOWN) return typeOf(value).kind === "any";
  if (isListValue(root)) return !isSet(root) && root.some(hasUntypedUnknown);
  return isObjectValue(root) && Object.values<Evaluated>(root).some(hasUntypedUnknown);
}

/** Reports whether two types may be the same one once their open parts are known. */
function conforms(a: Type, b: Type): boolean {
  if (a.kind === "any" || b.kind === "any") return true;
  if (a.kind !== b.kind) return false;
  if ("element" in a) return "element" in b && conforms(a.element, b.element);
  return a.kind === "tuple" || a.kind === "object" ? isConvertible(a, b) : true;
}

/** Reports whether what is known of an unknown value excludes a known value. */
function excludes(unknown: Evaluated, known: Evaluated): boolean {
  const value = unmarkRoot(known).value;
  const { notNull = false, prefix = "", minimum, maximum } = rangeOf(unknown);
  if (value === null) return notNull;
  if (typeof value === "string") return !value.startsWith(prefix);
  const size = boundsOf(value);
  return isBelow(size.maximum, minimum) || isBelow(maximum, size.minimum);
}

/** Reports whether both bounds are known and the first one is less. */
export function isBelow(a: NumberValue | undefined, b: NumberValue | undefined): boolean {
  return a !== undefined && b !== undefined && compareNumbers(a, b) < 0;
}

/** Compares element by element; an unknown one before a difference makes the result unknown. */
function equalLists(a: readonly Evaluated[], b: readonly Evaluated[]): boolean | Unknown {
  if (a.length !== b.length) return false;
  for (const [index, element] of a.entries()) {
    const result = equal(element, b[index] ?? null);
    if (result !== true) return result;
  }
  return true;
}
