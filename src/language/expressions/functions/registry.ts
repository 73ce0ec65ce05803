import { UNKNOWN } from "../../../core/values";
import { refusalDetail, refusedFunction } from "../refusals";
import { didYouMean } from "../../../core/suggest";
import { cidrFunctions } from "./cidr";
import { collectionFunctions } from "./collections";
import { csvFunctions, encodingFunctions, textEncodingFunctions } from "./encoding";
import { conversionFunctions } from "./conversion";
import { define, type LanguageFunction } from "./language-function";
import { fileFunctions } from "./files";
import { numericFunctions } from "./numeric";
import { setFunctions } from "./sets";
import { stringFunctions } from "./strings";
import { timeFunctions } from "./time";
import { world } from "../../../core/io/world";

/** Writes a time as the functions `timestamp` and `plantimestamp` do. */
function formatTime(time: Date): string {
  return time.toISOString().replace(/\.\d+/, "");
}

/** A function that is evaluated at apply; its result is unknown in a plan. */
function atApply(result: () => string): LanguageFunction {
  return define([], (_, { applying }) => (applying ? result() : UNKNOWN));
}

/** All functions except those of `ARITY_OF_SPECIAL`. */
export const functions: ReadonlyMap<string, LanguageFunction> = new Map(
  Object.entries({
    ...cidrFunctions,
    ...collectionFunctions,
    ...conversionFunctions,
    ...csvFunctions,
    ...encodingFunctions,
    ...fileFunctions,
    ...numericFunctions,
    ...setFunctions,
    ...stringFunctions,
    ...textEncodingFunctions,
    ...timeFunctions,
    plantimestamp: define([], (_, { plannedAt }) => (plannedAt ? formatTime(plannedAt) : UNKNOWN)),
    timestamp: atApply(() => formatTime(world.clock.now())),
    uuid: atApply(() => world.random.uuid()),
  }),
);

/** The functions that take expressions, or read one. */
const ARITY_OF_SPECIAL: ReadonlyMap<string, { minimum: number; maximum: number }> = new Map([
  ["templatefile", { minimum: 2, maximum: 2 }],
  ["templatestring", { minimum: 2, maximum: 2 }],
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
    const refused = refusedFunction(call.name);
    if (refused) {
      const occurrence = `This executor does not support the function "${call.name}".`;
      return { summary: "Unsupported function", detail: refusalDetail(occurrence, refused) };
    }
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
