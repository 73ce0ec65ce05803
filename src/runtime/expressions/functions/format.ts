import { UNKNOWN } from "../../../provider/values";
import { convert } from "../convert";
import type { Evaluated, Marks } from "../evaluated";
import {
  isList,
  isWhollyKnown,
  mark,
  marksWithin,
  SetValue,
  unionMarks,
  unmark,
  unmarkRoot,
} from "../evaluated";
import { formatNumber } from "../numbers";
import { BOOL, NUMBER, STRING } from "../types";
import { FunctionFailure } from "./language-function";
import { encodeJson } from "./json";

interface Verb {
  readonly flags: string;
  readonly width: number;
  readonly precision: number | undefined;
  readonly position: number | undefined;
  readonly letter: string;
}

const VERB =
  /%(?<flags>[-+ 0#]*)(?<width>\d*)(?:\.(?<precision>\d*))?(?:\[(?<position>\d+)\])?(?<letter>[^])/g;

/** Formats as Terraform's `format`, with the verbs of Go's Printf for strings, numbers and bools. */
export function format(pattern: string, args: readonly Evaluated[]): Evaluated | FunctionFailure {
  const marks: Marks = unionMarks(...args.map(marksWithin));
  if (!args.every(isWhollyKnown)) return mark(UNKNOWN, marks);
  let next = 0;
  let used = 0;
  let failure: string | undefined;
  const text = pattern.replace(VERB, (all, ...rest: unknown[]) => {
    const verb = readVerb(rest.at(-1) as Readonly<Record<string, string | undefined>>);
    if (verb.letter === "%") return "%";
    const index = verb.position === undefined ? next : verb.position - 1;
    next = index + 1;
    used = Math.max(used, next);
    const arg = args[index];
    if (arg === undefined) {
      failure ??= `not enough arguments for "${all}": need index ${index} but have ${args.length} total`;
      return "";
    }
    const written = write(verb, arg);
    if (written instanceof FunctionFailure) {
      failure ??= `unsupported value for "${all}": ${written.message}`;
      return "";
    }
    return pad(written, verb);
  });
  if (failure === undefined && pattern.replace(VERB, "").endsWith("%")) {
    failure = "unrecognized format sequence at the end";
  }
  if (failure === undefined && used < args.length && !pattern.includes("[")) {
    failure = `too many arguments; only ${used} used by format string`;
  }
  return failure === undefined ? mark(text, marks) : new FunctionFailure(failure);
}

/** Calls `format` for each element of the lists among the arguments. */
export function formatList(
  pattern: string,
  args: readonly Evaluated[],
): Evaluated | FunctionFailure {
  const roots = args.map((arg) => unmarkRoot(arg));
  const marks = unionMarks(...roots.map((root) => root.marks));
  if (roots.some(({ value }) => value === UNKNOWN)) return mark(UNKNOWN, marks);
  const lists = roots.map(({ value }) => {
    if (value instanceof SetValue) return value.elements;
    return isList(value) ? value : undefined;
  });
  const lengths = new Set(lists.flatMap((list) => (list ? [list.length] : [])));
  if (lengths.size > 1) {
    return new FunctionFailure("the lists among the arguments have different lengths");
  }
  const [length = 1] = lengths;
  const lines: Evaluated[] = [];
  for (let row = 0; row < length; row++) {
    const line = format(
      pattern,
      roots.map(({ value }, column) => lists[column]?.[row] ?? value),
    );
    if (line instanceof FunctionFailure) return line;
    lines.push(line);
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

function write(verb: Verb, arg: Evaluated): string | FunctionFailure {
  switch (verb.letter) {
    case "v":
      return verbatim(arg, verb.flags.includes("#"));
    case "s":
    case "q": {
      const text = as(arg, "string");
      if (typeof text !== "string") return new FunctionFailure("string required");
      const cut =
        verb.precision === undefined ? text : Array.from(text).slice(0, verb.precision).join("");
      return verb.letter === "q" ? encodeJson(cut) : cut;
    }
    case "t": {
      const value = as(arg, "bool");
      return typeof value === "boolean" ? String(value) : new FunctionFailure("bool required");
    }
    case "d":
    case "b":
    case "o":
    case "x":
    case "X":
    case "e":
    case "f":
    case "g": {
      const value = as(arg, "number");
      if (typeof value !== "number") return new FunctionFailure("number required");
      if (!"efg".includes(verb.letter) && !Number.isInteger(value)) {
        return new FunctionFailure("an integer is required");
      }
      return sign(writeNumber(verb, Math.abs(value)), value < 0, verb.flags);
    }
    default:
      return new FunctionFailure("unrecognized verb");
  }
}

function as(arg: Evaluated, kind: "string" | "number" | "bool"): Evaluated {
  const type = { string: STRING, number: NUMBER, bool: BOOL }[kind];
  return unmarkRoot(convert(arg, type).value).value;
}

function verbatim(arg: Evaluated, json: boolean): string {
  const { value } = unmark(arg);
  if (!json && typeof value === "string") return value;
  return value === null ? "null" : encodeJson(value);
}

function writeNumber({ letter, precision }: Verb, value: number): string {
  switch (letter) {
    case "d":
      return formatNumber(value);
    case "b":
      return BigInt(value).toString(2);
    case "o":
      return BigInt(value).toString(8);
    case "x":
      return BigInt(value).toString(16);
    case "X":
      return BigInt(value).toString(16).toUpperCase();
    case "f":
      return value.toFixed(precision ?? 6);
    case "e":
      return value.toExponential(precision ?? 6).replace(/e([+-])(\d)$/, "e$10$2");
    default:
      return writeGeneral(value, precision);
  }
}

/** Formats as Go's %g, with an exponent for very small numbers and those beyond the precision. */
function writeGeneral(value: number, precision: number | undefined): string {
  const rounded = precision === undefined ? value : Number(value.toPrecision(precision || 1));
  const exponent = Number(rounded.toExponential().split("e")[1]);
  const plain = exponent >= -4 && exponent < (precision === undefined ? 21 : precision || 1);
  return plain ? formatNumber(rounded) : rounded.toExponential().replace(/e([+-])(\d)$/, "e$10$2");
}

function sign(digits: string, negative: boolean, flags: string): string {
  if (negative) return `-${digits}`;
  if (flags.includes("+")) return `+${digits}`;
  return flags.includes(" ") ? ` ${digits}` : digits;
}

function pad(text: string, { flags, width, letter }: Verb): string {
  const missing = width - Array.from(text).length;
  if (missing <= 0) return text;
  if (flags.includes("-")) return text + " ".repeat(missing);
  if (flags.includes("0") && !"sqvt".includes(letter)) {
    const [lead = ""] = /^[-+ ]?/.exec(text) ?? [];
    return lead + "0".repeat(missing) + text.slice(lead.length);
  }
  return " ".repeat(missing) + text;
}
