import {
  mark,
  marksWithin,
  NO_MARKS,
  unionMarks,
  unmark,
  unmarkRoot,
  withoutMarks,
} from "../../core/marks";
import { terraformFunctions } from "../../core/providers/terraform-functions";
import { printable } from "../../core/printed";
import { kindOf, typeOf } from "../../core/typed-values";
import {
  hasExactNumber,
  isObjectValue,
  isWhollyKnown,
  UNKNOWN,
  type Evaluated,
  type KnownValue,
  type Marks,
  type Range,
  type Unknown,
  type Value,
} from "../../core/values";
import { DYNAMIC, elementsOf, isSequence, rangeOf, shortInteger, unknownOf } from "./ranges";
import type { Attempted, Context } from "./scope";
import { isTemplateCall } from "./calls";
import { fail, FunctionFailure, refuse } from "./functions/language-function";
import { checkCall, functions, providerFunction } from "./functions/registry";
import type { Node } from "./nodes";
import type { FunctionParameter, FunctionResult } from "../../core/definitions/provider-definition";
import { convert, type Conversion } from "./convert";
import { isShortResult, NULLABLE_RESULTS, resultType } from "./functions/result-types";
import { LIMITS, TOO_DEEP, TOO_LONG, TOO_MANY, UNSUPPORTED_CALL } from "./limits";
import { DECODE_VARIABLES, decodeVariables } from "./decode-variables";
import { didYouMean } from "../../core/suggest";
import { evaluateTemplate } from "./template-call";
import { BOOL, type Type } from "../../core/types";

type CallNode = Extract<Node, { kind: "call" }>;

export function evaluateCall(node: CallNode, context: Context): Evaluated {
  // Parsing has already reported this.
  if (checkCall(node)) return UNKNOWN;
  if (node.name === "try" || node.name === "can") return evaluateSpecial(node, context);
  if (isTemplateCall(node)) {
    return reportFailure(node.name, context, () => evaluateTemplate(node, context));
  }

  const { values, marks } = argumentsOf(node, context);
  if (values === undefined) return mark(UNKNOWN, marks);
  const provided = providerFunction(node.name);
  if (provided) return mark(callProvider(provided, values, context), marks);
  const definition = functions.get(node.name);
  if (!definition) return UNKNOWN;
  const count = values.length;
  if (count < definition.minimum || count > definition.maximum) {
    return context.report(
      "Wrong number of function arguments",
      `Function "${node.name}" does not take ${count} argument(s).`,
    );
  }
  const { path, applying = false, plannedAt } = context.scope;
  return reportFailure(node.name, context, () => {
    const result = definition.call(values, { path, applying, plannedAt });
    const isDynamic = withoutMarks(result) === DYNAMIC;
    const type = isDynamic ? undefined : resultType(node.name, values);
    const typed = typedResult(node.name, result, type);
    const { value, marks: own } = unmarkRoot(typed);
    return typeof value === "number" && isShortResult(node.name, values, value)
      ? mark(shortInteger(value), unionMarks(own, marks))
      : mark(typed, marks);
  });
}

/** Reports the failure of a call in place of its result. */
function reportFailure(name: string, context: Context, call: () => Evaluated): Evaluated {
  try {
    return call();
  } catch (thrown) {
    const { parameter, message, summary } = failureOf(thrown);
    const fault =
      parameter === undefined
        ? `Call to function "${name}" failed`
        : `Invalid value for "${parameter}" parameter of "${name}"`;
    return context.report(summary, `${fault}: ${message}.`);
  }
}

/** JavaScript's own bounds end in a RangeError; any other error is thrown again. */
function failureOf(thrown: unknown): FunctionFailure {
  if (thrown instanceof FunctionFailure) return thrown;
  if (!(thrown instanceof RangeError)) throw thrown;
  const isDeep = /call stack/i.test(thrown.message);
  if (!isDeep && !/string length/i.test(thrown.message)) throw thrown;
  return new FunctionFailure(isDeep ? TOO_DEEP : TOO_LONG, undefined, UNSUPPORTED_CALL);
}

