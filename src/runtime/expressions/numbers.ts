/**
 * Terraform's numbers are decimal to the user: 0.1 + 0.2 is 0.3. JavaScript's are binary, so sums
 * and products are made exactly on the shortest decimal form of their operands.
 */
interface Decimal {
  readonly digits: bigint;
  /** The value is `digits` / 10^`scale`. */
  readonly scale: number;
}

export function add(a: number, b: number): number {
  return exactly(a, b, a + b, (x, y) => x + y);
}

export function subtract(a: number, b: number): number {
  return exactly(a, b, a - b, (x, y) => x - y);
}

export function multiply(a: number, b: number): number {
  if (Number.isSafeInteger(a * b) && Number.isInteger(a) && Number.isInteger(b)) return a * b;
  const x = toDecimal(a);
  const y = toDecimal(b);
  return toNumber({ digits: x.digits * y.digits, scale: x.scale + y.scale });
}

/** The rest of the division, with the sign of `a`. `b` is not zero. */
export function modulo(a: number, b: number): number {
  return exactly(a, b, a % b, (x, y) => x % y);
}

/** As Terraform prints it: all digits, never an exponent. */
export function formatNumber(value: number): string {
  const { digits, scale } = toDecimal(value);
  if (scale === 0) return digits.toString();
  const text = (digits < 0n ? -digits : digits).toString().padStart(scale + 1, "0");
  return `${digits < 0n ? "-" : ""}${text.slice(0, -scale)}.${text.slice(-scale)}`;
}

/** A number as Terraform converts it from a string; undefined where it is none. */
export function parseNumber(text: string): number | undefined {
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text)) return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}

function exactly(
  a: number,
  b: number,
  plain: number,
  combine: (x: bigint, y: bigint) => bigint,
): number {
  if (Number.isSafeInteger(plain) && Number.isInteger(a) && Number.isInteger(b)) return plain;
  const x = toDecimal(a);
  const y = toDecimal(b);
  const scale = Math.max(x.scale, y.scale);
  return toNumber({ digits: combine(widen(x, scale), widen(y, scale)), scale });
}

function widen({ digits, scale }: Decimal, wanted: number): bigint {
  return digits * 10n ** BigInt(wanted - scale);
}

function toNumber({ digits, scale }: Decimal): number {
  return Number(`${digits}e-${scale}`);
}

function toDecimal(value: number): Decimal {
  const [mantissa = "0", exponent = "0"] = String(value).split("e");
  const [whole = "0", fraction = ""] = mantissa.split(".");
  const digits = BigInt(whole + fraction);
  const scale = fraction.length - Number(exponent);
  return scale < 0 ? { digits: digits * 10n ** BigInt(-scale), scale: 0 } : { digits, scale };
}
