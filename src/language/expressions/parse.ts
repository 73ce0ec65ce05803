import { error, type Diagnostic } from "../../core/diagnostics";
import { ExactNumber } from "../../core/values";
import { nodeFromSyntax, type ParseProblem } from "./build-nodes";
import { Expression, type ExpressionPosition } from "./expression";
import { callProblems, loadLibraries } from "./calls";
import type { Node } from "./nodes";
import { nestingProblem } from "./nesting";
import { readReference } from "./reference";
import { parseSyntax } from "./syntax-tree";
import { quoteTemplate, scanTemplate, type TemplatePart } from "./template";

/**
 * Parses a JSON value of cdk.tf.json as an expression. Strings and object keys are templates.
 * Reports syntax errors and unsupported functions; such a part evaluates to `UNKNOWN`.
 *
 * @param json A result of `JSON.parse`; decimals may be exact.
 */
export async function parseExpression(
  json: unknown,
  where: ExpressionPosition,
): Promise<{ expression: Expression; diagnostics: readonly Diagnostic[] }> {
  const diagnostics: Diagnostic[] = [];
  const node = await parseJson(json, where, diagnostics);
  return { expression: new Expression(node, where, json), diagnostics };
}

/** Parses HCL source, such as the value of a `TF_VAR_…` variable with a compound type. */
export async function parseHcl(
  source: string,
  where: ExpressionPosition,
): Promise<{ expression: Expression; diagnostics: readonly Diagnostic[] }> {
  const diagnostics: Diagnostic[] = [];
  const node = await parseSource(source, where, diagnostics);
  return { expression: new Expression(node, where), diagnostics };
}

const inexactNumber: ParseProblem = {
  summary: "Unsupported number",
  detail:
    'JSON written by JavaScript does not hold whole numbers beyond 2^53 exactly. Such a number may also be a token of cdktf that was calculated with before it was resolved. If it is meant, write it as an expression: "${9007199254740993}".',
};

async function parseJson(
  json: unknown,
  where: ExpressionPosition,
  diagnostics: Diagnostic[],
): Promise<Node> {
  if (typeof json === "string") return parseTemplate(json, where, diagnostics);
  if (Array.isArray(json)) {
    const items: Node[] = [];
    for (const [index, item] of json.entries()) {
      items.push(await parseJson(item, { ...where, path: [...where.path, index] }, diagnostics));
    }
    return { kind: "tuple", items };
  }
  if (json instanceof ExactNumber) return { kind: "literal", value: json };
  if (typeof json === "object" && json !== null) {
    const members = [];
    for (const [key, value] of Object.entries(json)) {
      const inner = { ...where, path: [...where.path, key] };
      members.push({
        key: await parseTemplate(key, inner, diagnostics),
        value: await parseJson(value, inner, diagnostics),
      });
    }
    return { kind: "object", members, unique: true };
  }
  if (Number.isInteger(json) && !Number.isSafeInteger(json)) {
    diagnostics.push(located(inexactNumber, where));
    return { kind: "invalid" };
  }
  if (typeof json === "number" || typeof json === "boolean")
    return { kind: "literal", value: json };
  return { kind: "literal", value: null };
}

async function parseTemplate(
  template: string,
  where: ExpressionPosition,
  diagnostics: Diagnostic[],
): Promise<Node> {
  const parts = scanTemplate(template);
  if (!parts) {
    const problem = nestingProblem(template, "template");
    if (!problem) return parseSource(quoteTemplate(template), where, diagnostics, true);
    diagnostics.push(located(problem, where));
    return { kind: "invalid" };
  }
  const nodes = parts.map((part) => nodeOfPart(part, where, diagnostics));
  const [only] = nodes;
  if (!only) return { kind: "literal", value: "" };
  return nodes.length === 1 ? only : { kind: "template", parts: nodes };
}

function nodeOfPart(
  part: TemplatePart,
  where: ExpressionPosition,
  diagnostics: Diagnostic[],
): Node {
  if (part.kind === "text") return { kind: "literal", value: part.text.normalize("NFC") };
  const read = readReference(part.steps);
  if ("reference" in read) return { kind: "reference", reference: read.reference, text: part.text };
  diagnostics.push(located(read.problem, where));
  return { kind: "invalid" };
}

async function parseSource(
  source: string,
  where: ExpressionPosition,
  diagnostics: Diagnostic[],
  isTemplate = false,
): Promise<Node> {
  const parsed = await parseSyntax(source, isTemplate ? "quoted" : "code");
  if ("problem" in parsed) {
    diagnostics.push(located(parsed.problem, where));
    return { kind: "invalid" };
  }
  const { node, problems } = nodeFromSyntax(parsed.tree, source, { isTemplate });
  for (const problem of [...problems, ...callProblems(node)]) {
    diagnostics.push(located(problem, where));
  }
  await loadLibraries(node);
  return node;
}

function located(
  problem: ParseProblem,
  { address, constructPath, path }: ExpressionPosition,
): Diagnostic {
  return {
    ...error(problem.summary, problem.detail, path),
    address,
    ...(constructPath !== undefined && { constructPath }),
  };
}
