import type { Value } from "../../../provider/values";
import { isListValue, isNumberValue, isWhollyKnown, UNKNOWN } from "../../../provider/values";
import { convert } from "../convert";
import type { Evaluated, EvaluatedObject, Marks } from "../evaluated";
import { isList, isObject, mark, unionMarks, unmark, unmarkRoot } from "../evaluated";
import type { Scope } from "../scope";
import { elementsOf } from "../typed";
import type { Type } from "../types";
import { ANY, NUMBER, STRING } from "../types";

/** The reason of a failed call, to follow a colon. It never contains the value of an argument. */
export class FunctionFailure extends Error {
  constructor(
    message: string,
    /** The invalid parameter; absent if the call as a whole failed. */
    readonly parameter?: string,
  ) {
    super(message);
  }
}

export function fail(message: string, parameter?: string): never {
  throw new FunctionFailure(message, parameter);
}

export interface CallContext {
  readonly path: Scope["path"];
  readonly applying: boolean;
  readonly plannedAt: Date | undefined;
}

/** A function of the Terraform language. */
export interface FunctionDefinition {
  readonly minimum: number;
  /** Infinite in a variadic function. */
  readonly maximum: number;
  /** Loads the library that the function needs. The parser awaits it. */
  readonly load?: () => Promise<void>;
  /** Throws a FunctionFailure. */
  call(args: readonly Evaluated[], context: CallContext): Evaluated;
}

/**
 * A parameter of a function. The argument is converted to `type`. A deep parameter takes wholly
 * known values without marks, and its marks go to the result. Any other parameter takes values that
 * are known and unmarked at the root; inner values keep their marks and may be unknown.
 */
export interface Parameter<T> {
  readonly name: string;
  readonly type: Type;
  readonly deep: boolean;
  readonly nullable?: boolean;
  /** Throws a FunctionFailure, whose parameter is then replaced by `name`. */
  read(value: Evaluated): T;
}

/** Renames a parameter for diagnostics. */
export function named<T>(name: string, parameter: Parameter<T>): Parameter<T> {
  return { ...parameter, name };
}

function deep<T>(name: string, type: Type, guard: (value: Value) => T | undefined): Parameter<T> {
  return {
    name,
    type,
    deep: true,
    read: (value) => guard(unmark(value).value) ?? fail("argument must not be null"),
  };
}

function listOf<T extends Value>(element: Type, guard: (item: Value) => item is T) {
  return deep("list", { kind: "list", element }, (value) =>
    isListValue(value) && value.every(guard) ? value : undefined,
  );
}

/** A string; other primitive values are not converted. */
export const unconvertedString: Parameter<string> = {
  name: "str",
  type: ANY,
  deep: true,
  read: (value) => (typeof value === "string" ? value : fail("string required")),
};
export const string = deep("str", STRING, (v) => (typeof v === "string" ? v : undefined));
export const number = deep("num", NUMBER, (v) => (isNumberValue(v) ? v : undefined));
/** A number without a fraction, small enough for an index. */
export const integer: Parameter<number> = {
  ...number,
  read: (value) => {
    const given = number.read(value);
    return Number.isSafeInteger(given) ? Number(given) : fail("a whole number is required");
  },
};
export const strings = listOf(STRING, (item) => typeof item === "string");
export const nullableStrings = listOf(STRING, (item) => item === null || typeof item === "string");
export const numbers = listOf(NUMBER, isNumberValue);
/** A list, set or tuple of anything. */
export const values = deep("list", ANY, (value) => (isListValue(value) ? value : undefined));
/** Any value, including null. */
export const anything: Parameter<Value> = {
  name: "value",
  type: ANY,
  deep: true,
  nullable: true,
  read: (value) => unmark(value).value,
};

/** A list, set or tuple whose elements keep their marks and may be unknown. */
export const items: Parameter<readonly Evaluated[]> = {
  name: "list",
  type: ANY,
  deep: false,
  read: (value) => elementsOf(value) ?? fail("list, set or tuple required"),
};
/** Like `items`, without sets, whose elements have no order. */
export const sequence: Parameter<readonly Evaluated[]> = {
  ...items,
  read: (value) => (isList(value) ? value : fail("list or tuple required")),
};
/** A map or object whose members keep their marks and may be unknown. */
export const members: Parameter<EvaluatedObject> = {
  name: "map",
  type: ANY,
  deep: false,
  read: (value) => (isObject(value) ? value : fail("map or object required")),
};
/** Any value, unchanged: it may be marked, unknown or null. */
export const raw: Parameter<Evaluated> = {
  name: "value",
  type: ANY,
  deep: false,
  nullable: true,
  read: (value) => value,
};

type Arguments<P extends readonly Parameter<unknown>[]> = {
  [I in keyof P]: P[I] extends Parameter<infer T> ? T : never;
};

export function define<const P extends readonly Parameter<unknown>[]>(
  parameters: P,
  call: (args: Arguments<P>, context: CallContext) => Evaluated,
): FunctionDefinition {
  return {
    minimum: parameters.length,
    maximum: parameters.length,
    call: (args, context) =>
      take(args, parameters, undefined, (taken) => call(taken as Arguments<P>, context)),
  };
}

/** Like `define`, with any number of further arguments of one more parameter. */
export function defineVariadic<const P extends readonly Parameter<unknown>[], R>(
  parameters: P,
  rest: Parameter<R>,
  call: (args: Arguments<P>, rest: readonly R[], context: CallContext) => Evaluated,
  limits: { minimum?: number; maximum?: number } = {},
): FunctionDefinition {
  return {
    minimum: limits.minimum ?? parameters.length,
    maximum: limits.maximum ?? Number.POSITIVE_INFINITY,
    call: (args, context) =>
      take(args, parameters, rest, (taken) =>
        call(
          taken.slice(0, parameters.length) as Arguments<P>,
          taken.slice(parameters.length) as readonly R[],
          context,
        ),
      ),
  };
}

function take(
  args: readonly Evaluated[],
  parameters: readonly Parameter<unknown>[],
  rest: Parameter<unknown> | undefined,
  call: (taken: readonly unknown[]) => Evaluated,
): Evaluated {
  const marks: Marks[] = [];
  const taken: unknown[] = [];
  let known = true;
  for (const [index, arg] of args.entries()) {
    const parameter = parameters[index] ?? rest;
    if (!parameter) return fail("too many arguments");
    if (parameter === raw || parameter.read === raw.read) {
      taken.push(arg);
      continue;
    }
    const converted = convert(arg, parameter.type);
    const [problem] = converted.problems;
    if (problem) return fail(problem.message, parameter.name);
    const root = unmarkRoot(converted.value);
    marks.push(root.marks, ...(parameter.deep ? unmark(root.value).marks : []));
    if (root.value === null && !parameter.nullable) {
      return fail("argument must not be null", parameter.name);
    }
    if (root.value === UNKNOWN || (parameter.deep && !isWhollyKnown(unmark(root.value).value))) {
      known = false;
      continue;
    }
    try {
      taken.push(parameter.read(root.value));
    } catch (thrown) {
      throw thrown instanceof FunctionFailure
        ? new FunctionFailure(thrown.message, parameter.name)
        : thrown;
    }
  }
  return mark(known ? call(taken) : UNKNOWN, unionMarks(...marks));
}
