/**
 * A binary floating-point number with a chosen precision: Go's big.Float, in which Terraform
 * calculates. The value is `mantissa` × 2^`exponent`; results are rounded to nearest even.
 */
export interface BinaryFloat {
  readonly mantissa: bigint;
  readonly exponent: number;
  /** Bits that the mantissa may have. */
  readonly precision: number;
}

/** The precision of numbers that Terraform parses. */
export const PRECISION_BITS = 512;

function absolute(value: bigint): bigint {
  return value < 0n ? -value : value;
}

function bitLength(value: bigint): number {
  const hex = absolute(value).toString(16);
  return value === 0n
    ? 0
    : (hex.length - 1) * 4 + (32 - Math.clz32(Number.parseInt(hex[0] ?? "0", 16)));
}

/**
 * Rounds to nearest even.
 *
 * @param sticky True if nonzero bits follow those of the mantissa.
 */
function round(mantissa: bigint, exponent: number, precision: number, sticky = false): BinaryFloat {
  const excess = bitLength(mantissa) - precision;
  if (excess <= 0) return { mantissa, exponent, precision };
  const magnitude = absolute(mantissa);
  const shift = BigInt(excess);
  let kept = magnitude >> shift;
  const rest = magnitude - (kept << shift);
  const half = 1n << (shift - 1n);
  if (rest > half || (rest === half && (sticky || (kept & 1n) === 1n))) kept += 1n;
  return { mantissa: mantissa < 0n ? -kept : kept, exponent: exponent + excess, precision };
}

export function fromInteger(value: bigint, precision = PRECISION_BITS): BinaryFloat {
  return round(value, 0, precision);
}

/** Rounds a number to a higher or lower precision. */
export function withPrecision({ mantissa, exponent }: BinaryFloat, precision: number): BinaryFloat {
  return round(mantissa, exponent, precision);
}

/** Parses digits with an optional fraction and exponent; the caller checks the syntax. */
export function parseBinaryFloat(text: string, precision = PRECISION_BITS): BinaryFloat {
  const [coefficient = "", power = "0"] = text.toLowerCase().split("e");
  const [whole = "", fraction = ""] = coefficient.replace("+", "").split(".");
  const digits = BigInt(`${whole}${fraction}`.replace(/^-?$/, "0"));
  const exponent = Number(power) - fraction.length;
  if (exponent === 0 || digits === 0n) return round(digits, 0, precision);
  // Go multiplies with or divides by a power of five that has 64 bits more.
  const five = powerOfFive(Math.abs(exponent), precision + 64);
  const scaled = { mantissa: digits, exponent, precision };
  return exponent > 0 ? product(scaled, five, precision) : quotient(scaled, five, precision);
}

function powerOfFive(power: number, precision: number): BinaryFloat {
  const exact = 27;
  let result = fromInteger(5n ** BigInt(Math.min(power, exact)), precision);
  let square = fromInteger(5n, precision + 64);
  for (let rest = power - exact; rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) result = product(result, square, precision);
    square = product(square, square, precision + 64);
  }
  return result;
}

function product(a: BinaryFloat, b: BinaryFloat, precision: number): BinaryFloat {
  return round(a.mantissa * b.mantissa, a.exponent + b.exponent, precision);
}

function quotient(a: BinaryFloat, b: BinaryFloat, precision: number): BinaryFloat {
  const shift = Math.max(0, precision + 2 + bitLength(b.mantissa) - bitLength(a.mantissa));
  const dividend = a.mantissa << BigInt(shift);
  const whole = dividend / b.mantissa;
  const exact = whole * b.mantissa === dividend;
  return round(whole, a.exponent - b.exponent - shift, precision, !exact);
}

/** Returns both mantissas at the lower of the two exponents. */
function align(a: BinaryFloat, b: BinaryFloat): readonly [bigint, bigint, number] {
  const exponent = Math.min(a.exponent, b.exponent);
  return [
    a.mantissa << BigInt(a.exponent - exponent),
    b.mantissa << BigInt(b.exponent - exponent),
    exponent,
  ];
}

export function add(a: BinaryFloat, b: BinaryFloat): BinaryFloat {
  const [x, y, exponent] = align(a, b);
  return round(x + y, exponent, Math.max(a.precision, b.precision));
}

export function negate(value: BinaryFloat): BinaryFloat {
  return { ...value, mantissa: -value.mantissa };
}

/** Multiplies as cty: the product gets the bits that it needs, up to 512. */
export function multiply(a: BinaryFloat, b: BinaryFloat): BinaryFloat {
  const full = product(a, b, PRECISION_BITS);
  let mantissa = absolute(full.mantissa);
  while (mantissa !== 0n && (mantissa & 1n) === 0n) mantissa >>= 1n;
  return withPrecision(full, Math.max(a.precision, b.precision, bitLength(mantissa)));
}

