import { z } from "zod";
import { ResultsByText } from "../../core/alike";
import { hasErrors, type Diagnostic } from "../../core/diagnostics";
import { memberOf } from "../../core/member-of";
import type { Expression, ExpressionPosition } from "../expressions/expression";
import { parseExpression } from "../expressions/parse";
import { errorAt, locate } from "./located";
import type { Body, Condition } from "./stack-config";
import { present, repeatedBlock } from "./shape";
import { readReference, type Reference } from "../expressions/reference";
import { parseTraversal, type TraversalStep } from "../expressions/template";
import { REFUSALS, refusalDetail, type Refusal } from "../expressions/refusals";

/** Reports the arguments of a block that only other releases have. */
export function refuseArguments(
  block: Readonly<Record<string, unknown>>,
  refusals: Readonly<Record<string, Refusal>>,
  where: ExpressionPosition,
  diagnostics: Diagnostic[],
): void {
  for (const [name, refusal] of Object.entries(refusals)) {
    if (memberOf(block, name) === undefined) continue;
    const detail = refusalDetail(`${where.address} has the argument "${name}".`, refusal);
    diagnostics.push(errorAt(where, "Unsupported argument", detail, [name]));
  }
}

const condition = z.strictObject({ condition: present, error_message: present });
export const conditions = repeatedBlock(condition).optional();

/** Reads `validation`, `precondition` and `postcondition` blocks; `name` is the kind of block. */
export async function readConditions(
  blocks: readonly z.infer<typeof condition>[] | undefined,
  where: ExpressionPosition,
  name: string,
  diagnostics: Diagnostic[],
): Promise<readonly Condition[]> {
  const read: Condition[] = [];
  for (const [index, { condition: test, error_message: message }] of (blocks ?? []).entries()) {
    const at: ExpressionPosition = { ...where, path: [...where.path, name, index] };
    const found: Diagnostic[] = [];
    const rule = {
      condition: await readAttribute(test, "condition", at, found),
      errorMessage: await readAttribute(message, "error_message", at, found),
    };
    read.push(rule);
    diagnostics.push(...found);
    if (hasErrors(found) || rule.condition.references().length > 0) continue;
    const detail =
      "The condition expression must refer to at least one object from elsewhere in the configuration, or else its result would not be checking anything.";
    diagnostics.push(errorAt(at, `Invalid ${name} expression`, detail, ["condition"]));
  }
  return read;
}

/** Reads the list of `depends_on`, `replace_triggered_by` or `ignore_changes`; each is a traversal. */
export function readTraversals(
  json: unknown,
  where: ExpressionPosition,
  diagnostics: Diagnostic[],
): readonly { readonly steps: readonly TraversalStep[]; readonly at: ExpressionPosition }[] {
  if (json === undefined) return [];
  if (!Array.isArray(json)) {
    const detail = "A static list expression is required.";
    diagnostics.push(errorAt(where, "Invalid expression", detail));
    return [];
  }
  return json.flatMap((text: unknown, index) => {
    const at = { ...where, path: [...where.path, index] };
    const steps = typeof text === "string" ? parseTraversal(text) : undefined;
    if (steps) return [{ steps, at }];
    const detail =
      "A single static variable reference is required: only attribute access and indexing with constant keys. No calculations, function calls, template expressions, etc are allowed here.";
    diagnostics.push(errorAt(at, "Invalid expression", detail));
    return [];
  });
}

/** Reads a list of references. */
function readReferences(
  json: unknown,
  where: ExpressionPosition,
  diagnostics: Diagnostic[],
): readonly Reference[] {
  return readTraversals(json, where, diagnostics).flatMap(({ steps, at }) => {
    const read = readReference(steps);
    if ("reference" in read) return [read.reference];
    diagnostics.push(errorAt(at, read.problem.summary, read.problem.detail));
    return [];
  });
}

const dependencies = new ResultsByText<readonly Reference[]>();

/** Reads `depends_on`, whose references are to whole objects or instances. */
export function readDependencies(
  json: unknown,
  block: ExpressionPosition,
  diagnostics: Diagnostic[],
): readonly Reference[] {
  if (json === undefined) return [];
  const text = JSON.stringify(json);
  const known = dependencies.get(text);
  if (known) return known;
  const where = { ...block, path: [...block.path, "depends_on"] };
  const found: Diagnostic[] = [];
  const references = readReferences(json, where, found);
  if (references.some(({ path, indexed }) => path.length > (indexed ? 1 : 0))) {
    const detail =
      "References in depends_on must be to a whole object (resource, etc), not to an attribute of an object.";
    found.push(errorAt(where, "Invalid depends_on reference", detail));
  }
  if (found.length === 0) dependencies.set(text, references);
  diagnostics.push(...found);
  return references;
}

/** Reads an attribute of a block as an expression. */
export async function readAttribute(
  json: unknown,
  name: string,
  where: ExpressionPosition,
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
  where: ExpressionPosition,
  diagnostics: Diagnostic[],
): Promise<Expression | undefined> {
  return json === undefined || json === null
    ? undefined
    : readAttribute(json, name, where, diagnostics);
}

/** Promises, since the stacks of a factory are read at once, each in the same steps. */
const bodies = new ResultsByText<Promise<ReadContent>>();

interface ReadContent {
  readonly body: Body;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Reads the attributes of a block, except the named ones and the comment `//`. Blocks with the same
 * address and content share a body, so the construct is no part of the position of its expressions.
 */
export async function readBody(
  json: Readonly<Record<string, unknown>>,
  without: readonly string[],
  where: ExpressionPosition,
  diagnostics: Diagnostic[],
): Promise<Body> {
  const { address, path } = where;
  const content = Object.entries(json).filter(([name]) => name !== "//" && !without.includes(name));
  const text = JSON.stringify([address, path, content]);
  const reading = bodies.get(text) ?? readContent(content, { address, path });
  bodies.set(text, reading);
  const read = await reading;
  diagnostics.push(...locate(read.diagnostics, where));
  return read.body;
}

async function readContent(
  content: readonly (readonly [string, unknown])[],
  where: ExpressionPosition,
): Promise<ReadContent> {
  const body = new Map<string, Expression>();
  const diagnostics: Diagnostic[] = [];
  for (const [name, value] of content) {
    if (name === "dynamic") {
      diagnostics.push(
        errorAt(
          where,
          "Unsupported block",
          refusalDetail(`${where.address} has a "dynamic" block.`, REFUSALS.dynamic),
          [name],
        ),
      );
      continue;
    }
    body.set(name, await readAttribute(value, name, where, diagnostics));
  }
  return { body, diagnostics };
}
