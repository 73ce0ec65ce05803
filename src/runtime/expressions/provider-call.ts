import type { FunctionParameter } from "../../provider/functions/definition";
import {
  isWhollyKnown,
  UNKNOWN,
  type KnownValue,
  type Unknown,
  type Value,
} from "../../provider/values";
import { argumentsOf, type CallNode } from "./call-arguments";
import type { Context } from "./context";
import { convert } from "./convert";
import { mark, unionMarks, unmark, type Evaluated } from "./evaluated";
import { didYouMean } from "./suggest";
import { typeFromJson } from "./types";

/**
 * Calls a function of a provider, as `provider::cwp::policies_from_json(…)`. What marks its
 * arguments marks its result; it is not called before all of them are known.
 */
export function callProvider(
  { provider, name }: { readonly provider: string; readonly name: string },
  node: CallNode,
  context: Context,
): Evaluated {
  const functions = context.scope.functions?.(provider);
  const definition = functions?.get(name);
  if (!functions || !definition) {
    const known = functions?.definitions.map((one) => `provider::${provider}::${one.name}`) ?? [];
    return context.report(
      "Unknown provider function",
      `There is no function named "${node.name}".${didYouMean(node.name, known)}`,
    );
  }
  const expanded = argumentsOf(node, context);
  if (!expanded.values) return mark(UNKNOWN, expanded.marks);
  const { parameters, returns } = definition;
  if (expanded.values.length !== parameters.length) {
    return context.report(
      "Wrong number of function arguments",
      `Function "${node.name}" expects ${parameters.length} argument(s).`,
    );
  }
  const plain = expanded.values.map((value) => unmark(value));
  const marks = unionMarks(expanded.marks, ...plain.flatMap((one) => one.marks));
  const given = readArguments(
    parameters,
    plain.map(({ value }) => value),
  );
  if (given === undefined) return mark(UNKNOWN, marks);
  const invalid = (parameter: string, reason: string): Unknown =>
    context.report(
      "Invalid function argument",
      `Invalid value for "${parameter}" parameter of "${node.name}": ${reason}.`,
    );
  if ("parameter" in given) return invalid(given.parameter, given.reason);
  const result = functions.call(name, given.args);
  if ("value" in result) {
    return mark(convert(result.value, typeFromJson(returns)).value, marks);
  }
  const { text, argument } = result.error;
  const parameter = argument === undefined ? undefined : parameters[argument]?.name;
  // What it says may quote an argument.
  const told = marks.sensitive || marks.ephemeral ? "the argument is sensitive" : text;
  return parameter === undefined
    ? context.report("Error in function call", `Call to function "${node.name}" failed: ${told}.`)
    : invalid(parameter, told);
}

/** What to call the function with, or what is wrong; undefined where not all is known. */
function readArguments(
  parameters: readonly FunctionParameter[],
  given: readonly Value[],
): { args: readonly KnownValue[] } | { parameter: string; reason: string } | undefined {
  if (!given.every((value) => isWhollyKnown(value))) return undefined;
  const args: KnownValue[] = [];
  for (const [index, { name, type }] of parameters.entries()) {
    const { value: converted, problems } = convert(given[index] ?? null, typeFromJson(type));
    const [problem] = problems;
    if (problem) return { parameter: name, reason: problem.message };
    const { value } = unmark(converted);
    if (value === null) return { parameter: name, reason: "argument must not be null" };
    if (!isWhollyKnown(value)) return undefined;
    args.push(value);
  }
  return { args };
}
