import { balanced } from "./brackets";
import { slice, unescaped, type Snippet } from "./snippet";
import type { Syntax } from "./language";

/** Source code as a tree of brackets. Offsets are those of the snippet. */
export type Node = StringNode | NameNode | SymbolNode | GroupNode;

export interface StringNode {
  readonly kind: "string";
  /** What it says. */
  readonly content: Snippet;
  readonly start: number;
  readonly end: number;
}

export interface NameNode {
  readonly kind: "name";
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

export interface SymbolNode {
  readonly kind: "symbol";
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

export interface GroupNode {
  readonly kind: "group";
  readonly open: string;
  readonly nodes: readonly Node[];
  readonly start: number;
  readonly end: number;
}

export interface CodeReading {
  readonly nodes: readonly Node[];
  readonly comments: readonly { readonly start: number; readonly end: number }[];
}

const SYMBOLS = /=>|->|::|\?\.|\.\.|:=|==+|!=|<=|>=|&&|\|\||\+=|<-|<>|./sy;
/** Brackets within brackets that are still taken apart; nobody writes as many. */
const DEEPEST = 100;
/** What PowerShell takes for text without quotes. */
const BARE_URL = /(?:\$[\w:{}.]+|%\w+%|https?:\/\/[^\s"'`;|)]+)(?:\/[^\s"'`;|)]*)/y;
const CLOSING: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };

/** Takes source code apart. It never fails: what does not fit is a symbol of its own. */
export function readCode(snippet: Snippet, syntax: Syntax): CodeReading {
  const comments: { start: number; end: number }[] = [];
  const tokens = tokensOf(snippet, syntax, comments);
  return { nodes: groupsOf(tokens), comments };
}

type Token = Exclude<Node, GroupNode>;

function tokensOf(
  snippet: Snippet,
  syntax: Syntax,
  comments: { start: number; end: number }[],
): readonly Token[] {
  const { text } = snippet;
  const sigils = syntax.sigils.replace(/\$/g, "\\$&");
  const hyphens = syntax.flags ? "(?:-[A-Za-z]\\w*)*" : "";
  const name = new RegExp(`[A-Za-z_${sigils}][\\w$]*${hyphens}|\\d[\\w.]*`, "y");
  const flag = syntax.flags ? /-[A-Za-z]\w*/y : undefined;
  const tokens: Token[] = [];
  const heredocs: { delimiter: string; start: number }[] = [];
  let index = 0;
  const take = (kind: "name" | "symbol", length: number) => {
    tokens.push({
      kind,
      text: text.slice(index, index + length),
      start: index,
      end: index + length,
    });
    index += length;
  };
  while (index < text.length) {
    const comment = commentAt(text, index, syntax);
    if (comment !== undefined) {
      comments.push({ start: snippet.at(index), end: snippet.at(comment) });
      index = comment;
      continue;
    }
    const character = text.charAt(index);
    if (character === "\n") {
      take("symbol", 1);
      for (const { delimiter, start } of heredocs.splice(0)) {
        const end = heredocEnd(text, index, delimiter);
        tokens.push({
          kind: "string",
          content: slice(snippet, index, end.body),
          start,
          end: end.after,
        });
        index = end.after;
      }
      continue;
    }
    if (/\s/.test(character)) {
      index++;
      continue;
    }
    const { continuation } = syntax;
    if (
      continuation !== "" &&
      character === continuation &&
      /^[ \t\r]*\n/.test(text.slice(index + 1, index + 40))
    ) {
      index = text.indexOf("\n", index) + 1;
      continue;
    }
    const heredoc = syntax.heredocs
      ? /^<<[-~]?(["'`]?)([A-Z_]\w*)\1/.exec(text.slice(index, index + 60))
      : null;
    if (heredoc) {
      heredocs.push({ delimiter: heredoc[2] ?? "", start: index });
      index += heredoc[0].length;
      continue;
    }
    const string = stringAt(snippet, index, syntax);
    if (string) {
      tokens.push(string);
      index = string.end;
      continue;
    }
    const before = text.charAt(index - 1);
    const bare = syntax.flags && /\s/.test(before) ? matchAt(BARE_URL, text, index) : undefined;
    if (bare !== undefined) {
      const end = index + bare.length;
      tokens.push({ kind: "string", content: slice(snippet, index, end), start: index, end });
      index = end;
      continue;
    }
    const flagged = flag && /[\s(]/.test(before) ? matchAt(flag, text, index) : undefined;
    const named = flagged ?? matchAt(name, text, index);
    if (named !== undefined) take("name", named.length);
    else take("symbol", matchAt(SYMBOLS, text, index)?.length ?? 1);
  }
  return tokens;
}

function matchAt(pattern: RegExp, text: string, index: number): string | undefined {
  pattern.lastIndex = index;
  return pattern.exec(text)?.[0];
}

/** Where the comment ends that begins here. */
function commentAt(text: string, index: number, syntax: Syntax): number | undefined {
  for (const [open, close] of syntax.blockComments) {
    if (!text.startsWith(open, index)) continue;
    const end = text.indexOf(close, index + open.length);
    return end === -1 ? text.length : end + close.length;
  }
  if (!syntax.lineComments.some((open) => text.startsWith(open, index))) return undefined;
  const end = text.indexOf("\n", index);
  return end === -1 ? text.length : end;
}

function heredocEnd(text: string, index: number, delimiter: string) {
  const match = new RegExp(`^[ \\t]*${delimiter}\\b[^\\n]*`, "m").exec(text.slice(index));
  if (!match) return { body: text.length, after: text.length };
  return { body: index + match.index, after: index + match.index + match[0].length };
}

function stringAt(snippet: Snippet, index: number, syntax: Syntax): StringNode | undefined {
  const { text } = snippet;
  const quote = syntax.quotes.find(({ open }) => text.startsWith(open, index));
  if (!quote) return undefined;
  const from = index + quote.open.length;
  for (let end = from; end < text.length; end++) {
    const character = text.charAt(end);
    if (character === quote.escape) end++;
    else if (text.startsWith(quote.close, end)) {
      const content = unescaped(slice(snippet, from, end), quote.escape);
      return { kind: "string", content, start: index, end: end + quote.close.length };
    } else if (character === "\n" && !quote.lines) return undefined;
    else if (character === "$" || character === "#") {
      // Holes may hold strings with the same quotes.
      const open = text.charAt(end + 1);
      const isHole = open === "{" || (open === "(" && character === "$" && syntax.flags);
      if (isHole) end += balanced(text.slice(end), 1, open, CLOSING[open] ?? "}") - 1;
    }
  }
  return undefined;
}

function groupsOf(tokens: readonly Token[]): readonly Node[] {
  interface Open {
    readonly open: string;
    readonly start: number;
    readonly nodes: Node[];
  }
  const root: Open = { open: "", start: 0, nodes: [] };
  const stack: Open[] = [root];
  const close = (end: number) => {
    const group = stack.pop();
    if (group) stack.at(-1)?.nodes.push({ kind: "group", ...group, end });
  };
  for (const token of tokens) {
    const top = stack.at(-1) ?? root;
    if (token.kind !== "symbol") top.nodes.push(token);
    else if (token.text in CLOSING && stack.length < DEEPEST)
      stack.push({ open: token.text, start: token.start, nodes: [] });
    else if (/^[)\]}]$/.test(token.text)) {
      const depth = stack.findLastIndex(({ open }) => CLOSING[open] === token.text);
      while (depth > 0 && stack.length > depth) close(token.end);
    } else top.nodes.push(token);
  }
  while (stack.length > 1) close(tokens.at(-1)?.end ?? 0);
  return root.nodes;
}

export function splitBy(nodes: readonly Node[], separator: string): readonly (readonly Node[])[] {
  const parts: Node[][] = [[]];
  for (const node of nodes) {
    if (node.kind === "symbol" && node.text === separator) parts.push([]);
    else if (!isNewline(node)) parts.at(-1)?.push(node);
  }
  return parts.filter((part) => part.length > 0);
}

export function isNewline(node: Node | undefined): boolean {
  return node?.kind === "symbol" && node.text === "\n";
}
