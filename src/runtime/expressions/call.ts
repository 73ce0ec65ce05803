import {
  UNKNOWN,
  hasExactNumber,
  isWhollyKnown as isKnownValue,
  type KnownValue,
  type Unknown,
  type Value,
} from "../../provider/values";
import type { Context } from "./scope";
import {
  isObject,
  isWhollyKnown,
  mark,
  marksWithin,
  NO_MARKS,
  unmarkRoot,
  unionMarks,
  unmark,
  type Evaluated,
} from "./evaluated";
import { isTemplateCall } from "./calls";
import { fail, FunctionFailure } from "./functions/language-function";
import { checkCall, functions, providerFunction } from "./functions/registry";
import type { Node } from "./nodes";
import type { FunctionParameter } from "../../provider/definitions/provider-definition";
import { parseType } from "../../provider/schema/terraform";
import { convert } from "./convert";
import { NULLABLE_RESULTS, resultType, SHORT_INTEGERS } from "./functions/result-types";
import { LIMITS, TOO_DEEP, TOO_LONG, TOO_MANY } from "./limits";
import { didYouMean } from "./suggest";
import { evaluateTemplate } from "./template-call";
import { elementsOf, factsOf, NOT_NULL, shortInteger, typeOf, unknownOf } from "./typed";
import { BOOL, type Type } from "./types";

type CallNode = Extract<Node, { kind: "call" }>;

export function evaluateCall(node: CallNode, context: Context): Evaluated {
  // Parsing has already reported this.
  if (checkCall(node)) return UNKNOWN;
  if (node.name === "try") return evaluateTry(node, context);
  if (node.name === "can") return evaluateCan(node, context);
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
    return mark(typedResult(node.name, result, resultType(node.name, values)), marks);
  });
}

/** Reports the failure of a call in place of its result. */
function reportFailure(name: string, context: Context, call: () => Evaluated): Evaluated {
  try {
    return call();
  } catch (thrown) {
    const { parameter, message } = failureOf(thrown);
    return parameter === undefined
      ? context.report("Error in function call", `Call to function "${name}" failed: ${message}.`)
      : context.report(
          "Invalid function argument",
          `Invalid value for "${parameter}" parameter of "${name}": ${message}.`,
        );
  }
}

/** JavaScript's own bounds end in a RangeError; any other error is thrown again. */
function failureOf(thrown: unknown): FunctionFailure {
  if (thrown instanceof FunctionFailure) return thrown;
  if (!(thrown instanceof RangeError)) throw thrown;
  if (/string length/i.test(thrown.message)) return new FunctionFailure(TOO_LONG);
  if (/call stack/i.test(thrown.message)) return new FunctionFailure(TOO_DEEP);
  throw thrown;
}

/** Gives the result of a function its type. */
function typedResult(name: string, result: Evaluated, type: Type | undefined): Evaluated {
  const converted = type ? convert(result, type).value : result;
  const { value: root, marks } = unmarkRoot(converted);
  if (typeof root === "string" && root.length > LIMITS.stringLength.value) fail(TOO_LONG);
  if (sizeOf(root) > LIMITS.collectionSize.value) fail(TOO_MANY);
  if (type && root === UNKNOWN && !NULLABLE_RESULTS.has(name)) {
    const { range } = factsOf(converted);
    return mark(unknownOf(typeOf(converted), { ...range, notNull: true }), marks);
  }
  if (typeof root === "string") return mark(root.normalize("NFC"), marks);
  if (typeof root === "number" && SHORT_INTEGERS.has(name)) return mark(shortInteger(root), marks);
  return converted;
}

function sizeOf(value: Evaluated): number {
  if (isObject(value)) return Object.keys(value).length;
  return elementsOf(value)?.length ?? 0;
}

/** Gives the first argument that evaluates without an error; one that is unknown may still fail. */
function evaluateTry({ args }: CallNode, context: Context): Evaluated {
  for (const arg of args) {
    const { value, failed } = context.attempt(arg);
    if (!failed) return isWhollyKnown(value) ? value : mark(UNKNOWN, marksWithin(value));
  }
  return context.report(
    "Error in function call",
    'Call to function "try" failed: no expression succeeded.',
  );
}

function evaluateCan({ args }: CallNode, context: Context): Evaluated {
  const [arg] = args;
  if (!arg) return UNKNOWN;
  const { value, failed } = context.attempt(arg);
  if (failed) return false;
  return isWhollyKnown(value) ? true : unknownOf(BOOL, NOT_NULL);
}

/** Evaluates the arguments and spreads a last one that `...` follows; without values while that is unknown. */
function argumentsOf({ name, args, expandFinal }: CallNode, context: Context) {
  const values = args.map((arg) => context.evaluate(arg));
  if (!expandFinal) return { values, marks: NO_MARKS };
  const last = unmarkRoot(values.pop() ?? null);
  if (last.value === UNKNOWN) return { values: undefined, marks: last.marks };
  const items = elementsOf(last.value);
  if (items) return { values: [...values, ...items], marks: last.marks };
  context.report(
    "Invalid expanding argument value",
    `The expanding argument (indicated by ...) of "${name}" must be of a tuple, list, or set type.`,
  );
  return { values: undefined, marks: last.marks };
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
  const definition = functions?.get(name);
  if (!functions || !definition) {
    const known = functions?.definitions.map((one) => `provider::${provider}::${one.name}`) ?? [];
    return context.report(
      "Unknown provider function",
      `There is no function named "${fullName}".${didYouMean(fullName, known)}`,
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
  if (given === undefined) return mark(UNKNOWN, marks);
  const invalid = (parameter: string, reason: string): Unknown =>
    context.report(
      "Invalid function argument",
      `Invalid value for "${parameter}" parameter of "${fullName}": ${reason}.`,
    );
  if ("parameter" in given) return invalid(given.parameter, given.reason);
  const result = functions.call(name, given.args);
  if ("value" in result) {
    return mark(convert(result.value, parseType(returns)).value, marks);
  }
  const { text, argument } = result.error;
  const parameter = argument === undefined ? undefined : parameters[argument]?.name;
  // The provider's text may quote an argument.
  const detail = marks.sensitive || marks.ephemeral ? "the argument is sensitive" : text;
  return parameter === undefined
    ? context.report("Error in function call", `Call to function "${fullName}" failed: ${detail}.`)
    : invalid(parameter, detail);
}

/** Converts the arguments, or names the first invalid one. Undefined while one is unknown. */
function readArguments(
  parameters: readonly FunctionParameter[],
  given: readonly Value[],
): { args: readonly KnownValue[] } | { parameter: string; reason: string } | undefined {
  if (!given.every((value) => isKnownValue(value))) return undefined;
  const args: KnownValue[] = [];
  for (const [index, { name, type }] of parameters.entries()) {
    const { value: converted, problems } = convert(given[index] ?? null, parseType(type));
    const [problem] = problems;
    if (problem) return { parameter: name, reason: problem.message };
    const { value } = unmark(converted);
    if (value === null) return { parameter: name, reason: "argument must not be null" };
    if (!isKnownValue(value)) return undefined;
    if (hasExactNumber(value)) return { parameter: name, reason: "the number has too many digits" };
    args.push(value);
  }
  return { args };
}
