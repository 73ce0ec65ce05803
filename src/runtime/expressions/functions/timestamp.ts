/** A point in time, and the zone in which it is shown. */
export interface Timestamp {
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
export function parseTimestamp(text: string): Timestamp | undefined {
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
export function parseDuration(text: string): bigint | undefined {
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
