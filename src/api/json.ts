import { isLosslessNumber, LosslessNumber, parse, stringify } from "lossless-json";
import { z } from "zod";

/** The class of exact numbers, and an order of their digits. */
export { compareNumber as compareDigits, LosslessNumber } from "lossless-json";

/** A number by its digits. */
export interface ExactNumber {
  /** The digits as they were found: 9007199254740993, 1.50. */
  readonly value: string;
  valueOf(): number | bigint;
}

/**
 * A number of a JSON text. One that JavaScript would print otherwise (big integers, `1.0`, `1e3`,
 * `-0`) keeps its digits, so that it is written as it was found.
 */
export type JsonNumber = number | ExactNumber;

/** The schema of a number. */
export const jsonNumber = z.custom<JsonNumber>(
  (value) => typeof value === "number" || isExactNumber(value),
  "expected a number",
);

export function isExactNumber(value: unknown): value is ExactNumber {
  return isLosslessNumber(value);
}

/** The number to compute with; digits beyond a double's are lost here and only here. */
export function toNumber(value: JsonNumber): number {
  return typeof value === "number" ? value : Number(value.value);
}

/**
 * Reads JSON text. Of a repeated member the last one counts, as in `JSON.parse` and Go.
 *
 * @param readNumber Makes a value of a number's digits. Default: a `JsonNumber`.
 * @throws SyntaxError Names the position, except for text that is nested too deeply to be read.
 */
export function parseJson(
  text: string,
  readNumber: (digits: string) => unknown = readJsonNumber,
): unknown {
  try {
    return parse(text, undefined, {
      parseNumber: readNumber,
      onDuplicateKey: ({ newValue }) => newValue,
    });
  } catch (cause) {
    if (cause instanceof RangeError) throw new SyntaxError("JSON is nested too deeply", { cause });
    throw cause;
  }
}

function readJsonNumber(digits: string): JsonNumber {
  const number = Number(digits);
  return String(number) === digits ? number : new LosslessNumber(digits);
}

/** The offset where text stops being valid JSON. */
export function faultOffset(text: string): number {
  try {
    parseJson(text);
  } catch (cause) {
    const offset = / at position (\d+)$/.exec(String(cause))?.[1];
    if (offset !== undefined) return Number(offset);
  }
  return text.length;
}

/**
 * The value as JSON text, on one line or indented. Members that are undefined are left out, as
 * `JSON.stringify` does.
 */
export function stringifyJson(value: unknown, indentation?: string): string {
  return stringify(value, undefined, indentation) ?? "null";
}
