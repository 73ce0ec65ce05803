import { add } from "../numbers";
import type { FunctionDefinition } from "./language-function";
import {
  define,
  defineVariadic,
  FunctionFailure,
  named,
  nullableBools,
  number,
  numbers,
  string,
} from "./language-function";

/** Lists the numbers from `start` to `end`, exclusive, in either direction. */
function range(args: readonly number[]): readonly number[] | FunctionFailure {
  const [first = 0, second, third] = args;
  const start = second === undefined ? 0 : first;
  const end = second ?? first;
  const step = third ?? (start <= end ? 1 : -1);
  if (step === 0) return new FunctionFailure("step must not be zero");
  if (start < end && step < 0) return new FunctionFailure("must have a positive step to count up");
  if (start > end && step > 0)
    return new FunctionFailure("must have a negative step to count down");
  const all: number[] = [];
  for (let at = start; step > 0 ? at < end : at > end; at = add(at, step)) {
    if (all.length >= 1024) {
      return new FunctionFailure("more than 1024 values were generated");
    }
    all.push(at);
  }
  return all;
}

const DIGITS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

function parseInteger(text: string, base: number): number | FunctionFailure {
  if (!Number.isInteger(base) || base < 2 || base > 62) {
    return new FunctionFailure("base must be a whole number between 2 and 62 inclusive", "base");
  }
  const negative = text.startsWith("-");
  const digits = Array.from(text.replace(/^[-+]/, "")).map((letter) =>
    DIGITS.indexOf(base <= 36 ? letter.toLowerCase() : letter),
  );
  if (digits.length === 0 || digits.some((digit) => digit < 0 || digit >= base)) {
    return new FunctionFailure(`cannot parse the string as a base ${base} integer`, "number");
  }
  const value = digits.reduce((sum, digit) => sum * base + digit, 0);
  if (!Number.isSafeInteger(value)) return new FunctionFailure("the number is too large", "number");
  return negative && value !== 0 ? -value : value;
}

function finite(value: number): number | FunctionFailure {
  return Number.isFinite(value) ? value : new FunctionFailure("the result is not a finite number");
}

const some = { minimum: 1 };
const operands = named("numbers", number);

export const numericFunctions: Readonly<Record<string, FunctionDefinition>> = {
  abs: define([number], ([value]) => Math.abs(value)),
  alltrue: define([nullableBools], ([list]) => list.every((item) => item === true)),
  anytrue: define([nullableBools], ([list]) => list.some((item) => item === true)),
  ceil: define([number], ([value]) => Math.ceil(value) + 0),
  floor: define([number], ([value]) => Math.floor(value)),
  log: define([number, named("base", number)], ([value, base]) =>
    finite(Math.log(value) / Math.log(base)),
  ),
  max: defineVariadic([], operands, (_, all) => Math.max(...all), some),
  min: defineVariadic([], operands, (_, all) => Math.min(...all), some),
  parseint: define([named("number", string), named("base", number)], ([text, base]) =>
    parseInteger(text, base),
  ),
  pow: define([number, named("power", number)], ([value, power]) => finite(value ** power)),
  range: defineVariadic([], named("params", number), (_, args) => range(args), {
    minimum: 1,
    maximum: 3,
  }),
  signum: define([number], ([value]) => Math.sign(value)),
  sum: define([numbers], ([list]) =>
    list.length === 0
      ? new FunctionFailure("cannot sum an empty list", "list")
      : list.reduce((sum, value) => add(sum, value)),
  ),
};
