import { formatNumber } from "../../core/json/format-number";
import { ExactNumber, type NumberValue } from "../../core/values";
import {
  add as addFloats,
  compare,
  divide as divideFloats,
  exactDecimal,
  formatDecimal,
  fromInteger,
  modulo as moduloFloats,
  multiply as multiplyFloats,
  negate as negateFloat,
  parseBinaryFloat,
  PRECISION_BITS,
  shortestDecimal,
  truncate,
  withPrecision,
  type BinaryFloat,
} from "./binary-float";

/*
 * Terraform calculates with binary numbers of 512 bits. A JavaScript number represents the one that
 * has its decimal digits: 0.1 is 0.1 with 512 bits. Any other number is an `ExactNumber`. The sign
 * of a zero is that of Go and of JavaScript: Terraform shows `-0` for `0 * -1`.
 */

export function toFloat(value: NumberValue): BinaryFloat {
  if (value instanceof ExactNumber) return parseBinaryFloat(value.exact, value.precision);
  return Number.isSafeInteger(value) ? fromInteger(BigInt(value)) : parseBinaryFloat(String(value));
}

export function fromFloat(float: BinaryFloat): NumberValue {
  const sign = float.mantissa < 0n ? "-" : "";
  const text = sign + formatDecimal(shortestDecimal(float));
  const number = Number(text);
  const plain =
    Number.isSafeInteger(number) || (Number.isFinite(number) && !Number.isInteger(number));
  if (plain && formatNumber(number) === text && compare(toFloat(number), float) === 0)
    return number;
  const exact =
    float.precision === PRECISION_BITS ? text : sign + formatDecimal(exactDecimal(float));
  return new ExactNumber(text, float.precision, exact);
}

/** Parses a string as Terraform converts it to a number; undefined if it is not one. */
export function parseNumber(text: string): NumberValue | undefined {
  if (!/^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d{1,6})?$/i.test(text)) return undefined;
  if (/^-?\d{1,15}$/.test(text)) return Number(text);
  const float = parseBinaryFloat(text);
  return float.mantissa === 0n && text.startsWith("-") ? -0 : fromFloat(float);
}

export function add(a: NumberValue, b: NumberValue): NumberValue {
  return fast(a, b, (x, y) => x + y) ?? fromFloat(addFloats(toFloat(a), toFloat(b)));
}

export function subtract(a: NumberValue, b: NumberValue): NumberValue {
  return fast(a, b, (x, y) => x - y) ?? fromFloat(addFloats(toFloat(a), negateFloat(toFloat(b))));
}

export function multiply(a: NumberValue, b: NumberValue): NumberValue {
  return (
    fast(a, b, (x, y) => x * y) ??
    signedZero(a, b) ??
    fromFloat(multiplyFloats(toFloat(a), toFloat(b)))
  );
}

/**
 * Divides; `b` is not zero.
 *
 * @param precision Bits of the operands, if they are not those of a parsed number.
 */
export function divide(a: NumberValue, b: NumberValue, precision?: number): NumberValue {
  const operand = (value: NumberValue): BinaryFloat =>
    precision === undefined ? toFloat(value) : withPrecision(toFloat(value), precision);
  return (
    fast(a, b, (x, y) => x / y) ??
    signedZero(a, b) ??
    fromFloat(divideFloats(operand(a), operand(b)))
  );
}

/** Returns the remainder with the sign of `a`; a division by zero gives `a`, as in Terraform. */
export function modulo(a: NumberValue, b: NumberValue): NumberValue {
  if (b === 0) return a;
  const remainder = fast(a, b, (x, y) => x % y) ?? fromFloat(moduloFloats(toFloat(a), toFloat(b)));
  if (remainder !== 0) return remainder;
  return Object.is(a, -0) && !isNegative(b) ? -0 : 0;
}

export function negate(value: NumberValue): NumberValue {
  return typeof value === "number" ? -value : fromFloat(negateFloat(toFloat(value)));
}

export function compareNumbers(a: NumberValue, b: NumberValue): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  return compare(toFloat(a), toFloat(b));
}

/** Returns the greatest of at least one number; the first one of equal numbers. */
export function largest(all: readonly NumberValue[]): NumberValue {
  return all.reduce((best, value) => (compareNumbers(value, best) > 0 ? value : best));
}

/** Returns the least of at least one number; the first one of equal numbers. */
export function smallest(all: readonly NumberValue[]): NumberValue {
  return all.reduce((best, value) => (compareNumbers(value, best) < 0 ? value : best));
}

/** Rounds towards zero, to an integer. */
export function integerPart(value: NumberValue): NumberValue {
  if (typeof value === "number") return Math.trunc(value) + 0; // A zero loses its sign.
  return fromFloat(fromInteger(truncate(toFloat(value))));
}

/** Calculates with integers that JavaScript holds exactly, if operands and result are such. */
function fast(
  a: NumberValue,
  b: NumberValue,
  calculate: (x: number, y: number) => number,
): number | undefined {
  if (!Number.isSafeInteger(a) || !Number.isSafeInteger(b)) return undefined;
  const result = calculate(Number(a), Number(b));
  return Number.isSafeInteger(result) ? result : undefined;
}

/** The product or the quotient where `a` or `b` is zero; undefined where none is. */
function signedZero(a: NumberValue, b: NumberValue): number | undefined {
  if (a !== 0 && b !== 0) return undefined;
  return isNegative(a) === isNegative(b) ? 0 : -0;
}

/** Reports whether a number has a minus, also a zero. */
export function isNegative(value: NumberValue): boolean {
  return formatNumber(value).startsWith("-");
}
