import { isNestedDeeper, JSON_DEPTH } from "../../core/json/lossless-json";

/** A bound on what the executor reads and evaluates. A diagnostic names the bound that is exceeded. */
export interface LanguageLimit {
  readonly of: string;
  readonly value: number;
}

/** The bounds of expressions and values. `npm run generate` writes them into docs/reliability.md. */
export const LIMITS = {
  expressionDepth: {
    of: "Levels of brackets, operators, templates and directives in one expression",
    value: 90,
  },
  documentDepth: {
    of: "Levels of lists and objects in cdk.tf.json, in files of variables and in decoded JSON or YAML",
    value: 200,
  },
  valueDepth: {
    of: "Levels of lists, sets and objects in the value of an expression",
    value: 240,
  },
  storedDepth: {
    of: "Levels of lists and objects in states, journals, saved plans, reports and answers of a console",
    value: JSON_DEPTH,
  },
  stringLength: { of: "Characters of one string", value: 2 ** 26 },
  collectionSize: { of: "Elements of one list, set, map or object", value: 1_000_000 },
  instances: { of: "Instances of one resource or data source", value: 100_000 },
  iterations: { of: "Iterations of all loops of one expression", value: 1_000_000 },
} as const satisfies Readonly<Record<string, LanguageLimit>>;

/** Writes a bound for people: `5,000,000`. */
export function formatLimit({ value }: LanguageLimit): string {
  // A locale takes 20 ms to load, in every command.
  return String(value).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** A division whose result is infinite in Terraform. */
export const INFINITE = "Division by zero";
export const UNSUPPORTED_CALL = "Unsupported function call";

/** Summaries of errors where Terraform has a result, so that `try` and `can` do not catch them. */
export const REFUSED: ReadonlySet<string> = new Set([INFINITE, UNSUPPORTED_CALL]);

export const TOO_DEEP = `this executor reads up to ${formatLimit(LIMITS.documentDepth)} levels of lists and objects`;
export const TOO_LONG = `the result has more than ${formatLimit(LIMITS.stringLength)} characters, which this executor does not support`;
export const TOO_MANY = `the result has more than ${formatLimit(LIMITS.collectionSize)} elements, which this executor does not support`;

/** Reports whether lists and objects of a JSON or YAML text are nested deeper than the executor reads. */
export function isTextTooDeep(text: string): boolean {
  return isNestedDeeper(text, LIMITS.documentDepth.value);
}
