import type { FunctionDefinition } from "./language-function";
import { define, FunctionFailure, named, string } from "./language-function";

const TIMESTAMP = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?)(Z|[+-]\d\d:\d\d)$/;
const UNITS: { readonly [unit: string]: number } = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
};

/** Gives milliseconds since 1970; undefined if the text is not an RFC 3339 timestamp. */
function parseTimestamp(text: string): number | undefined {
  if (!TIMESTAMP.test(text)) return undefined;
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : time;
}

/** Gives the milliseconds of `1h30m` or `-1.5h`; undefined if the text is not a duration. */
function parseDuration(text: string): number | undefined {
  if (!/^[-+]?(\d+(\.\d+)?(ns|us|µs|ms|s|m|h))+$/.test(text) && !/^[-+]?0$/.test(text)) {
    return undefined;
  }
  const total = Array.from(text.matchAll(/(\d+(?:\.\d+)?)(ns|us|µs|ms|s|m|h)/g)).reduce(
    (sum, [, amount = "0", unit = "s"]) => sum + Number(amount) * (UNITS[unit] ?? 0),
    0,
  );
  return text.startsWith("-") ? -total : total;
}

function addDuration(timestamp: string, duration: string): string | FunctionFailure {
  const start = parseTimestamp(timestamp);
  if (start === undefined)
    return new FunctionFailure("not a valid RFC 3339 timestamp", "timestamp");
  const amount = parseDuration(duration);
  if (amount === undefined) return new FunctionFailure("not a valid duration", "duration");
  const zone = TIMESTAMP.exec(timestamp)?.[2] ?? "Z";
  const local = new Date(start + amount + zoneOffset(zone)).toISOString().slice(0, 19);
  return local + zone;
}

function zoneOffset(zone: string): number {
  if (zone === "Z") return 0;
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(4, 6));
  return (zone.startsWith("-") ? -minutes : minutes) * 60_000;
}

function compare(a: string, b: string): number | FunctionFailure {
  const [first, second] = [parseTimestamp(a), parseTimestamp(b)];
  if (first === undefined || second === undefined) {
    return new FunctionFailure(
      "not a valid RFC 3339 timestamp",
      first === undefined ? "timestamp_a" : "timestamp_b",
    );
  }
  return Math.sign(first - second);
}

export const timeFunctions: Readonly<Record<string, FunctionDefinition>> = {
  timeadd: define([named("timestamp", string), named("duration", string)], ([start, duration]) =>
    addDuration(start, duration),
  ),
  timecmp: define([named("timestamp_a", string), named("timestamp_b", string)], ([a, b]) =>
    compare(a, b),
  ),
};
