import { graphemes } from "./graphemes";
import { listOf, setOf, mapOf, isSet, kindOf } from "../../core/typed-values";
import { NO_MARKS, unmarkRoot, withoutMarks, type Root } from "../../core/marks";
import {
  isListValue,
  isNumberValue,
  isObjectValue,
  isWhollyKnown,
  Marked,
  TypedUnknown,
  UNKNOWN,
  type Evaluated,
  type NumberValue,
  type Range,
  type Value,
} from "../../core/values";
import { compareNumbers } from "./numbers";
import { ANY, type CollectionType, type Type } from "../../core/types";

/** Reports whether a value is a list, a set or a tuple, also where it is unknown. */
export function isSequence(value: Evaluated): boolean {
  return ["list", "set", "tuple"].includes(kindOf(value));
}

export const NOT_NULL: Range = { notNull: true };

/**
 * The result of a function of which an argument has no type yet: it has no type either, although
 * the function always gives the same one.
 */
export const DYNAMIC = new TypedUnknown(ANY);

/** Returns the start of a string that stays the same if text follows: the last letter may combine. */
export function safePrefix(text: string): string {
  if (/[!"#$%&'()*+,\-./:;?@[\\\]^_{|}~ \t]$/.test(text)) return text;
  const last = graphemes(text).at(-1) ?? "";
  return text.slice(0, text.length - last.length);
}

/** Makes an unknown value of a type. */
export function unknownOf(type: Type, range: Range = {}): Value {
  if (type.kind === "any") return UNKNOWN;
  const { notNull, minimum, maximum } = range;
  if (notNull && minimum !== undefined && maximum !== undefined) {
    const isExact = compareNumbers(minimum, maximum) === 0;
    if (type.kind === "number" && isExact) return minimum;
    const known = "element" in type && isExact && ofSize(type, Number(minimum));
    if (known) return known;
  }
  return new TypedUnknown(type, range);
}

/** Makes a collection of known length, whose elements are unknown. */
function ofSize(type: CollectionType, size: number): Value | undefined {
  const { kind, element } = type;
  if (kind === "list") {
    const elements = Array.from({ length: size }, () => unknownOf(element));
    return listOf(elements, element);
  }
  if (kind === "set" && size < 2) return setOf(size === 0 ? [] : [unknownOf(element)], element);
  return size === 0 ? mapOf({}, element) : undefined;
}

/** Makes an integer with which Terraform calculates in 64 bits. */
export function shortInteger(value: number): Evaluated {
  return new Marked(value, NO_MARKS, true);
}

export function isShortInteger(value: Evaluated): boolean {
  return value instanceof Marked && value.short;
}

/** Returns the known part of an unknown value; nothing of any other value. */
export function rangeOf(value: Evaluated): Range {
  const root = withoutMarks(value);
  return root instanceof TypedUnknown ? root.range : {};
}

export function isUnknown(value: Evaluated): boolean {
  return unmarkRoot(value).value === UNKNOWN;
}

export function isNull(value: Evaluated): boolean {
  return unmarkRoot(value).value === null;
}

/** Reports whether a value is certainly not null. */
export function isNotNull(value: Evaluated): boolean {
  const root = unmarkRoot(value).value;
  return root === UNKNOWN ? rangeOf(value).notNull === true : root !== null;
}

/** The bounds of a number, or of the length of a collection. */
export type Bounds = Pick<Range, "minimum" | "maximum">;

export function boundsOf(value: Evaluated): Bounds {
  const root = unmarkRoot(value).value;
  if (root === UNKNOWN) return rangeOf(value);
  const size = sizeOf(root);
  return size === undefined ? {} : { minimum: size, maximum: size };
}

/** Reports whether the number of elements is known: unknown elements of a set may equal others. */
export function hasLength(value: Root): boolean {
  return isSet(value) ? value.length < 2 || isWhollyKnown(value) : isListValue(value);
}

/** Returns a known number, or the length of a known collection or tuple. */
function sizeOf(value: Root): NumberValue | undefined {
  if (isNumberValue(value)) return value;
  if (isListValue(value)) return hasLength(value) ? value.length : undefined;
  return isObjectValue(value) ? Object.keys(value).length : undefined;
}

/** Returns the elements of a list, tuple or set; undefined for any other value. */
export function elementsOf(value: Evaluated): readonly Evaluated[] | undefined {
  return isListValue(value) ? value : undefined;
}
