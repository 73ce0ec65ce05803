import { isLosslessNumber, LosslessNumber, parse, stringify } from "lossless-json";
import { z } from "zod";

/**
 * A number of a body. One that JavaScript would print otherwise (big integers, `1.0`, `1e3`, `-0`)
 * stays as it was spelled, so that it goes back as it was found.
 */
export type JsonNumber = number | LosslessNumber;

/** The schema of one. */
export const jsonNumber = z.custom<JsonNumber>(
  (value) => typeof value === "number" || isLosslessNumber(value),
  "expected a number",
);

/** The number to compute with; digits beyond a double's are lost here and only here. */
export function toNumber(value: JsonNumber): number {
  return typeof value === "number" ? value : Number(value.value);
}

/**
 * JSON text as a value: `JSON.parse`, but for the numbers. Throws a SyntaxError, also for what is
 * nested thousands of levels deep: the parser calls itself for each.
 */
export function parseBody(text: string): unknown {
  try {
    return parse(text, undefined, {
      parseNumber: (spelling) => {
        const number = Number(spelling);
        return JSON.stringify(number) === spelling ? number : new LosslessNumber(spelling);
      },
      onDuplicateKey: ({ newValue }) => newValue,
    });
  } catch (cause) {
    if (cause instanceof RangeError) throw new SyntaxError("JSON is nested too deeply", { cause });
    throw cause;
  }
}

/**
 * The value as JSON text, on one line or indented. Members that are undefined are left out, as
 * `JSON.stringify` does.
 */
export function stringifyBody(body: unknown, indentation?: string): string {
  return stringify(body, undefined, indentation) ?? "null";
}
