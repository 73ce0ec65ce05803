import { z } from "zod";
import type { Diagnostic } from "../../provider/diagnostics";
import type { Expression, Where } from "../expressions/expression";
import { parseExpression } from "../expressions/parse";
import { errorAt } from "./located";
import type { Body, Condition } from "./stack-config";
import { present, repeated } from "./shape";
import type { AttributePath } from "../../provider/values";
import { readReference, type Reference } from "../expressions/reference";
import { parseTraversal } from "../expressions/template";

const condition = z.strictObject({ condition: present, error_message: present });
export const conditions = repeated(condition).optional();

/** Reads `validation`, `precondition` and `postcondition` blocks; `name` is the kind of block. */
export async function readConditions(
  blocks: readonly z.infer<typeof condition>[] | undefined,
  where: Where,
  name: string,
  diagnostics: Diagnostic[],
): Promise<readonly Condition[]> {
  const read: Condition[] = [];
  for (const [index, { condition: test, error_message: message }] of (blocks ?? []).entries()) {
    const at: Where = { ...where, path: [...where.path, name, index] };
    read.push({
      condition: await readAttribute(test, "condition", at, diagnostics),
      errorMessage: await readAttribute(message, "error_message", at, diagnostics),
    });
  }
  return read;
}

/** Reads a bare traversal, `a.b` or `${a.b}`; undefined if it is not one. */
export function readTraversal(text: string): AttributePath | undefined {
  return parseTraversal(/^\$\{([^]*)\}$/.exec(text)?.[1] ?? text);
}

/** Reads the references of `depends_on` and `replace_triggered_by`, which are strings. */
export function readReferences(
  texts: readonly string[],
  where: Where,
  attribute: AttributePath,
  diagnostics: Diagnostic[],
): readonly Reference[] {
  return texts.flatMap((text, index) => {
    const steps = readTraversal(text);
    const read = steps && readReference(steps);
    if (read && "reference" in read) return [read.reference];
    const { summary, detail } = read?.problem ?? {
      summary: "Invalid reference",
      detail: `A static reference is required here, as in "null_resource.ready"; not ${JSON.stringify(text)}.`,
    };
    diagnostics.push(errorAt(where, summary, detail, [...attribute, index]));
    return [];
  });
}

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

/** Reads an attribute that may be absent or null; then undefined. */
export async function readOptional(
  json: unknown,
  name: string,
  where: Where,
  diagnostics: Diagnostic[],
): Promise<Expression | undefined> {
  return json === undefined || json === null
    ? undefined
    : readAttribute(json, name, where, diagnostics);
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
