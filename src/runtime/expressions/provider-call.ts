import { isWhollyKnown, UNKNOWN, type KnownValue, type Unknown } from "../../provider/values";
import { argumentsOf, type CallNode } from "./call-arguments";
import type { Context } from "./context";
import { convert } from "./convert";
import { mark, unionMarks, unmark, type Evaluated } from "./evaluated";
import { didYouMean } from "./suggest";
import { typeFromJson } from "./types";

/**
 * Calls a function of a provider, as `provider::console::policies_from_json(…)`. What marks its
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
  const invalid = (parameter: string, reason: string): Unknown =>
    context.report(
      "Invalid function argument",
      `Invalid value for "${parameter}" parameter of "${node.name}": ${reason}.`,
    );
  const args: KnownValue[] = [];
  const plain = expanded.values.map((value) => unmark(value));
  const marks = unionMarks(expanded.marks, ...plain.flatMap((one) => one.marks));
  if (!plain.every(({ value }) => isWhollyKnown(value))) return mark(UNKNOWN, marks);
  for (const [index, { name: parameter, type }] of parameters.entries()) {
    const { value: given, problems } = convert(plain[index]?.value ?? null, typeFromJson(type));
    const [problem] = problems;
    if (problem) return invalid(parameter, problem.message);
    const { value } = unmark(given);
    if (value === null) return invalid(parameter, "argument must not be null");
    if (!isWhollyKnown(value)) return mark(UNKNOWN, marks);
    args.push(value);
  }
  const result = functions.call(name, args);
  if ("value" in result) {
    return mark(convert(result.value, typeFromJson(returns)).value, marks);
  }
  const { text, argument } = result.error;
  const parameter = argument === undefined ? undefined : parameters[argument]?.name;
  // What it says may quote an argument.
  const told = marks.sensitive || marks.ephemeral ? "the argument is sensitive" : text;
  return parameter === undefined
    ? context.report("Error in function call", `Call to function "${node.name}" failed: ${told}`)
    : invalid(parameter, told.replace(/\.$/, ""));
}
