import type { FunctionDefinition } from "./language-function";
import { define, FunctionFailure, named, string } from "./language-function";
import { formatDate } from "./format-date";
import { parseDuration, parseTimestamp, type Timestamp } from "./timestamp";

function addDuration(text: string, duration: string): string | FunctionFailure {
  const start = parseTimestamp(text);
  if (!start) return new FunctionFailure("not a valid RFC 3339 timestamp", "timestamp");
  const amount = parseDuration(duration);
  if (amount === undefined) return new FunctionFailure("not a valid duration", "duration");
  return formatTimestamp({ ...start, nanoseconds: start.nanoseconds + amount });
}

/** Formats without fractions of a second, in the zone of the timestamp. */
function formatTimestamp({ nanoseconds, offset }: Timestamp): string {
  const local = new Date(Number(nanoseconds / 1_000_000n) + offset * 60_000);
  const [, year = "", rest = ""] = /^\+?0*(\d{4,})(-.{14})/.exec(local.toISOString()) ?? [];
  return `${year}${rest}${formatZone(offset)}`;
}

function formatZone(offset: number): string {
  if (offset === 0) return "Z";
  const minutes = Math.abs(offset);
  const part = (value: number): string => String(value).padStart(2, "0");
  return `${offset < 0 ? "-" : "+"}${part(Math.floor(minutes / 60))}:${part(minutes % 60)}`;
}

function compare(a: string, b: string): number | FunctionFailure {
  const [first, second] = [parseTimestamp(a), parseTimestamp(b)];
  if (!first || !second) {
    return new FunctionFailure(
      "not a valid RFC 3339 timestamp",
      first ? "timestamp_b" : "timestamp_a",
    );
  }
  const difference = first.nanoseconds - second.nanoseconds;
  return difference === 0n ? 0 : difference < 0n ? -1 : 1;
}

export const timeFunctions: Readonly<Record<string, FunctionDefinition>> = {
  formatdate: define([named("format", string), named("time", string)], ([format, time]) => {
    const parsed = parseTimestamp(time);
    return parsed
      ? formatDate(format, parsed)
      : new FunctionFailure("not a valid RFC 3339 timestamp", "time");
  }),
  timeadd: define([named("timestamp", string), named("duration", string)], ([start, duration]) =>
    addDuration(start, duration),
  ),
  timecmp: define([named("timestamp_a", string), named("timestamp_b", string)], ([a, b]) =>
    compare(a, b),
  ),
};
