import { UNKNOWN } from "../../provider/values";
import type { Context } from "./context";
import type { Evaluated } from "./evaluated";
import {
  isList,
  isWhollyKnown,
  mark,
  marksWithin,
  NO_MARKS,
  SetValue,
  unmarkRoot,
} from "./evaluated";
import { FunctionFailure } from "./functions/language-function";
import { checkCall, functions, providerFunction } from "./functions/registry";
import type { Node } from "./nodes";
import { callProvider } from "./provider-call";

type CallNode = Extract<Node, { kind: "call" }>;

export function evaluateCall(node: CallNode, context: Context): Evaluated {
  // Parsing has already reported this.
  if (checkCall(node)) return UNKNOWN;
  if (node.name === "try") return evaluateTry(node, context);
  if (node.name === "can") return evaluateCan(node, context);

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
  const result = definition.call(values, {
    path: context.scope.path,
    applying: context.scope.applying === true,
  });
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
  return mark(typeof result === "string" ? result.normalize("NFC") : result, marks);
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
  return isWhollyKnown(value) ? true : UNKNOWN;
}

/** Evaluates the arguments and spreads a last one that `...` follows; without values while that is unknown. */
function argumentsOf({ name, args, expandFinal }: CallNode, context: Context) {
  const values = args.map((arg) => context.evaluate(arg));
  if (!expandFinal) return { values, marks: NO_MARKS };
  const last = unmarkRoot(values.pop() ?? null);
  if (last.value === UNKNOWN) return { values: undefined, marks: last.marks };
  const items = last.value instanceof SetValue ? last.value.elements : last.value;
  if (isList(items)) return { values: [...values, ...items], marks: last.marks };
  context.report(
    "Invalid expanding argument value",
    `The expanding argument (indicated by ...) of "${name}" must be of a tuple, list, or set type.`,
  );
  return { values: undefined, marks: last.marks };
}
