import type { FunctionParameter } from "../../provider/definitions/function-definition";
import { parseType } from "../../provider/schema/terraform";
import {
  hasExactNumber,
  isWhollyKnown,
  UNKNOWN,
  type KnownValue,
  type Unknown,
  type Value,
} from "../../provider/values";
import type { Context } from "./context";
import { convert } from "./convert";
import { mark, unionMarks, unmark, type Evaluated } from "./evaluated";
import { didYouMean } from "./suggest";

/**
 * Calls a provider function such as `provider::cwp::policies_from_json(…)`. The result carries the
 * marks of all arguments, and is unknown until all of them are known.
 */
export function callProvider(
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
  if (!given.every((value) => isWhollyKnown(value))) return undefined;
  const args: KnownValue[] = [];
  for (const [index, { name, type }] of parameters.entries()) {
    const { value: converted, problems } = convert(given[index] ?? null, parseType(type));
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
