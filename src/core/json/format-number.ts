import { isExactNumber, type ExactJsonNumber } from "./lossless-json";

/**
 * Formats all digits of a number without an exponent; of a double, the shortest ones. An infinite
 * number has its name.
 */
export function formatNumber(number: number | ExactJsonNumber): string {
  if (isExactNumber(number)) return number.value;
  if (!Number.isFinite(number)) return String(number);
  if (Object.is(number, -0)) return "-0";
  const [coefficient = "", exponent] = String(number).split("e");
  if (exponent === undefined) return coefficient;

  const sign = number < 0 ? "-" : "";
  const [whole = "", fraction = ""] = coefficient.replace("-", "").split(".");
  const point = whole.length + Number(exponent);
  const digits = whole + fraction;
  return point > 0
    ? sign + digits.padEnd(point, "0")
    : `${sign}0.${digits.padStart(digits.length - point, "0")}`;
}