/** Adds its type to the result of a function. */
function typedResult(name: string, result: Evaluated, type: Type | undefined): Evaluated {
  const { value: converted, problems }: Conversion = type
    ? convert(result, type)
    : { value: result, problems: [] };
  if (problems.length > 0) fail("its result is not of the type that its arguments have");
  const { value: root, marks } = unmarkRoot(converted);
  if (typeof root === "string" && root.length > LIMITS.stringLength.value) refuse(TOO_LONG);
  if (sizeOf(root) > LIMITS.collectionSize.value) refuse(TOO_MANY);
  if (type && root === UNKNOWN && !NULLABLE_RESULTS.has(name)) {
    const range = { ...rangeOf(converted), notNull: true };
    return mark(unknownOf(typeOf(converted), range), marks);
  }
  if (typeof root === "string") return mark(root.normalize("NFC"), marks);
  return converted;
}

function sizeOf(value: Evaluated): number {
  if (isObjectValue(value)) return Object.keys(value).length;
  return elementsOf(value)?.length ?? 0;
}

/** Returns the first argument that evaluates without an error; one that is unknown may still fail. */
function evaluateTry(attempts: readonly Attempt[], context: Context): Evaluated {
  for (const attempt of attempts) {
    const { value, failed, refusal } = attempt();
    if (refusal) return context.report(refusal.summary, refusal.detail);
    if (!failed) return isWhollyKnown(value) ? value : mark(UNKNOWN, marksWithin(value));
  }
  return context.report(
    "Error in function call",
    'Call to function "try" failed: no expression succeeded.',
  );
}

function evaluateCan(attempts: readonly Attempt[], context: Context): Evaluated {
  const [attempt, ...more] = attempts;
  if (!attempt || more.length > 0) {
    return context.report(
      "Wrong number of function arguments",
      'Function "can" takes one argument.',
    );
  }
  const { value, failed, refusal } = attempt();
  if (refusal) return context.report(refusal.summary, refusal.detail);
  if (failed) return false;
  return isWhollyKnown(value) ? true : unknownOf(BOOL);
}

type Attempt = () => Attempted;

/** Evaluates `try` and `can`, whose arguments may fail. */
function evaluateSpecial(node: CallNode, context: Context): Evaluated {
  const last = node.expandFinal ? node.args.at(-1) : undefined;
  const { values, marks } = last ? spread(node.name, last, context) : NOTHING;
  if (values === undefined) return mark(UNKNOWN, marks);
  const written = last ? node.args.slice(0, -1) : node.args;
  const attempts: readonly Attempt[] = [
    ...written.map((arg) => () => context.attempt(arg)),
    ...values.map((value: Evaluated): Attempt => () => ({ value, failed: false })),
  ];
  const evaluate = node.name === "try" ? evaluateTry : evaluateCan;
  return mark(evaluate(attempts, context), marks);
}

interface Spread {
  /** Undefined while the argument is unknown. */
  readonly values: readonly Evaluated[] | undefined;
  readonly marks: Marks;
}

const NOTHING: Spread = { values: [], marks: NO_MARKS };

/** Evaluates a last argument that `...` follows. */
function spread(name: string, arg: Node, context: Context): Spread {
  const evaluated = context.evaluate(arg);
  const last = unmarkRoot(evaluated);
  const isOpen = isSequence(evaluated) || kindOf(evaluated) === "any";
  if (last.value === UNKNOWN && isOpen) return { values: undefined, marks: last.marks };
  const values = elementsOf(last.value);
  if (!values) {
    context.report(
      "Invalid expanding argument value",
      `The expanding argument (indicated by ...) of "${name}" must be of a tuple, list, or set type.`,
    );
  }
  return { values, marks: last.marks };
}

/** Evaluates the arguments; none of them while one that `...` follows is unknown. */
function argumentsOf({ name, args, expandFinal }: CallNode, context: Context): Spread {
  const last = expandFinal ? args.at(-1) : undefined;
  if (!last) return { values: args.map((arg) => context.evaluate(arg)), marks: NO_MARKS };
  const { values, marks } = spread(name, last, context);
  if (!values) return { values, marks };
  const written = args.slice(0, -1).map((arg) => context.evaluate(arg));
  return { values: [...written, ...values], marks };
}

