import type { Evaluated } from "../../../src/core/values";
import type { Expression, ExpressionPosition } from "../../../src/language/expressions/expression";
import { parseExpression } from "../../../src/language/expressions/parse";
import type { EvaluationScope } from "../../../src/language/expressions/scope";
import "../../../src/language/expressions/functions/registry";

const where: ExpressionPosition = { address: "null_resource.a", path: ["triggers"] };

/** Makes a scope that contains only the given names. */
export function scopeOf(
  names: Readonly<Record<string, Evaluated>> = {},
  more: Partial<EvaluationScope> = {},
): EvaluationScope {
  const find = (name: string): Evaluated | undefined => names[name];
  return {
    resource: (mode, type, name) => find(`${mode === "data" ? "data." : ""}${type}.${name}`),
    variable: (name) => find(`var.${name}`),
    local: (name) => find(`local.${name}`),
    declared: () => Object.keys(names),
    path: { module: ".", root: ".", cwd: __dirname },
    workspace: "default",
    ...more,
  };
}

/** Parses an expression that has no error. */
export async function parsed(json: unknown): Promise<Expression> {
  const { expression, diagnostics } = await parseExpression(json, where);
  if (diagnostics.length > 0) throw new Error(JSON.stringify(diagnostics, null, 2));
  return expression;
}

/** Evaluates a JSON expression that has no error. */
export async function valueOf(
  json: unknown,
  names: Readonly<Record<string, Evaluated>> = {},
  more: Partial<EvaluationScope> = {},
): Promise<Evaluated> {
  const { value, diagnostics } = (await parsed(json)).evaluate(scopeOf(names, more));
  if (diagnostics.length > 0) throw new Error(JSON.stringify(diagnostics, null, 2));
  return value;
}

/** Lists all errors of a JSON expression as `summary: detail`. */
export async function faultsOf(
  json: unknown,
  names: Readonly<Record<string, Evaluated>> = {},
  more: Partial<EvaluationScope> = {},
): Promise<readonly string[]> {
  const { expression, diagnostics } = await parseExpression(json, where);
  const all = [...diagnostics, ...expression.evaluate(scopeOf(names, more)).diagnostics];
  return all.map(({ summary, detail }) => `${summary}: ${detail}`);
}
