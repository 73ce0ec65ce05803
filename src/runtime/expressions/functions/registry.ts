import { UNKNOWN } from "../../../provider/values";
import { didYouMean } from "../suggest";
import { collectionFunctions } from "./collections";
import { conversionFunctions } from "./conversion";
import type { FunctionDefinition } from "./language-function";
import { define } from "./language-function";
import { encodingFunctions } from "./encoding";
import { fileFunctions } from "./files";
import { numericFunctions } from "./numeric";
import { setFunctions } from "./sets";
import { stringFunctions } from "./strings";
import { timeFunctions } from "./time";

/** A function that is evaluated at apply; its result is unknown in a plan. */
const atApply = define([], () => UNKNOWN);

/** All functions except `try` and `can`, which take expressions instead of values. */
export const functions: ReadonlyMap<string, FunctionDefinition> = new Map(
  Object.entries({
    ...collectionFunctions,
    ...conversionFunctions,
    ...encodingFunctions,
    ...fileFunctions,
    ...numericFunctions,
    ...setFunctions,
    ...stringFunctions,
    ...timeFunctions,
    timestamp: atApply,
    uuid: atApply,
  }),
);

const ARITY_OF_SPECIAL: ReadonlyMap<string, { minimum: number; maximum: number }> = new Map([
  ["try", { minimum: 1, maximum: Number.POSITIVE_INFINITY }],
  ["can", { minimum: 1, maximum: 1 }],
]);

/** Splits `provider::cwp::policies_from_json`; undefined for a function of the language. */
export function providerFunction(name: string): { provider: string; name: string } | undefined {
  const [, provider, own] = /^provider::([\w-]+)::([\w-]+)$/.exec(name) ?? [];
  return provider === undefined || own === undefined ? undefined : { provider, name: own };
}

/** Checks the name and the number of arguments of a call, except for provider functions. */
export function checkCall(call: {
  readonly name: string;
  readonly args: readonly unknown[];
  readonly expandFinal: boolean;
}): { summary: string; detail: string } | undefined {
  if (providerFunction(call.name)) return undefined;
  const arity = functions.get(call.name) ?? ARITY_OF_SPECIAL.get(call.name);
  if (!arity) {
    const suggestion = didYouMean(call.name, [...functions.keys(), ...ARITY_OF_SPECIAL.keys()]);
    return {
      summary: "Unsupported function",
      detail: `This executor has no function named "${call.name}".${suggestion} If it is one of Terraform's, Terraform can run the stack.`,
    };
  }
  const count = call.args.length;
  if (count > arity.maximum && !(call.expandFinal && count - 1 <= arity.maximum)) {
    return {
      summary: "Too many function arguments",
      detail: `Function "${call.name}" expects at most ${arity.maximum} argument(s).`,
    };
  }
  if (count < arity.minimum && !call.expandFinal) {
    return {
      summary: "Not enough function arguments",
      detail: `Function "${call.name}" expects at least ${arity.minimum} argument(s).`,
    };
  }
  return undefined;
}
