import { z } from "zod";

/**
 * The syntax tree that HashiCorp's own parser gives, by way of @cdktn/hcl2json. It is lossy: it has
 * no nodes for parentheses, object keys and a splat's element (their type is ""), and its literals
 * are source text. Positions count bytes.
 */
export interface SyntaxNode {
  readonly type: string;
  readonly range: { readonly start: { byte: number }; readonly end: { byte: number } };
  readonly children: readonly SyntaxNode[];
  readonly meta: { readonly [name: string]: unknown };
}

const position = z.object({ byte: z.number() });
const syntaxNode: z.ZodType<SyntaxNode> = z.object({
  type: z.string(),
  range: z.object({ start: position, end: position }),
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
 * Parses an HCL expression. The parser is WebAssembly and takes some 100 ms to load, so it loads
 * with the first expression that needs it.
 */
export async function parseSyntax(
  source: string,
): Promise<{ tree: SyntaxNode } | { problem: string }> {
  const { getExpressionAst } = await import("@cdktn/hcl2json");
  let tree: unknown;
  try {
    tree = await getExpressionAst("expression.tf", source);
  } catch (thrown) {
    return {
      problem: String(thrown)
        .replace(/^[^]*expression\.tf:[\d,-]+: /, "")
        .trim(),
    };
  }
  return { tree: syntaxNode.parse(tree) };
}
