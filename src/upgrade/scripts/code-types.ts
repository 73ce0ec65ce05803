import { isSymbol, type Node } from "./code-tokens";

const MOST = 40;

/** Where the bracket stands behind type arguments, as in `get<string[]>(url)`; 0 for no such. */
export function typesEnd(nodes: readonly Node[], from: number): number {
  let depth = 0;
  for (let index = from; index < from + MOST; index++) {
    const node = nodes[index];
    if (isSymbol(node, "<")) depth++;
    else if (isSymbol(node, ">")) depth--;
    else if (!node || (node.kind === "symbol" && !/^[.,|&?:\n]$/.test(node.text))) return 0;
    const behind = nodes[index + 1];
    if (depth === 0) {
      const isCall = behind?.kind === "group" && behind.open === "(" && behind.start === node?.end;
      return isCall ? index + 1 : 0;
    }
  }
  return 0;
}