/**
 * Calls a provider function such as `provider::cwp::policies_from_json(…)`. The result carries the
 * marks of all arguments, and is unknown until all of them are known.
 */
function callProvider(
  { provider, name }: { readonly provider: string; readonly name: string },
  values: readonly Evaluated[],
  context: Context,
): Evaluated {
  const fullName = `provider::${provider}::${name}`;
  const functions = context.scope.functions?.(provider);
  const isDecoding =
    functions?.definitions === terraformFunctions && name === DECODE_VARIABLES.name;
  const definition = isDecoding ? DECODE_VARIABLES : functions?.get(name);
  if (!functions || !definition) {
    const known = functions?.definitions.map((one) => `provider::${provider}::${one.name}`) ?? [];
    const advice = functions
      ? didYouMean(fullName, known)
      : ` Declare a provider "${provider}" that has it in required_providers.`;
    return context.report(
      "Unknown provider function",
      `There is no function named "${fullName}".${advice}`,
    );
  }
  const { parameters, returns } = definition;
  if (values.length !== parameters.length) {
    return context.report(
      "Wrong number of function arguments",
      `Function "${fullName}" expects ${parameters.length} argument(s).`,
    );
  }
  const plain = values.map((value) => unmark(value));
  const marks = unionMarks(...plain.flatMap((one) => one.marks));
  const given = readArguments(
    parameters,
    plain.map(({ value }) => value),
  );
  if (given === undefined) {
    const isEncoding = functions.definitions === terraformFunctions && !isDecoding;
    const range = encodedRange(name, values[0] ?? null);
    return mark(isEncoding ? unknownOf(returns, range) : UNKNOWN, marks);
  }
  const invalid = (parameter: string, reason: string): Unknown =>
    context.report(
      "Invalid function argument",
      `Invalid value for "${parameter}" parameter of "${fullName}": ${reason}.`,
    );
  if ("parameter" in given) return invalid(given.parameter, given.reason);
  const result = isDecoding ? decoded(given.args, context) : functions.call(name, given.args);
  if ("value" in result) {
    return mark(convert(result.value, returns).value, marks);
  }
  const { text, argument } = result.error;
  const parameter = argument === undefined ? undefined : parameters[argument]?.name;
  // The provider's text may quote an argument.
  const detail = marks.sensitive || marks.ephemeral ? "the argument is sensitive" : text;
  return parameter === undefined
    ? context.report("Error in function call", `Call to function "${fullName}" failed: ${detail}.`)
    : invalid(parameter, detail);
}

/** The first letters of the expressions of values by their types. */
const OPENINGS: Partial<Record<Type["kind"], string>> = {
  ...{ object: "{", map: "{", tuple: "[", list: "[", set: "[", string: '"' },
};

/** Returns what is known of the text of a value that is not wholly known. */
function encodedRange(name: string, value: Evaluated): Range {
  const kind = typeOf(withoutMarks(value)).kind;
  const prefix = name === "encode_expr" ? OPENINGS[kind] : undefined;
  return { notNull: true, ...(prefix !== undefined && { prefix }) };
}

function decoded([text]: readonly KnownValue[], context: Context): FunctionResult {
  try {
    return { value: decodeVariables(typeof text === "string" ? text : "", context) };
  } catch (thrown) {
    return { error: { text: printable(failureOf(thrown).message) } };
  }
}

/** Converts the arguments, or names the first invalid one. Undefined while one is unknown. */
function readArguments(
  parameters: readonly FunctionParameter[],
  given: readonly Value[],
): { args: readonly KnownValue[] } | { parameter: string; reason: string } | undefined {
  if (!given.every((value) => isWhollyKnown(value))) return undefined;
  const args: KnownValue[] = [];
  for (const [index, { name, type }] of parameters.entries()) {
    const { value: converted, problems } = convert(given[index] ?? null, type);
    const [problem] = problems;
    if (problem) return { parameter: name, reason: problem.message };
    const { value } = unmark(converted);
    if (value === null) return { parameter: name, reason: "argument must not be null" };
    if (!isWhollyKnown(value)) return undefined;
    if (hasExactNumber(value)) return { parameter: name, reason: "the number has too many digits" };
    args.push(value);
  }
  return { args };
}
