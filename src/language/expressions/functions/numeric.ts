import { mark, marksWithin, unmarkRoot } from "../../../core/marks";
import { isWhollyKnown, UNKNOWN, type Evaluated, type NumberValue } from "../../../core/values";
import { shortInteger } from "../ranges";
import { convert } from "../convert";
import { fromInteger, withPrecision, hasNoFraction } from "../binary-float";
import {
  add,
  compareNumbers,
  fromFloat,
  integerPart,
  isNegative,
  largest,
  negate,
  parseNumber,
  smallest,
  toFloat,
} from "../numbers";
import { BOOL } from "../../../core/types";
import type { LanguageFunction, Parameter } from "./language-function";
import {
  define,
  defineVariadic,
  fail,
  integer,
  items,
  withName,
  number,
  numbers,
  measured,
  refuse,
  unconvertedString,
} from "./language-function";

/** Lists the numbers from `start` to `end`, exclusive, in either direction. */
function range(args: readonly NumberValue[]): readonly NumberValue[] {
  const [first = 0, second, third] = args;
  const start = second === undefined ? 0 : first;
  const end = second ?? first;
  const direction = compareNumbers(end, start);
  const step = third ?? (direction >= 0 ? 1 : -1);
  const stepDirection = compareNumbers(step, 0);
  if (stepDirection === 0) return fail("step must not be zero");
  if (direction > 0 && stepDirection < 0) {
    return fail("must have a positive step to count up");
  }
  if (direction < 0 && stepDirection > 0) {
    return fail("must have a negative step to count down");
  }
  const all: NumberValue[] = [];
  for (let at = start; compareNumbers(end, at) * stepDirection > 0; at = add(at, step)) {
    if (all.length >= 1024) {
      return fail("more than 1024 values were generated");
    }
    all.push(at);
  }
  return all;
}

/** Without a start, the numbers are integers of Terraform's own. */
function rangeOf(args: readonly NumberValue[]): Evaluated {
  const all = range(args);
  if (args.length > 1) return all;
  return all.map((one) => (typeof one === "number" ? shortInteger(one) : one));
}

const DIGITS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

function parseInteger(source: string, base: number): NumberValue {
  if (base < 2 || base > 62) {
    return fail("base must be a whole number between 2 and 62 inclusive", "base");
  }
  const digits = Array.from(source.replace(/^[-+]/, "")).map((letter) =>
    DIGITS.indexOf(base <= 36 ? letter.toLowerCase() : letter),
  );
  if (digits.length === 0 || digits.some((digit) => digit < 0 || digit >= base)) {
    return fail(`cannot parse the string as a base ${base} integer`, "number");
  }
  const value = digits.reduce((sum, digit) => sum * BigInt(base) + BigInt(digit), 0n);
  return fromFloat(fromInteger(source.startsWith("-") ? -value : value));
}

/** Makes a number of a result of Go's float64 functions. */
function double(value: number): NumberValue {
  if (Number.isNaN(value)) return fail("the result is not a number");
  if (!Number.isFinite(value)) return refuse("this executor calculates with finite numbers only");
  if (value === 0) return value;
  const parsed = parseNumber(String(value)) ?? 0;
  return fromFloat(withPrecision(toFloat(parsed), 53));
}

function toDouble(value: NumberValue): number {
  return Number(typeof value === "number" ? value : value.exact);
}

