import { createHash } from "node:crypto";
import ts from "typescript";

/** A small change of a source that a test should find. */
export interface Mutant {
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

const OPERATORS = new Map([
  ["===", "!=="],
  ["!==", "==="],
  ["<", "<="],
  ["<=", "<"],
  [">", ">="],
  [">=", ">"],
  ["&&", "||"],
  ["||", "&&"],
  ["??", "&&"],
  ["+", "-"],
  ["-", "+"],
]);

/** Returns the mutants of a source: another operator, the contrary condition, no returned value. */
export function mutantsOf(text: string): readonly Mutant[] {
  const source = ts.createSourceFile("a.tsx", text, ts.ScriptTarget.ES2022, true);
  const found: Mutant[] = [];
  const add = (node: ts.Node, replacement: string) => {
    found.push({ start: node.getStart(source), end: node.end, replacement });
  };
  const visit = (node: ts.Node) => {
    if (ts.isTypeNode(node)) return;
    if (ts.isBinaryExpression(node)) {
      const other = OPERATORS.get(node.operatorToken.getText(source));
      // A sum of texts has no difference.
      const isText = [node.left, node.right].some((side) => ts.isStringLiteralLike(side));
      if (other !== undefined && !(isText && other === "-")) add(node.operatorToken, other);
    }
    if (ts.isIfStatement(node) || ts.isConditionalExpression(node)) {
      const condition = ts.isIfStatement(node) ? node.expression : node.condition;
      add(condition, `!(${condition.getText(source)})`);
    }
    if (ts.isReturnStatement(node) && node.expression) add(node.expression, "undefined as never");
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

export function mutated(text: string, { start, end, replacement }: Mutant): string {
  return `${text.slice(0, start)}${replacement}${text.slice(end)}`;
}

/** Returns a number from 0 up to `limit`, the same for the same seed and position. */
export function drawn(seed: number, position: number, limit: number): number {
  const digest = createHash("sha256").update(`${seed} ${position}`).digest();
  return digest.readUInt32BE() % limit;
}
