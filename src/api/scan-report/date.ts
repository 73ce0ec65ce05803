import { parseTimestamp } from "../areas/timestamp";

const MILLISECONDS_A_DAY = 86_400_000;
const ISO_8601 =
  /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)\s?(Z|[+-]\d\d(?::?\d\d)?)?)?$/i;

/**
 * A date of ISO 8601, with or without a time. One without an offset is UTC, wherever it is read.
 * Undefined for everything else, days that no month has included.
 */
export function parseDate(text: string): Date | undefined {
  const [, day, time = "00:00", offset = "Z"] = ISO_8601.exec(text.trim()) ?? [];
  if (day === undefined) return undefined;
  const midnight = new Date(`${day}T00:00Z`);
  if (!isValid(midnight) || formatDate(midnight) !== day) return undefined;
  const date = new Date(`${day}T${time}${fullOffset(offset)}`);
  return isValid(date) ? date : undefined;
}

/** `+01`, `+0100` and `+01:00` are one. */
function fullOffset(offset: string): string {
  const [, hours, minutes = "00"] = /^([+-]\d\d):?(\d\d)?$/.exec(offset) ?? [];
  return hours === undefined ? "Z" : `${hours}:${minutes}`;
}

/** A date as above, or seconds or milliseconds since 1970. */
export function parseMoment(value: unknown): Date | undefined {
  return typeof value === "string" ? parseDate(value) : parseTimestamp(value);
}

/** `2020-12-01`: the day of ISO 8601, in UTC. Undefined beyond the years 0 to 9999. */
export function formatDate(date: Date): string | undefined {
  if (!isValid(date)) return undefined;
  const [day = ""] = date.toISOString().split("T");
  return /^\d{4}-/.test(day) ? day : undefined;
}

/** Days of the calendar, in UTC: the time of day does not count. */
export function daysBetween(earlier: Date, later: Date): number {
  return dayNumber(later) - dayNumber(earlier);
}

/** The start of the day in UTC that is so many days of the calendar before. */
export function daysBefore(date: Date, days: number): Date {
  return new Date((dayNumber(date) - days) * MILLISECONDS_A_DAY);
}

function dayNumber(date: Date): number {
  return Math.floor(date.getTime() / MILLISECONDS_A_DAY);
}

function isValid(date: Date): boolean {
  return !Number.isNaN(date.getTime());
}