/** Raises to a power in the steps of Go's math.Pow, whose last digits differ from JavaScript's. */
function goPow(base: number, power: number): number {
  if (!Number.isFinite(base) || !Number.isFinite(power) || base === 0) return base ** power;
  if (Math.abs(power) === 0.5) return power > 0 ? Math.sqrt(base) : 1 / Math.sqrt(base);
  let whole = Math.trunc(Math.abs(power));
  let fraction = Math.abs(power) - whole;
  if ((fraction !== 0 && base < 0) || whole >= 2 ** 31) return base ** power;
  let result = 1;
  if (fraction !== 0) {
    if (fraction > 0.5) {
      fraction -= 1;
      whole += 1;
    }
    result = Math.exp(fraction * Math.log(base));
  }
  // The base is split into a factor in [0.5, 1) and a power of two.
  let scale = Math.max(-1022, Math.floor(Math.log2(Math.abs(base))) + 1);
  let factor = base / 2 ** scale;
  let exponent = 0;
  for (let rest = whole; rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) {
      result *= factor;
      exponent += scale;
    }
    factor *= factor;
    scale *= 2;
    if (factor < 0.5) {
      factor *= 2;
      scale -= 1;
    }
  }
  return power < 0 ? (1 / result) * 2 ** -exponent : result * 2 ** exponent;
}

/** Rounds a number with a fraction up or down to an integer. */
function roundTo(value: NumberValue, direction: 1 | -1): NumberValue {
  const whole = integerPart(value);
  return compareNumbers(value, whole) * direction > 0 ? add(whole, direction) : whole;
}

/** Adds numbers, which are converted only now: an unknown one makes any list a sum. */
function sum(list: readonly Evaluated[]): Evaluated {
  if (list.length === 0) return fail("cannot sum an empty list", "list");
  const marks = marksWithin(list);
  if (!isWhollyKnown(list)) return mark(UNKNOWN, marks);
  const { value, problems } = convert(list, numbers.type);
  const [problem] = problems;
  if (problem) return fail(problem.message, "list");
  return mark(
    numbers.read(value).reduce((a, b) => add(a, b)),
    marks,
  );
}

/** A list of bools, each of which may be null or unknown. */
const bools: Parameter<readonly Evaluated[]> = { ...items, type: { kind: "list", element: BOOL } };
const some = { minimum: 1 };
const operands = withName("numbers", number);

export const numericFunctions: Readonly<Record<string, LanguageFunction>> = {
  abs: define([number], ([value]) => (isNegative(value) ? negate(value) : value)),
  alltrue: define([bools], ([list]) => {
    const plain = list.map((item) => unmarkRoot(item).value);
    const decisive = plain.findIndex((item) => item !== true);
    const result = decisive < 0 ? true : plain[decisive] === UNKNOWN ? UNKNOWN : false;
    return mark(result, marksWithin(list));
  }),
  anytrue: define([bools], ([list]) => {
    const plain = list.map((item) => unmarkRoot(item).value);
    const result = plain.includes(true) ? true : plain.includes(UNKNOWN) ? UNKNOWN : false;
    return mark(result, marksWithin(list));
  }),
  ceil: define([number], ([value]) => roundTo(value, 1)),
  floor: define([number], ([value]) => roundTo(value, -1)),
  log: define([number, withName("base", number)], ([value, base]) =>
    double(Math.log(toDouble(value)) / Math.log(toDouble(base))),
  ),
  max: defineVariadic([], operands, (_, all) => largest(all), some),
  min: defineVariadic([], operands, (_, all) => smallest(all), some),
  parseint: define(
    [withName("number", unconvertedString), withName("base", integer)],
    ([source, base]) => parseInteger(source, base),
  ),
  pow: define([number, withName("power", number)], ([value, power]) =>
    double(goPow(toDouble(value), toDouble(power))),
  ),
  range: defineVariadic([], withName("params", number), (_, args) => rangeOf(args), {
    minimum: 1,
    maximum: 3,
  }),
  // Terraform gives it to a function for integers of 64 bits.
  signum: define([number], ([value]) =>
    hasNoFraction(toFloat(value)) &&
    compareNumbers(value, 2 ** 63) < 0 &&
    compareNumbers(value, -(2 ** 63)) >= 0
      ? Math.sign(compareNumbers(value, 0)) + 0
      : fail(`value must be a whole number, between ${-(2n ** 63n)} and ${2n ** 63n - 1n}`),
  ),
  sum: define([measured], ([list]) => sum(list)),
};
