import { mark, unionMarks, unmark, unmarkRoot, withoutMarks } from "../../../core/marks";
import { isSet, kindOf } from "../../../core/typed-values";
import {
  isListValue,
  isNumberValue,
  isObjectValue,
  isWhollyKnown,
  UNKNOWN,
  type Evaluated,
  type EvaluatedObject,
  type Marks,
  type Value,
} from "../../../core/values";
import { DYNAMIC, elementsOf, hasLength, isUnknown } from "../ranges";
import { convert } from "../convert";
import { UNSUPPORTED_CALL } from "../limits";
import type { EvaluationScope } from "../scope";
import type { Type } from "../../../core/types";
import { ANY, NUMBER, STRING } from "../../../core/types";

/** The reason of a failed call, to follow a colon. It never contains the value of an argument. */
export class FunctionFailure extends Error {
  constructor(
    message: string,
    /** The invalid parameter; absent if the call as a whole failed. */
    readonly parameter?: string,
    readonly summary = parameter === undefined
      ? "Error in function call"
      : "Invalid function argument",
  ) {
    super(message);
  }
}

export function fail(message: string, parameter?: string): never {
  throw new FunctionFailure(message, parameter);
}

/** Fails where Terraform has a result: `try` and `can` do not catch it. */
export function refuse(message: string, parameter?: string): never {
  throw new FunctionFailure(message, parameter, UNSUPPORTED_CALL);
}

export interface FunctionContext {
  readonly path: EvaluationScope["path"];
  readonly applying: boolean;
  readonly plannedAt: Date | undefined;
}

/** A function of the Terraform language. */
export interface LanguageFunction {
  readonly minimum: number;
  /** Infinite in a variadic function. */
  readonly maximum: number;
  /** Loads the library that the function needs. The parser awaits it. */
  readonly load?: () => Promise<void>;
  /** Throws a FunctionFailure. */
  call(args: readonly Evaluated[], context: FunctionContext): Evaluated;
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
  /** The kinds of types that the function takes, if it checks them before values are known. */
  readonly kinds?: readonly Type["kind"][];
  /** Takes unknown values, of which something may be known. */
  readonly partial?: boolean;
  /** Takes sets only if the number of their elements is known. */
  readonly measured?: boolean;
  /** Takes an unknown value without a type. The result of other functions has no type then. */
  readonly open?: boolean;
  /** Throws a FunctionFailure, whose parameter is then replaced by `name`. */
  read(value: Evaluated): T;
}

/** Renames a parameter for diagnostics. */
export function withName<T>(name: string, parameter: Parameter<T>): Parameter<T> {
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
  open: true,
  read: (value) => unmark(value).value,
};

/** A list, set or tuple whose elements keep their marks and may be unknown. */
export const items: Parameter<readonly Evaluated[]> = {
  name: "list",
  type: ANY,
  deep: false,
  read: (value) => elementsOf(value) ?? fail("list, set or tuple required"),
};
/** Like `items`, for functions that count the elements. */
export const measured: Parameter<readonly Evaluated[]> = { ...items, measured: true };
/** Like `items`, without sets, whose elements have no order. */
export const sequence: Parameter<readonly Evaluated[]> = {
  ...items,
  kinds: ["list", "tuple"],
  read: (value) => (isListValue(value) && !isSet(value) ? value : fail("list or tuple required")),
};
/** A map or object whose members keep their marks and may be unknown. */
export const members: Parameter<EvaluatedObject> = {
  name: "map",
  type: ANY,
  deep: false,
  kinds: ["map", "object"],
  read: (value) => (isObjectValue(value) ? value : fail("map or object required")),
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
  call: (args: Arguments<P>, context: FunctionContext) => Evaluated,
): LanguageFunction {
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
  call: (args: Arguments<P>, rest: readonly R[], context: FunctionContext) => Evaluated,
  limits: { minimum?: number; maximum?: number } = {},
): LanguageFunction {
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

/**
 * Checks the types of arguments, and reads them if all are known. Without that the result is
 * unknown; it also has no type if an argument has none.
 */
function take(
  args: readonly Evaluated[],
  parameters: readonly Parameter<unknown>[],
  rest: Parameter<unknown> | undefined,
  call: (taken: readonly unknown[]) => Evaluated,
): Evaluated {
  const given = args.map((arg, index) =>
    asParameter(arg, parameters[index] ?? rest ?? fail("too many arguments")),
  );
  const marks = unionMarks(...given.flatMap((one) => one.marks));
  let isKnown = true;
  for (const { value, parameter } of given) {
    if (parameter.read === raw.read) continue;
    if (value === null && parameter.nullable) continue;
    if (value === null) return fail("argument must not be null", parameter.name);
    const { kinds, open, name } = parameter;
    const kind = kindOf(value);
    if (kind === "any" && !open) return mark(DYNAMIC, marks);
    if (kinds && !kinds.includes(kind)) return fail(`${kinds.join(" or ")} required`, name);
    if (!isReadable(value, parameter)) isKnown = false;
  }
  if (!isKnown) return mark(UNKNOWN, marks);
  return mark(call(given.map(({ value, parameter }) => read(parameter, value))), marks);
}

function isReadable(value: Evaluated, { deep, measured, partial }: Parameter<unknown>): boolean {
  if (partial) return true;
  if (deep) return isWhollyKnown(value);
  if (measured && isListValue(value)) return hasLength(value);
  return !isUnknown(value);
}

interface Argument {
  readonly value: Evaluated;
  readonly marks: readonly Marks[];
  readonly parameter: Parameter<unknown>;
}

/** Converts an argument to the type of its parameter, and takes its marks off. */
function asParameter(arg: Evaluated, parameter: Parameter<unknown>): Argument {
  if (parameter.read === raw.read) return { value: arg, marks: [], parameter };
  const { value, problems } = convert(arg, parameter.type);
  const [problem] = problems;
  if (problem) return fail(problem.message, parameter.name);
  const root = unmarkRoot(value);
  const inner = parameter.deep ? unmark(root.value).marks : [];
  const plain = root.value === null ? null : withoutMarks(value);
  return { value: plain, marks: [root.marks, ...inner], parameter };
}

function read(parameter: Parameter<unknown>, value: Evaluated): unknown {
  try {
    return parameter.read(value);
  } catch (thrown) {
    throw thrown instanceof FunctionFailure
      ? new FunctionFailure(thrown.message, parameter.name)
      : thrown;
  }
}
