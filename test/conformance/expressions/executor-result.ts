import { formatJson } from "../../../src/core/json/format-json";
import { unmark } from "../../../src/core/marks";
import { typeOf } from "../../../src/core/typed-values";
import {
  isListValue,
  isObjectValue,
  isUnknownValue,
  type Evaluated,
  type KnownValue,
  type Value,
} from "../../../src/core/values";
import { parseHcl } from "../../../src/language/expressions/parse";
import { encodeType } from "../../../src/core/type-json";
import { scopeOf } from "../../language/expressions/scope";
import { canonicalJson, UNKNOWN_MARKER, type Result } from "./table";
import { FILES, NAMES, problemOf } from "./world";

const PATH = { module: ".", root: ".", cwd: FILES };

/** Evaluates an expression as the executor does in a plan. */
export async function executorResult(expression: string): Promise<Result> {
  const where = { address: "output.e", path: [] };
  const { expression: parsed, diagnostics } = await parseHcl(`${expression}\n`, where);
  const scope = scopeOf(NAMES, { path: PATH, plannedAt: new Date(), problemOf });
  const { value, diagnostics: further } = parsed.evaluate(scope);
  const [problem] = [...diagnostics, ...further];
  return problem ? { error: problem.summary } : resultOf(value);
}

/** Writes a value as the table does. */
export function resultOf(value: Evaluated): Result {
  return {
    type: canonicalJson(JSON.stringify(encodeType(typeOf(value)))),
    value: canonicalJson(formatJson(withMarkers(unmark(value).value))),
  };
}

function withMarkers(value: Value): KnownValue {
  if (isUnknownValue(value)) return UNKNOWN_MARKER;
  if (isListValue(value)) return value.map(withMarkers);
  if (value === 0) return 0; // Terraform's plan files have no negative zero.
  if (!isObjectValue(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withMarkers(one)]));
}
