import { templateOf } from "./code-chain";
import { isSymbol, splitBy, type Node } from "./code-tokens";
import type { Syntax } from "./language";
import type { Template } from "./template";

/**
 * `p` of `for p in [...]`, `for (const p of […])`, `foreach ($p in …)`, `[…].forEach(p => …)`, all
 * names of `for verb, path in …`; `_` of `… | ForEach-Object { $_ }`.
 */
export function loopNames(nodes: readonly Node[]): readonly string[] {
  const [first, second] = nodes;
  const isPiped = nodes.some(
    (node, index) =>
      isSymbol(nodes[index - 1], "|") &&
      (isSymbol(node, "%") || (node.kind === "name" && /^foreach(?:-object)?$/i.test(node.text))),
  );
  if (isPiped) return ["_"];
  const passed = parametersOfEach(nodes);
  if (passed) return passed;
  if (first?.kind !== "name" || !/^(?:for|foreach|async)$/i.test(first.text)) return [];
  const header = second?.kind === "group" && second.open === "(" ? second.nodes : nodes.slice(1);
  const keyword = header.findIndex(
    (node) => (node.kind === "name" && /^(?:in|of|range)$/.test(node.text)) || isSymbol(node, ":"),
  );
  return keyword > 0 ? namesIn(header.slice(0, keyword)) : [];
}

/** `p` of `.map((p) => …)`, `m, p` of `.each { |m, p| … }`, in brackets too, as those of Promise.all. */
function parametersOfEach(nodes: readonly Node[]): readonly string[] | undefined {
  const each = nodes.findIndex(
    (node, index) =>
      index > 0 && node.kind === "name" && /^(?:forEach|each|map|flatMap)$/.test(node.text),
  );
  if (each === -1) {
    for (const node of nodes) {
      // Statements in braces are looked at by themselves.
      const isWithin = node.kind === "group" && node.open !== "{";
      const inside = isWithin ? parametersOfEach(node.nodes) : undefined;
      if (inside) return inside;
    }
    return undefined;
  }
  const next = nodes[each + 1];
  const body = next?.kind === "group" ? next.nodes : nodes.slice(each + 1);
  const [bar, end] = body.flatMap((node, index) => (isSymbol(node, "|") ? [index] : []));
  if (bar !== undefined && bar <= 1) return namesIn(body.slice(bar, end));
  // A closure without parameters has its element by this name.
  const isClosure = next?.kind === "group" && next.open === "{";
  if (isClosure && !body.some((node) => isSymbol(node, "->"))) return ["it"];
  const parameter = body.find(({ kind }) => kind === "name" || kind === "group");
  return parameter ? namesIn([parameter]) : [];
}

function namesIn(nodes: readonly Node[]): readonly string[] {
  return nodes.flatMap((node) => {
    if (node.kind === "group") return namesIn(node.nodes);
    return node.kind === "name" && !/^(?:_|const|let|var)$/.test(node.text) ? [node.text] : [];
  });
}

/** What a comprehension of Python takes its variables from. */
export interface Comprehension {
  readonly names: readonly string[];
  readonly values: readonly Template[];
}

/** Of `[get(p) for p in ["…", "…"]]`, anywhere in the statement. */
export function comprehensionsIn(nodes: readonly Node[], syntax: Syntax): readonly Comprehension[] {
  if (syntax.comprehensions !== true) return [];
  return nodes.flatMap((node) => {
    if (node.kind !== "group") return [];
    const inside = comprehensionsIn(node.nodes, syntax);
    const start = keywordIn(node.nodes, /^for$/, 1);
    const middle = keywordIn(node.nodes, /^in$/, start);
    if (start === -1 || middle === -1) return inside;
    const end = keywordIn(node.nodes, /^(?:if|for)$/, middle);
    const source = node.nodes.slice(middle + 1, end === -1 ? undefined : end);
    const names = namesIn(node.nodes.slice(start + 1, middle));
    return [{ names, values: elementsOf(source, syntax) }, ...inside];
  });
}

function keywordIn(nodes: readonly Node[], keyword: RegExp, from: number): number {
  if (from < 0) return -1;
  return nodes.findIndex(
    (node, index) => index >= from && node.kind === "name" && keyword.test(node.text),
  );
}

function elementsOf(source: readonly Node[], syntax: Syntax): readonly Template[] {
  const [only, ...others] = source;
  const parts = only?.kind === "group" && others.length === 0 ? splitBy(only.nodes, ",") : [source];
  return parts.flatMap((part) => {
    const template = templateOf(part, syntax);
    return template ? [template] : [];
  });
}
