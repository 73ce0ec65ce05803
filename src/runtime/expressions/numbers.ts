import { ExactNumber, type NumberValue } from "../../provider/values";
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
  PRECISION,
  shortestDecimal,
  truncate,
  withPrecision,
  type BinaryFloat,
} from "./binary-float";

/*
 * Terraform calculates with binary numbers of 512 bits. A JavaScript number represents the one that
 * has its decimal digits: 0.1 is 0.1 with 512 bits. Any other number is an `ExactNumber`.
 */

export function toFloat(value: NumberValue): BinaryFloat {
  if (value instanceof ExactNumber) return parseBinaryFloat(value.exact, value.precision);
  return Number.isSafeInteger(value) ? fromInteger(BigInt(value)) : parseBinaryFloat(String(value));
}

export function fromFloat(float: BinaryFloat): NumberValue {
  const sign = float.mantissa < 0n ? "-" : "";
  const text = sign + formatDecimal(shortestDecimal(float));
  const number = Number(text);
  const plain = Number.isSafeInteger(number) || !Number.isInteger(number);
  if (plain && digitsOf(number) === text && compare(toFloat(number), float) === 0) return number;
  const exact = float.precision === PRECISION ? text : sign + formatDecimal(exactDecimal(float));
  return new ExactNumber(text, float.precision, exact);
}

/** Writes all digits of a double, without an exponent. */
function digitsOf(value: number): string {
  const text = String(value);
  if (!text.includes("e")) return text;
  const [coefficient = "", exponent = "0"] = text.replace(/^-/, "").split("e");
  const [whole = "", fraction = ""] = coefficient.split(".");
  const digits = formatDecimal({
    digits: whole + fraction,
    point: whole.length + Number(exponent),
  });
  return value < 0 ? `-${digits}` : digits;
}

/** Formats as Terraform: all digits, without an exponent. */
export function formatNumber(value: NumberValue): string {
  if (value instanceof ExactNumber) return value.value;
  return digitsOf(value);
}

/** Parses a string as Terraform converts it to a number; undefined if it is not one. */
export function parseNumber(text: string): NumberValue | undefined {
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,6})?$/i.test(text)) return undefined;
  if (/^-?\d{1,15}$/.test(text)) return Number(text) + 0;
  return fromFloat(parseBinaryFloat(text));
}

export function add(a: NumberValue, b: NumberValue): NumberValue {
  return fast(a, b, (x, y) => x + y) ?? fromFloat(addFloats(toFloat(a), toFloat(b)));
}

export function subtract(a: NumberValue, b: NumberValue): NumberValue {
  return fast(a, b, (x, y) => x - y) ?? fromFloat(addFloats(toFloat(a), negateFloat(toFloat(b))));
}

export function multiply(a: NumberValue, b: NumberValue): NumberValue {
  return fast(a, b, (x, y) => x * y) ?? fromFloat(multiplyFloats(toFloat(a), toFloat(b)));
}

/**
 * Divides; `b` is not zero.
 *
 * @param precision Bits of the operands, if they are not those of a parsed number.
 */
export function divide(a: NumberValue, b: NumberValue, precision?: number): NumberValue {
  const operand = (value: NumberValue): BinaryFloat =>
    precision === undefined ? toFloat(value) : withPrecision(toFloat(value), precision);
  return fast(a, b, (x, y) => x / y) ?? fromFloat(divideFloats(operand(a), operand(b)));
}

/** Gives the remainder with the sign of `a`; a division by zero gives `a`, as in Terraform. */
export function modulo(a: NumberValue, b: NumberValue): NumberValue {
  if (b === 0) return a;
  return fast(a, b, (x, y) => x % y) ?? fromFloat(moduloFloats(toFloat(a), toFloat(b)));
}

export function negate(value: NumberValue): NumberValue {
  return typeof value === "number" ? 0 - value : fromFloat(negateFloat(toFloat(value)));
}

export function compareNumbers(a: NumberValue, b: NumberValue): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  return compare(toFloat(a), toFloat(b));
}

/** Rounds towards zero, to an integer. */
export function integerPart(value: NumberValue): NumberValue {
  if (typeof value === "number") return Math.trunc(value) + 0;
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
  return Number.isSafeInteger(result) ? result + 0 : undefined;
}
