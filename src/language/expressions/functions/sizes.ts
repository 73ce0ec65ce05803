import { unmarkRoot } from "../../../core/marks";
import { typeOf } from "../../../core/typed-values";
import {
  isListValue,
  isObjectValue,
  sortedKeys,
  UNKNOWN,
  type Evaluated,
} from "../../../core/values";
import { boundsOf, hasLength, isNull, NOT_NULL, rangeOf, unknownOf } from "../ranges";
import { graphemes } from "../graphemes";
import { NUMBER } from "../../../core/types";
import { fail } from "./language-function";

/** Counts characters, elements or members. An unknown value may have a known length. */
export function lengthOf(arg: Evaluated): Evaluated {
  const { value } = unmarkRoot(arg);
  if (value === null) return fail("argument must not be null", "value");
  if (typeof value === "string") return graphemes(value).length;
  if (isListValue(value)) {
    const { length } = value;
    return hasLength(value)
      ? length
      : unknownOf(NUMBER, { notNull: true, minimum: 1, maximum: length });
  }
  if (isObjectValue(value)) return Object.keys(value).length;
  if (value !== UNKNOWN) return fail("string, list, set or map required", "value");
  const type = typeOf(arg);
  if (type.kind === "tuple") return type.elements.length;
  if (type.kind === "object") return Object.keys(type.attributes).length;
  if ("element" in type) {
    const { minimum = 0, maximum } = boundsOf(arg);
    return unknownOf(NUMBER, { notNull: true, minimum, ...(maximum !== undefined && { maximum }) });
  }
  if (type.kind === "string") {
    const { prefix = "" } = rangeOf(arg);
    return unknownOf(NUMBER, { notNull: true, minimum: graphemes(prefix).length });
  }
  return type.kind === "any"
    ? unknownOf(NUMBER, NOT_NULL)
    : fail("string, list, set or map required", "value");
}

/** Sorts the keys; those of an object are known even if the object is not. */
export function mapKeys(arg: Evaluated): Evaluated {
  if (isNull(arg)) return fail("argument must not be null", "inputMap");
  const { value } = unmarkRoot(arg);
  if (isObjectValue(value)) return sortedKeys(value);
  const type = typeOf(arg);
  if (type.kind === "object") return sortedKeys(type.attributes);
  return type.kind === "map" || type.kind === "any"
    ? UNKNOWN
    : fail("map or object required", "inputMap");
}
