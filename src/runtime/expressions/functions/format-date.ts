import { FunctionFailure } from "./language-function";
import type { Timestamp } from "./timestamp";

const MONTHS =
  "January February March April May June July August September October November December".split(
    " ",
  );
const DAYS = "Sunday Monday Tuesday Wednesday Thursday Friday Saturday".split(" ");

/** Formats a timestamp with the sequences of Terraform's `formatdate`, such as `YYYY-MM-DD`. */
export function formatDate(format: string, timestamp: Timestamp): string | FunctionFailure {
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
