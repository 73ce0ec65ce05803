import { parseTimestamp } from "../areas/timestamp";

const DAY_MS = 86_400_000;
const ISO_8601 =
  /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)\s?(Z|[+-]\d\d(?::?\d\d)?)?)?$/i;

/**
 * Parses a date of ISO 8601, with or without time. Without an offset it is UTC, regardless of the
 * local time zone. Undefined for other text and for days that do not exist.
 */
export function parseDate(text: string): Date | undefined {
  const [, day, time = "00:00", offset = "Z"] = ISO_8601.exec(text.trim()) ?? [];
  if (day === undefined) return undefined;
  const midnight = new Date(`${day}T00:00Z`);
  if (!isValid(midnight) || formatDate(midnight) !== day) return undefined;
  const date = new Date(`${day}T${time}${fullOffset(offset)}`);
  return isValid(date) ? date : undefined;
}

/** Normalizes `+01`, `+0100` and `+01:00`. */
function fullOffset(offset: string): string {
  const [, hours, minutes = "00"] = /^([+-]\d\d):?(\d\d)?$/.exec(offset) ?? [];
  return hours === undefined ? "Z" : `${hours}:${minutes}`;
}

/** Parses a date like `parseDate`, or seconds or milliseconds since 1970. */
export function parseMoment(value: unknown): Date | undefined {
  return typeof value === "string" ? parseDate(value) : parseTimestamp(value);
}

/** Formats the day in UTC, as in `2020-12-01`. Undefined outside the years 0 to 9999. */
export function formatDate(date: Date): string | undefined {
  if (!isValid(date)) return undefined;
  const [day = ""] = date.toISOString().split("T");
  return /^\d{4}-/.test(day) ? day : undefined;
}

/** Counts calendar days in UTC, regardless of the time of day. */
export function daysBetween(earlier: Date, later: Date): number {
  return dayNumber(later) - dayNumber(earlier);
}

/** Returns the start of the day in UTC that is the given number of calendar days earlier. */
export function daysBefore(date: Date, days: number): Date {
  return new Date((dayNumber(date) - days) * DAY_MS);
}

function dayNumber(date: Date): number {
  return Math.floor(date.getTime() / DAY_MS);
}

function isValid(date: Date): boolean {
  return !Number.isNaN(date.getTime());
}