/** Divides; `b` is not zero. */
export function divide(a: BinaryFloat, b: BinaryFloat): BinaryFloat {
  return quotient(a, b, Math.max(a.precision, b.precision));
}

/** Returns the remainder as cty does, with the precision of `a`. */
export function modulo(a: BinaryFloat, b: BinaryFloat): BinaryFloat {
  const whole = truncate(divide(a, b));
  const multiple = product(b, fromInteger(whole, a.precision), a.precision);
  const [x, y, exponent] = align(a, multiple);
  return round(x - y, exponent, a.precision);
}

export function compare(a: BinaryFloat, b: BinaryFloat): number {
  const [x, y] = align(a, b);
  return x === y ? 0 : x < y ? -1 : 1;
}

/** Returns the integer part. */
export function truncate({ mantissa, exponent }: BinaryFloat): bigint {
  if (exponent >= 0) return mantissa << BigInt(exponent);
  const whole = absolute(mantissa) >> BigInt(-exponent);
  return mantissa < 0n ? -whole : whole;
}

export function hasNoFraction(value: BinaryFloat): boolean {
  return compare(value, fromInteger(truncate(value), Number.POSITIVE_INFINITY)) === 0;
}

/** Decimal digits, without leading zeros; the value is 0.`digits` × 10^`point`. */
export interface Decimal {
  readonly digits: string;
  readonly point: number;
}

/** Returns all decimal digits of the magnitude. */
export function exactDecimal({ mantissa, exponent }: BinaryFloat): Decimal {
  const magnitude = absolute(mantissa);
  if (magnitude === 0n) return { digits: "", point: 0 };
  const text = (
    exponent >= 0 ? magnitude << BigInt(exponent) : magnitude * 5n ** BigInt(-exponent)
  ).toString();
  return { digits: text.replace(/0+$/, ""), point: text.length + Math.min(0, exponent) };
}

/** Returns the fewest digits that identify the number at its precision, by the algorithm of Go. */
export function shortestDecimal(value: BinaryFloat): Decimal {
  const exact = exactDecimal(value);
  if (exact.digits === "") return exact;
  const shift = value.precision + 1 - bitLength(value.mantissa);
  const magnitude = absolute(value.mantissa);
  const mantissa = shift >= 0 ? magnitude << BigInt(shift) : magnitude >> BigInt(-shift);
  const at = { exponent: value.exponent - shift, precision: value.precision };
  const lower = exactDecimal({ mantissa: mantissa - 1n, ...at }).digits;
  const upper = exactDecimal({ mantissa: mantissa + 1n, ...at }).digits;
  const inclusive = (mantissa & 2n) === 0n;
  for (let index = 0; index < exact.digits.length; index++) {
    const digit = Number(exact.digits[index]);
    const low = Number(lower[index] ?? 0);
    const high = Number(upper[index] ?? 0);
    const down = low !== digit || (inclusive && index + 1 === lower.length);
    const up = digit !== high && (inclusive || digit + 1 < high || index + 1 < upper.length);
    if (down && up) return roundDecimal(exact, index + 1);
    if (down) return trim({ ...exact, digits: exact.digits.slice(0, index + 1) });
    if (up) return roundUp(exact, index + 1);
  }
  return exact;
}

/** Rounds to a number of digits, half to even. */
export function roundDecimal(decimal: Decimal, count: number): Decimal {
  const { digits } = decimal;
  if (count < 0) return { digits: "", point: 0 };
  if (count >= digits.length) return decimal;
  const rest = digits.slice(count);
  const odd = count > 0 && Number(digits[count - 1]) % 2 === 1;
  const up = rest === "5" ? odd : rest >= "5";
  return up ? roundUp(decimal, count) : trim({ ...decimal, digits: digits.slice(0, count) });
}

function roundUp({ digits, point }: Decimal, count: number): Decimal {
  const kept = (BigInt(digits.slice(0, count) || "0") + 1n).toString();
  return trim({ digits: kept, point: point + Math.max(0, kept.length - Math.max(count, 0)) });
}

function trim({ digits, point }: Decimal): Decimal {
  const trimmed = digits.replace(/0+$/, "");
  return { digits: trimmed, point: trimmed === "" ? 0 : point };
}

/** Writes digits without an exponent, with `places` decimals or as many as there are. */
export function formatDecimal({ digits, point }: Decimal, places?: number): string {
  const whole = point > 0 ? digits.slice(0, point).padEnd(point, "0") : "0";
  const fraction = point > 0 ? digits.slice(point) : "0".repeat(-point) + digits;
  const shown = places === undefined ? fraction : fraction.slice(0, places).padEnd(places, "0");
  return shown === "" ? whole : `${whole}.${shown}`;
}
