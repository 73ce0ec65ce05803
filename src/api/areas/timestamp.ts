import { z } from "zod";
import { type JsonNumber, toNumber } from "../../core/json/lossless-json";
import { jsonNumber } from "../../core/json/json-number";

/** A timestamp in the console's spelling: ISO 8601, or seconds or milliseconds since 1970. */
export const timestampSchema = z.union([z.string(), jsonNumber]);
/** A timestamp as found; `parseTimestamp` reads it. */
export type Timestamp = string | JsonNumber;

/** Seconds reach this number in the year 5138, milliseconds did in 1973. */
const FIRST_MILLISECONDS = 1e11;
/** The year 1973 in seconds; smaller numbers are not timestamps. */
const FIRST_SECONDS = 1e8;

/** Returns undefined if the value is not a timestamp. */
export function parseTimestamp(value: unknown): Date | undefined {
  const { data } = timestampSchema.safeParse(value);
  if (data === undefined) return undefined;
  if (typeof data !== "string") return fromEpoch(toNumber(data));
  const text = data.trim();
  if (/^\d+(\.\d+)?$/.test(text)) return fromEpoch(Number(text));
  return /^\d{4}-\d\d-\d\d/.test(text) ? valid(new Date(text)) : undefined;
}

function fromEpoch(count: number): Date | undefined {
  if (count < FIRST_SECONDS) return undefined;
  return valid(new Date(count < FIRST_MILLISECONDS ? count * 1000 : count));
}

function valid(date: Date): Date | undefined {
  return Number.isNaN(date.getTime()) ? undefined : date;
}
