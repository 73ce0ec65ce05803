import type { ParseProblem } from "./build-nodes";
import { checkCall, functions } from "./functions/registry";
import { childrenOf, type Node } from "./nodes";

/** Reports whether a node calls a function that evaluates a template. */
export function isTemplateCall(node: Node): boolean {
  return node.kind === "call" && (node.name === "templatefile" || node.name === "templatestring");
}

/** Loads the libraries of all functions that an expression calls. */
export async function loadLibraries(node: Node): Promise<void> {
  // A template may call any function.
  const named = isTemplateCall(node) ? [...functions.values()] : [];
  if (node.kind === "call")
    named.push(...[functions.get(node.name)].filter((one) => one !== undefined));
  for (const { load } of named) await load?.();
  for (const child of childrenOf(node)) await loadLibraries(child);
}

/** Lists the calls with an unknown name or a wrong number of arguments. */
export function callProblems(node: Node): readonly ParseProblem[] {
  const inner = childrenOf(node).flatMap(callProblems);
  const problem = node.kind === "call" ? checkCall(node) : undefined;
  return problem ? [problem, ...inner] : inner;
}
