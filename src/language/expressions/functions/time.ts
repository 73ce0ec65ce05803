import { memberOf } from "../../../core/member-of";
import { define, fail, withName, string, type LanguageFunction } from "./language-function";

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

/** Parses an RFC 3339 timestamp; fails for any other text and for days that do not exist. */
function parseTimestamp(text: string, parameter: string): Timestamp {
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
  if (
    Number.isNaN(milliseconds) ||
    // JavaScript takes 30 February for 2 March, and 24:00 for the next day.
    !new Date(milliseconds).toISOString().startsWith(local) ||
    Number(hours) > 23 ||
    Number(minutes) > 59
  ) {
    return fail("not a valid RFC 3339 timestamp", parameter);
  }
  const offset = (Number(hours) * 60 + Number(minutes)) * (sign === "-" ? -1 : 1);
  const nanoseconds =
    BigInt(milliseconds - offset * 60_000) * 1_000_000n +
    BigInt(fraction.slice(0, 9).padEnd(9, "0"));
  return { nanoseconds, offset: offset + 0 };
}

const DURATION_PART = /(\d+(?:\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h)/g;
/** Matches the whole text, since a search from each digit on would take the square of their number. */
const DURATION = new RegExp(`^(?:${DURATION_PART.source})+$`);

/** Parses a duration such as `1h30m` or `-1.5h` as Go does, in nanoseconds. */
function parseDuration(text: string): bigint {
  const unsigned = text.replace(/^[-+]/, "");
  if (unsigned === "0") return 0n;
  if (!DURATION.test(unsigned)) return fail("not a valid duration", "duration");
  let total = 0n;
  for (const [, amount = "", unit = ""] of unsigned.matchAll(DURATION_PART)) {
    const [whole = "", fraction = ""] = amount.split(".");
    const scale = UNITS.get(unit) ?? 0n;
    // Go calculates a fraction with 64 bits, and drops what is left of a nanosecond.
    let [numerator, denominator] = [0n, 1];
    for (const digit of fraction) {
      const next = numerator * 10n + BigInt(digit);
      if (next > 2n ** 63n) break;
      numerator = next;
      denominator *= 10;
    }
    const part = Math.trunc(Number(numerator) * (Number(scale) / denominator));
    total += BigInt(whole) * scale + BigInt(part);
  }
  const duration = text.startsWith("-") ? -total : total;
  return BigInt.asIntN(64, duration) === duration
    ? duration
    : fail("the duration is out of range", "duration");
}

const MONTHS =
  "January February March April May June July August September October November December".split(
    " ",
  );
const DAYS = "Sunday Monday Tuesday Wednesday Thursday Friday Saturday".split(" ");

/** Formats a timestamp with the sequences of Terraform's `formatdate`, such as `YYYY-MM-DD`. */
function formatDate(format: string, { nanoseconds, offset }: Timestamp): string {
  const local = new Date(Number(nanoseconds / 1_000_000n) + offset * 60_000);
  let result = "";
  // Two quotes are one; any other quote begins a literal, in which two are one, too.
  const token = /''|'(?:[^']|'')*'?|([A-Za-z])\1*|[^A-Za-z']+/gy;
  for (const [text, letter] of format.matchAll(token)) {
    if (text === "''") {
      result += "'";
    } else if (text.startsWith("'")) {
      if (text === "'" || !text.endsWith("'")) return fail("unterminated literal '", "format");
      result += text.slice(1, -1).replaceAll("''", "'");
    } else if (letter === undefined) {
      result += text;
    } else {
      const write = memberOf(VERBS, text) ?? fail(`invalid date format verb "${text}"`, "format");
      result += write(local, offset);
    }
  }
  return result;
}

const hourOf = (local: Date): number => local.getUTCHours();
const noonOf = (local: Date): string => (hourOf(local) < 12 ? "am" : "pm");
const dayOf = (local: Date): string => DAYS[local.getUTCDay()] ?? "";
const monthOf = (local: Date): string => MONTHS[local.getUTCMonth()] ?? "";

/** The text for each sequence of equal letters; `offset` is that of the zone, in minutes. */
const VERBS: Readonly<Record<string, (local: Date, offset: number) => string>> = {
  YYYY: (local) => padded(local.getUTCFullYear(), 4),
  YY: (local) => padded(local.getUTCFullYear(), 2).slice(-2),
  MMMM: monthOf,
  MMM: (local) => monthOf(local).slice(0, 3),
  MM: (local) => padded(local.getUTCMonth() + 1, 2),
  M: (local) => String(local.getUTCMonth() + 1),
  DD: (local) => padded(local.getUTCDate(), 2),
  D: (local) => String(local.getUTCDate()),
  EEEE: dayOf,
  EEE: (local) => dayOf(local).slice(0, 3),
  hh: (local) => padded(hourOf(local), 2),
  h: (local) => String(hourOf(local)),
  HH: (local) => padded(hourOf(local) % 12 || 12, 2),
  H: (local) => String(hourOf(local) % 12 || 12),
  AA: (local) => noonOf(local).toUpperCase(),
  aa: noonOf,
  mm: (local) => padded(local.getUTCMinutes(), 2),
  m: (local) => String(local.getUTCMinutes()),
  ss: (local) => padded(local.getUTCSeconds(), 2),
  s: (local) => String(local.getUTCSeconds()),
  ZZZZZ: (_, offset) => zone(offset, ":"),
  ZZZZ: (_, offset) => zone(offset, ""),
  ZZZ: (_, offset) => (offset === 0 ? "UTC" : zone(offset, "")),
  Z: (_, offset) => (offset === 0 ? "Z" : zone(offset, ":")),
};

function padded(value: number, length: number): string {
  return (value < 0 ? "-" : "") + String(Math.abs(value)).padStart(length, "0");
}

function zone(offset: number, separator: string): string {
  const minutes = Math.abs(offset);
  const hours = padded(Math.floor(minutes / 60), 2);
  return `${offset < 0 ? "-" : "+"}${hours}${separator}${padded(minutes % 60, 2)}`;
}

function compare(a: Timestamp, b: Timestamp): number {
  const difference = a.nanoseconds - b.nanoseconds;
  return difference === 0n ? 0 : difference < 0n ? -1 : 1;
}

export const timeFunctions: Readonly<Record<string, LanguageFunction>> = {
  formatdate: define([withName("format", string), withName("time", string)], ([format, time]) =>
    formatDate(format, parseTimestamp(time, "time")),
  ),
  timeadd: define(
    [withName("timestamp", string), withName("duration", string)],
    ([time, duration]) => {
      const start = parseTimestamp(time, "timestamp");
      const nanoseconds = start.nanoseconds + parseDuration(duration);
      return formatDate("YYYY-MM-DD'T'hh:mm:ssZ", { ...start, nanoseconds });
    },
  ),
  timecmp: define([withName("timestamp_a", string), withName("timestamp_b", string)], ([a, b]) =>
    compare(parseTimestamp(a, "timestamp_a"), parseTimestamp(b, "timestamp_b")),
  ),
};
