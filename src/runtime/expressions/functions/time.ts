import {
  define,
  FunctionFailure,
  named,
  string,
  type FunctionDefinition,
} from "./language-function";

/** A point in time, and the zone in which it is shown. */
interface Timestamp {
  /** Since 1970, UTC. */
  readonly nanoseconds: bigint;
  /** Minutes east of UTC. */
  readonly offset: number;
}

const TIMESTAMP =
  /^(?<date>\d{4}-\d\d-\d\d)T(?<time>\d\d:\d\d:\d\d)(?:\.(?<fraction>\d+))?(?:Z|(?<sign>[+-])(?<hours>\d\d):(?<minutes>\d\d))$/;

const UNITS: ReadonlyMap<string, bigint> = new Map([
  ["ns", 1n],
  ["us", 1_000n],
  ["µs", 1_000n],
  ["μs", 1_000n],
  ["ms", 1_000_000n],
  ["s", 1_000_000_000n],
  ["m", 60_000_000_000n],
  ["h", 3_600_000_000_000n],
]);

/** Parses an RFC 3339 timestamp; undefined for any other text and for days that do not exist. */
function parseTimestamp(text: string): Timestamp | undefined {
  const {
    date = "",
    time = "",
    fraction = "",
    sign,
    hours = "0",
    minutes = "0",
  } = TIMESTAMP.exec(text)?.groups ?? {};
  const local = `${date}T${time}`;
  const milliseconds = Date.parse(`${local}Z`);
  if (Number.isNaN(milliseconds)) return undefined;
  // JavaScript takes 30 February for 2 March, and 24:00 for the next day.
  if (!new Date(milliseconds).toISOString().startsWith(local)) return undefined;
  if (Number(hours) > 23 || Number(minutes) > 59) return undefined;
  const offset = (Number(hours) * 60 + Number(minutes)) * (sign === "-" ? -1 : 1);
  const nanoseconds =
    BigInt(milliseconds - offset * 60_000) * 1_000_000n +
    BigInt(fraction.slice(0, 9).padEnd(9, "0"));
  return { nanoseconds, offset: offset + 0 };
}

/** Parses a duration such as `1h30m` or `-1.5h` as Go does, in nanoseconds. */
function parseDuration(text: string): bigint | undefined {
  const unsigned = text.replace(/^[-+]/, "");
  if (unsigned === "0") return 0n;
  const part = /(\d+\.?\d*|\.\d+)(ns|us|µs|μs|ms|s|m|h)/g;
  if (unsigned === "" || unsigned.replace(part, "") !== "") return undefined;
  let total = 0n;
  for (const [, amount = "", unit = ""] of unsigned.matchAll(part)) {
    const [whole = "", fraction = ""] = amount.split(".");
    const scale = 10n ** BigInt(fraction.length);
    total += (BigInt(whole + fraction) * (UNITS.get(unit) ?? 0n)) / scale;
  }
  return text.startsWith("-") ? -total : total;
}

const MONTHS =
  "January February March April May June July August September October November December".split(
    " ",
  );
const DAYS = "Sunday Monday Tuesday Wednesday Thursday Friday Saturday".split(" ");

/** Formats a timestamp with the sequences of Terraform's `formatdate`, such as `YYYY-MM-DD`. */
function formatDate(format: string, timestamp: Timestamp): string | FunctionFailure {
  let result = "";
  const token = /'(?:[^']|'')*('?)|([A-Za-z])\2*|[^A-Za-z']+/gy;
  for (const [text, closing, letter] of format.matchAll(token)) {
    if (text.startsWith("'")) {
      if (closing === "" || text.length === 1) {
        return new FunctionFailure("unterminated literal '", "format");
      }
      result += text.slice(1, -1).replaceAll("''", "'");
    } else if (letter === undefined) {
      result += text;
    } else {
      const part = formatPart(text, timestamp);
      if (part === undefined) {
        return new FunctionFailure(`invalid date format verb "${text}"`, "format");
      }
      result += part;
    }
  }
  return result;
}

/** Gives the text for one sequence of equal letters; undefined if it is not one of Terraform's. */
function formatPart(verb: string, { nanoseconds, offset }: Timestamp): string | undefined {
  const local = new Date(Number(nanoseconds / 1_000_000n) + offset * 60_000);
  const year = String(local.getUTCFullYear());
  const month = MONTHS[local.getUTCMonth()] ?? "";
  const day = DAYS[local.getUTCDay()] ?? "";
  const hour = local.getUTCHours();
  const noon = hour < 12 ? "am" : "pm";
  switch (verb) {
    case "YYYY":
      return year.padStart(4, "0");
    case "YY":
      return year.slice(-2).padStart(2, "0");
    case "MMMM":
      return month;
    case "MMM":
      return month.slice(0, 3);
    case "MM":
    case "M":
      return padded(local.getUTCMonth() + 1, verb);
    case "DD":
    case "D":
      return padded(local.getUTCDate(), verb);
    case "EEEE":
      return day;
    case "EEE":
      return day.slice(0, 3);
    case "hh":
    case "h":
      return padded(hour, verb);
    case "HH":
    case "H":
      return padded(hour % 12 === 0 ? 12 : hour % 12, verb);
    case "AA":
      return noon.toUpperCase();
    case "aa":
      return noon;
    case "mm":
    case "m":
      return padded(local.getUTCMinutes(), verb);
    case "ss":
    case "s":
      return padded(local.getUTCSeconds(), verb);
    case "ZZZZZ":
      return zone(offset, ":");
    case "ZZZZ":
      return zone(offset, "");
    case "ZZZ":
      return offset === 0 ? "UTC" : zone(offset, "");
    case "Z":
      return offset === 0 ? "Z" : zone(offset, ":");
    default:
      return undefined;
  }
}

function padded(value: number, verb: string): string {
  return String(value).padStart(verb.length, "0");
}

function zone(offset: number, separator: string): string {
  const minutes = Math.abs(offset);
  const hours = padded(Math.floor(minutes / 60), "hh");
  return `${offset < 0 ? "-" : "+"}${hours}${separator}${padded(minutes % 60, "mm")}`;
}

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
