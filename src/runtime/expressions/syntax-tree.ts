import { z } from "zod";
import { nestingProblem } from "./nesting";

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
): Promise<{ tree: SyntaxNode } | { problem: { summary: string; detail: string } }> {
  const problem = nestingProblem(source, "code");
  if (problem) return { problem };
  const { getExpressionAst } = await import("@cdktn/hcl2json");
  let tree: unknown;
  try {
    tree = await getExpressionAst("expression.tf", source);
  } catch (thrown) {
    const text = String(thrown)
      .replace(/^[^]*?expression\.tf:[\d,-]+: /, "")
      .trim();
    const [, summary = "Invalid expression", detail = text] = /^([^;]+); ([^]+)$/.exec(text) ?? [];
    return { problem: { summary, detail } };
  }
  return { tree: syntaxNode.parse(tree) };
}
