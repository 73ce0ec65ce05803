import { UNKNOWN } from "../../provider/values";
import { argumentsOf, type CallNode } from "./call-arguments";
import type { Context } from "./context";
import type { Evaluated } from "./evaluated";
import { isWhollyKnown, mark, marksWithin } from "./evaluated";
import { FunctionFailure } from "./functions/definition";
import { checkCall, functions, providerFunction } from "./functions/registry";
import { callProvider } from "./provider-call";

export function evaluateCall(node: CallNode, context: Context): Evaluated {
  // What parsing has reported already is not told again.
  if (checkCall(node)) return UNKNOWN;
  if (node.name === "try") return evaluateTry(node, context);
  if (node.name === "can") return evaluateCan(node, context);

  const provided = providerFunction(node.name);
  if (provided) return callProvider(provided, node, context);
  const definition = functions.get(node.name);
  if (!definition) return UNKNOWN;
  const expanded = argumentsOf(node, context);
  if (expanded.values === undefined) return mark(UNKNOWN, expanded.marks);
  const count = expanded.values.length;
  if (count < definition.minimum || count > definition.maximum) {
    return context.report(
      "Wrong number of function arguments",
      `Function "${node.name}" does not take ${count} argument(s).`,
    );
  }
  const result = definition.call(expanded.values, { path: context.scope.path });
  if (result instanceof FunctionFailure) {
    return result.parameter === undefined
      ? context.report(
          "Error in function call",
          `Call to function "${node.name}" failed: ${result.message}.`,
        )
      : context.report(
          "Invalid function argument",
          `Invalid value for "${result.parameter}" parameter of "${node.name}": ${result.message}.`,
        );
  }
  return mark(result, expanded.marks);
}

/** The first argument that evaluates without an error. What is unknown yet may still fail. */
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
  return mark(isWhollyKnown(value) ? true : UNKNOWN, marksWithin(value));
}
