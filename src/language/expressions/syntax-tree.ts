import { z } from "zod";
import { nestingProblem, type SourceKind } from "./nesting";

/**
 * A node of the syntax tree from HashiCorp's parser, through @cdktn/hcl2json. Parentheses, object
 * keys and the element of a splat have the type "". Literals are source text; positions are bytes.
 */
export interface SyntaxNode {
  readonly type: string;
  readonly range: { readonly start: { byte: number }; readonly end: { byte: number } };
  readonly children: readonly SyntaxNode[];
  readonly meta: { readonly [name: string]: unknown };
}

const position = z.object({ byte: z.number() });
export const byteRange = z.object({ start: position, end: position });
const syntaxNode: z.ZodType<SyntaxNode> = z.object({
  type: z.string(),
  range: byteRange,
  get children() {
    return z
      .array(syntaxNode)
      .nullish()
      .transform((children) => children ?? []);
  },
  meta: z
    .record(z.string(), z.unknown())
    .nullish()
    .transform((meta) => meta ?? {}),
});

/**
 * Parses an HCL expression. The first call loads the parser, a WebAssembly module, in some 100 ms.
 */
export async function parseSyntax(
  source: string,
  kind: SourceKind,
): Promise<{ tree: SyntaxNode } | { problem: { summary: string; detail: string } }> {
  const problem = nestingProblem(source, kind);
  if (problem) return { problem };
  const { getExpressionAst } = await import("@cdktn/hcl2json");
  try {
    return { tree: syntaxNode.parse(await getExpressionAst(FILE, source)) };
  } catch (thrown) {
    return { problem: problemOf(String(thrown)) };
  }
}

const FILE = "expression.tf";

type Parser = (file: string, source: string, done: (error: unknown, tree: string) => void) => void;
declare global {
  /** The parser itself, which calls back at once. Its module sets it when it has been loaded. */
  var __parse_terraform_config_wasm__:
    { readonly getExpressionAst: Parser; readonly parse: Parser } | undefined;
}

/** Parses an expression without waiting. `parseSyntax` must have loaded the parser before. */
export function parseLoaded(
  source: string,
  kind: SourceKind,
): { tree: SyntaxNode } | { problem: { summary: string; detail: string } } {
  const problem = nestingProblem(source, kind);
  if (problem) return { problem };
  const parsed = parseWith("getExpressionAst", source);
  return "problem" in parsed ? parsed : { tree: syntaxNode.parse(JSON.parse(parsed.text)) };
}

/** Checks the syntax of a body of attributes and blocks. `parseSyntax` must have loaded the parser. */
export function bodyProblem(
  source: string,
): { readonly summary: string; readonly detail: string } | undefined {
  const problem = nestingProblem(source, "code");
  if (problem) return problem;
  const parsed = parseWith("parse", source);
  return "problem" in parsed ? parsed.problem : undefined;
}

function parseWith(
  name: "getExpressionAst" | "parse",
  source: string,
): { text: string } | { problem: { summary: string; detail: string } } {
  const parser = globalThis.__parse_terraform_config_wasm__;
  if (!parser) throw new Error("The HCL parser is not loaded.");
  let result: { error: unknown; text: string } | undefined;
  parser[name](FILE, source, (error, text) => {
    result = { error, text };
  });
  if (!result) throw new Error("The HCL parser did not answer at once.");
  const { error, text } = result;
  return typeof error === "string" && error !== "" ? { problem: problemOf(error) } : { text };
}

/** The parser's first finding, as one line. It only counts those behind it, which often follow from it. */
function problemOf(failure: string): { summary: string; detail: string } {
  const text = failure
    .replace(/^[^]*?expression\.tf:[\d,-]+: /, "")
    .replace(/,? and (\d+) other diagnostic\(s\)\s*$/, " (The parser found $1 more behind it.)")
    .replaceAll(/\s*\n\s*/g, " ")
    .trim();
  const [, summary = "Invalid expression", detail = text] = /^([^;]+); ([^]+)$/.exec(text) ?? [];
  return { summary, detail };
}
