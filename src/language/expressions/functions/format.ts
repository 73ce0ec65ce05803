import { memberOf } from "../../../core/member-of";
import { formatJson } from "../../../core/json/format-json";
import { mark, marksWithin, unionMarks, unmark, unmarkRoot } from "../../../core/marks";
import { kindOf } from "../../../core/typed-values";
import {
  isNumberValue,
  isWhollyKnown,
  UNKNOWN,
  type Evaluated,
  type Marks,
} from "../../../core/values";
import {
  DYNAMIC,
  elementsOf,
  hasLength,
  isNull,
  isSequence,
  safePrefix,
  unknownOf,
} from "../ranges";
import {
  exactDecimal,
  formatDecimal,
  hasNoFraction,
  roundDecimal,
  shortestDecimal,
  truncate,
  type BinaryFloat,
  type Decimal,
} from "../binary-float";
import { convert } from "../convert";
import { graphemes } from "../graphemes";
import { LIMITS, TOO_LONG } from "../limits";
import { isNegative, toFloat } from "../numbers";
import { BOOL, NUMBER, STRING } from "../../../core/types";
import { fail, refuse } from "./language-function";

interface Verb {
  readonly flags: string;
  readonly width: number;
  readonly precision: number | undefined;
  readonly position: number | undefined;
  readonly letter: string;
}

