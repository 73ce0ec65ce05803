import { splitBy, type Node } from "./code-tokens";
import { methodNamed, type MethodEvidence } from "./use";
import { evidenceOf } from "./http-client";
import { isMethodKey, verbOf, wordsOf } from "./vocabulary";

/** The method that arguments say: `method: "POST"`, `-Method Post`, `"PUT"`, `http.MethodPut`. */
export function methodIn(nodes: readonly Node[]): MethodEvidence | undefined {
  return keyedMethod(nodes) ?? positionalMethod(nodes);
}

export function keyedMethod(nodes: readonly Node[]): MethodEvidence | undefined {
  for (const [index, node] of nodes.entries()) {
    const text = node.kind === "string" ? node.content.text : node.kind === "name" ? node.text : "";
    if (!isMethodKey(text)) continue;
    const sign = nodes[index + 1];
    const isFlag = text.startsWith("-");
    if (!isFlag && (sign?.kind !== "symbol" || !/^(?:=|:|=>)$/.test(sign.text))) continue;
    const value = valueOf(nodes, isFlag ? index + 1 : index + 2);
    if (value === undefined) continue;
    const evidence = evidenceOf(value);
    // `type: item` is no method that a variable holds.
    const isMethod = evidence.text !== undefined || !/^type$/i.test(text);
    if (isMethod && (evidence.text ?? evidence.variable) !== undefined) return evidence;
  }
  return undefined;
}

/** A string, or the last of `HttpMethod.Post`, `:post`. */
function valueOf(nodes: readonly Node[], from: number): string | undefined {
  let index = from;
  let found: string | undefined;
  for (let node = nodes[index]; node; node = nodes[++index]) {
    if (node.kind === "string") return node.content.text;
    if (node.kind === "name") found = node.text;
    else if (node.kind !== "symbol" || !/^(?:\.|::|:)$/.test(node.text)) break;
    else if (found !== undefined && node.text === ":") break;
    const next = nodes[index + 1];
    if (node.kind === "name" && (next?.kind !== "symbol" || !/^(?:\.|::)$/.test(next.text))) break;
  }
  return found?.replace(/^Method(?=[A-Z])/, "");
}

function positionalMethod(nodes: readonly Node[]): MethodEvidence | undefined {
  const parts = splitBy(nodes, ",");
  for (const [index, part] of parts.entries()) {
    const only = part.at(-1);
    if (only?.kind === "string" && part.length === 1) {
      const { text } = only.content;
      // `request("post", url)`: in lower case it is one only where the URL follows.
      const isBefore = index === 0 && parts.length > 1 && text === text.toLowerCase();
      const named = methodNamed(text, !isBefore);
      if (named !== undefined) return { text: named };
    }
    const isSymbol = part.length === 2 && part[0]?.kind === "symbol" && part[0].text === ":";
    const isName = only?.kind === "name" && !(part[0]?.kind === "symbol" && !isSymbol);
    if (isName && part.length <= 5) {
      const named = methodNamed(
        only.text.replace(/^Method(?=[A-Z])/, ""),
        !isSymbol && part.length === 1,
      );
      if (named !== undefined) return { text: named };
    }
    const [first, arrow] = part;
    if (first?.kind === "name" && arrow?.kind === "symbol" && arrow.text === "=>") {
      const named = methodNamed(first.text, true);
      if (named !== undefined) return { text: named };
    }
  }
  return undefined;
}

/** The method that a call says by its name, by its options, or by what is called on its result. */
export function methodOfCall(
  callee: string,
  nodes: readonly Node[],
  after: readonly Node[],
): MethodEvidence | undefined {
  const stated =
    methodIn(nodes) ??
    nodes.reduce<MethodEvidence | undefined>(
      (found, node) =>
        found ?? (node.kind === "group" && node.open !== "(" ? keyedMethod(node.nodes) : undefined),
      undefined,
    );
  if (stated) return stated;
  const verb = verbOf(callee);
  if (verb !== undefined) return { text: verb };
  return methodAfter(after);
}

/** `.POST(…)`, `.method("PUT", …)`, `.request().delete()`. */
export function methodAfter(after: readonly Node[]): MethodEvidence | undefined {
  for (const [index, node] of after.entries()) {
    if (node.kind !== "name") continue;
    const group = after[index + 1];
    const named = methodNamed(node.text, false);
    if (named !== undefined && (named !== "GET" || node.text === "GET")) return { text: named };
    if (
      /^(?:method|setMethod|withMethod|requestMethod)$/.test(node.text) &&
      group?.kind === "group"
    ) {
      const stated = positionalMethod(group.nodes);
      if (stated) return stated;
    }
  }
  return undefined;
}

/** urllib sends a POST where there are data, and so does curl. */
export function impliedByBody(callee: string, nodes: readonly Node[]): MethodEvidence | undefined {
  const words = wordsOf(callee);
  const takesData =
    /^(?:urlopen|curl|wget)$/.test(words.at(-1) ?? "") || callee.includes("Request");
  const hasData = nodes.some(
    (node, index) =>
      (node.kind === "name" && node.text === "data" && nodes[index + 1]?.kind === "symbol") ||
      (node.kind === "string" &&
        /^(?:-d|--data(?:-\w+)?|--json|-F|--post-data)$/.test(node.content.text)),
  );
  return takesData && hasData ? { text: "POST" } : undefined;
}

/** What is done later to the variable that holds the request: `conn.setRequestMethod("PUT")`. */
export function methodLater(name: string, text: string): MethodEvidence | undefined {
  // It need not be a name: an entry of an object counts as a variable, too.
  let variables = name.replace(/\W/g, "\\$&");
  for (const line of text.split("\n").slice(0, 15)) {
    if (!new RegExp(`(?<![\\w$])(?:${variables})(?!\\w)`).test(line)) continue;
    const set = /(?<![.\w])([\w]+)\s*:?=(?![=>])/.exec(line)?.[1];
    if (set !== undefined && new RegExp(`^(?:${variables})$`).test(set)) return undefined;
    // `conn = url.openConnection()`: what is said of conn is said of url.
    if (set !== undefined && /open|create|new|init|build/i.test(line)) variables += `|${set}`;
    const [, stated] =
      /(?:method|CURLOPT_CUSTOMREQUEST|open|verb)\b.*?["'](GET|POST|PUT|DELETE|PATCH)["']/i.exec(
        line,
      ) ?? [];
    if (stated !== undefined) return { text: stated.toUpperCase() };
    const constant = /\bMethod\b.*?\.(Get|Post|Put|Delete|Patch)\b/i.exec(line)?.[1];
    if (constant !== undefined) return { text: constant.toUpperCase() };
    if (/CURLOPT_POST(?:FIELDS)?\b/.test(line)) return { text: "POST" };
  }
  return undefined;
}
