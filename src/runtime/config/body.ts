import type { Diagnostic } from "../../provider/diagnostics";
import type { Expression, Where } from "../expressions/expression";
import { parseExpression } from "../expressions/parse";
import { errorAt } from "./located";
import type { Body } from "./stack-config";

/** Reads an attribute of a block as an expression. */
export async function readAttribute(
  json: unknown,
  name: string,
  where: Where,
  diagnostics: Diagnostic[],
): Promise<Expression> {
  const { expression, diagnostics: found } = await parseExpression(json, {
    ...where,
    path: [...where.path, name],
  });
  diagnostics.push(...found);
  return expression;
}

/** Reads the attributes of a block, except the named ones and the comment `//`. */
export async function readBody(
  json: Readonly<Record<string, unknown>>,
  without: readonly string[],
  where: Where,
  diagnostics: Diagnostic[],
): Promise<Body> {
  const body = new Map<string, Expression>();
  for (const [name, value] of Object.entries(json)) {
    if (name === "//" || without.includes(name)) continue;
    if (name === "dynamic") {
      diagnostics.push(
        errorAt(
          where,
          "Unsupported block",
          `${where.address} has a "dynamic" block, which this executor does not expand. Terraform can run the stack.`,
          [name],
        ),
      );
      continue;
    }
    body.set(name, await readAttribute(value, name, where, diagnostics));
  }
  return body;
}