/** A percent sign, a verb, or (without a letter) the begin of a faulty one. */
const VERB =
  /%%|%(?:(?<flags>[-+ 0#]*)(?<width>\d*)(?:\.(?<precision>\d*))?(?:\[(?<position>[1-9]\d*)\])?(?<letter>[A-Za-z]))?/g;

/** Go's Printf, which formats numbers, takes no width or precision that is larger. */
const MOST_CHARACTERS_OF_NUMBER = 10_000_009;

/** Formats as Terraform's `format`, with the verbs of Go's Printf for strings, numbers and bools. */
export function format(pattern: string, args: readonly Evaluated[]): Evaluated {
  return isAnyOpen(args)
    ? mark(DYNAMIC, unionMarks(...args.map(marksWithin)))
    : formatOnce(pattern, args);
}

/** Terraform leaves the result open for a value without a type, even for null. */
function isAnyOpen(args: readonly Evaluated[]): boolean {
  return args.some((arg) => kindOf(arg) === "any");
}

function formatOnce(pattern: string, args: readonly Evaluated[]): Evaluated {
  const marks: Marks = unionMarks(...args.map(marksWithin));
  if (!args.every(isWhollyKnown)) {
    const [literal = ""] = pattern.split("%");
    return mark(unknownOf(STRING, { notNull: true, prefix: safePrefix(literal) }), marks);
  }
  let next = 0;
  let used = 0;
  const text = pattern.replace(VERB, (all, ...rest: unknown[]) => {
    if (all === "%%") return "%";
    const verb = readVerb(rest.at(-1) as Readonly<Record<string, string | undefined>>);
    if (verb.letter === "") return fail("unrecognized format sequence");
    if (Math.max(verb.width, verb.precision ?? 0) > LIMITS.stringLength.value) refuse(TOO_LONG);
    const index = verb.position === undefined ? next : verb.position - 1;
    next = index + 1;
    used = Math.max(used, next);
    const arg = args[index];
    if (arg === undefined) {
      return fail(
        `not enough arguments for "${all}": need index ${index} but have ${args.length} total`,
      );
    }
    const unsupported = (why: string) => fail(`unsupported value for "${all}": ${why}`);
    return write(verb, arg, unsupported);
  });
  if (used < args.length) {
    fail(`too many arguments; only ${used} used by format string`);
  }
  return mark(text, marks);
}

/** Calls `format` for each element of the lists among the arguments. */
export function formatList(pattern: string, args: readonly Evaluated[]): Evaluated {
  const marks = unionMarks(...args.map(marksWithin));
  const lists = args.map((arg) => {
    const { value } = unmarkRoot(arg);
    return hasLength(value) ? elementsOf(value) : undefined;
  });
  if (isAnyOpen(args)) return mark(DYNAMIC, marks);
  const lengths = new Set(lists.flatMap((list) => (list ? [list.length] : [])));
  if (lengths.size > 1) {
    return fail("the lists among the arguments have different lengths");
  }
  if (args.some((arg) => isSequence(arg) && !isNull(arg) && !hasLength(unmarkRoot(arg).value))) {
    return mark(UNKNOWN, marks);
  }
  const [length = 1] = lengths;
  const lines: Evaluated[] = [];
  for (let row = 0; row < length; row++) {
    const line = formatOnce(
      pattern,
      args.map((arg, column) => {
        const list = lists[column];
        return list ? (list[row] ?? null) : arg;
      }),
    );
    lines.push(unmarkRoot(line).value);
  }
  return mark(lines, marks);
}

function readVerb(groups: Readonly<Record<string, string | undefined>>): Verb {
  return {
    flags: groups.flags ?? "",
    width: Number(groups.width ?? ""),
    precision: groups.precision === undefined ? undefined : Number(groups.precision),
    position: groups.position === undefined ? undefined : Number(groups.position),
    letter: groups.letter ?? "",
  };
}

function write(verb: Verb, arg: Evaluated, unsupported: (why: string) => never): string {
  switch (verb.letter) {
    case "v":
      return padText(verbatim(arg, verb.flags.includes("#")), verb);
    case "s":
    case "q": {
      const text = as(arg, "string");
      if (typeof text !== "string") return unsupported("string required");
      // Terraform ignores a precision of zero.
      const cut = verb.precision ? graphemes(text).slice(0, verb.precision).join("") : text;
      return padText(verb.letter === "q" ? formatJson(cut) : cut, verb);
    }
    case "t": {
      const value = as(arg, "bool");
      return typeof value === "boolean" ? String(value) : unsupported("bool required");
    }
    case "d":
    case "b":
    case "o":
    case "x":
    case "X":
    case "e":
    case "E":
    case "f":
    case "g":
    case "G": {
      const value = as(arg, "number");
      if (!isNumberValue(value)) return unsupported("number required");
      if (Math.max(verb.width, verb.precision ?? 0) > MOST_CHARACTERS_OF_NUMBER) {
        return refuse("the width or precision is too large for a number");
      }
      const float = toFloat(value);
      if ("eEfgG".includes(verb.letter)) return writeFloat(verb, float, isNegative(value));
      return hasNoFraction(float)
        ? writeInteger(verb, truncate(float))
        : unsupported("an integer is required");
    }
    default:
      return unsupported("unrecognized verb");
  }
}

function as(arg: Evaluated, kind: "string" | "number" | "bool"): Evaluated {
  const type = { string: STRING, number: NUMBER, bool: BOOL }[kind];
  return unmarkRoot(convert(arg, type).value).value;
}

function verbatim(arg: Evaluated, json: boolean): string {
  const { value } = unmark(arg);
  if (!json && typeof value === "string") return value;
  if (!json && isNumberValue(value)) {
    const float = toFloat(value);
    return (isNegative(value) ? "-" : "") + writeGeneral(float, undefined);
  }
  return isWhollyKnown(value) ? formatJson(value) : "null";
}

/** Writes an integer as Go's `big.Int`: a precision is the smallest number of digits. */
function writeInteger({ letter, flags, width, precision }: Verb, whole: bigint): string {
  const isNegative = whole < 0n;
  const base = memberOf({ d: 10, b: 2, o: 8 }, letter) ?? 16;
  const plain = (isNegative ? -whole : whole).toString(base);
  if (precision === 0 && whole === 0n) return "";
  const digits = (letter === "X" ? plain.toUpperCase() : plain).padStart(precision ?? 0, "0");
  const prefixes: Readonly<Record<string, string>> = { b: "0b", o: "0", x: "0x", X: "0X" };
  const lead =
    signOf(isNegative, flags) + (flags.includes("#") ? (memberOf(prefixes, letter) ?? "") : "");
  if (flags.includes("-")) return (lead + digits).padEnd(width);
  return flags.includes("0") && precision === undefined
    ? lead + digits.padStart(width - lead.length, "0")
    : (lead + digits).padStart(width);
}

/** Writes a number as Go's `big.Float`, where zeros go before blanks behind it. */
function writeFloat(verb: Verb, float: BinaryFloat, isNegative: boolean): string {
  const { letter, flags, width, precision } = verb;
  const digits = magnitude(letter, precision, float);
  const sign = signOf(isNegative, flags);
  if (flags.includes("0")) return sign + digits.padStart(width - sign.length, "0");
  return flags.includes("-") ? (sign + digits).padEnd(width) : (sign + digits).padStart(width);
}

function magnitude(letter: string, precision: number | undefined, float: BinaryFloat): string {
  switch (letter) {
    case "f": {
      const exact = exactDecimal(float);
      const places = precision ?? 6;
      return formatDecimal(roundDecimal(exact, exact.point + places), places);
    }
    case "e":
    case "E": {
      const places = precision ?? 6;
      const text = writeExponent(roundDecimal(exactDecimal(float), places + 1), places);
      return letter === "E" ? text.toUpperCase() : text;
    }
    default: {
      const text = writeGeneral(float, precision);
      return letter === "G" ? text.toUpperCase() : text;
    }
  }
}

function writeExponent({ digits, point }: Decimal, places: number): string {
  const exponent = digits === "" ? 0 : point - 1;
  const mantissa = formatDecimal({ digits, point: digits === "" ? 0 : 1 }, places);
  const power = String(Math.abs(exponent)).padStart(2, "0");
  return `${mantissa}e${exponent < 0 ? "-" : "+"}${power}`;
}

/** Formats as Go's %g, with an exponent for very small numbers and those beyond the precision. */
function writeGeneral(float: BinaryFloat, precision: number | undefined): string {
  const shortest = precision === undefined;
  const decimal = shortest
    ? shortestDecimal(float)
    : roundDecimal(exactDecimal(float), precision || 1);
  const { digits, point } = decimal;
  const wanted = shortest ? digits.length : precision || 1;
  const limit = wanted > digits.length && digits.length >= point ? digits.length : wanted;
  const exponent = point - 1;
  if (exponent < -4 || exponent >= (shortest ? 6 : limit)) {
    return writeExponent(decimal, Math.min(wanted, digits.length) - 1);
  }
  return formatDecimal(decimal, Math.max(0, digits.length - point));
}

function signOf(isNegative: boolean, flags: string): string {
  if (isNegative) return "-";
  if (flags.includes("+")) return "+";
  return flags.includes(" ") ? " " : "";
}

/** Pads to a width that counts grapheme clusters, with zeros also behind a text. */
function padText(text: string, { flags, width }: Verb): string {
  // Each cluster has at least one code unit.
  if (width === 0) return text;
  const padding = (flags.includes("0") ? "0" : " ").repeat(
    Math.max(0, width - graphemes(text).length),
  );
  return flags.includes("-") ? text + padding : padding + text;
}
