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
const BARE_URL = /(?:\$[\w:{}.]+|%\w+%|https?:\/\/[^\s"'`;|)]+|[a-z][\w-]*)(?:\/[^\s"'`;|)]*)/iy;
const FLAG = /-[A-Za-z]\w*/y;
const CLOSING: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };

/** Takes source code apart. It never fails: what does not fit is a symbol of its own. */
export function readCode(snippet: Snippet, syntax: Syntax): CodeReading {
  const { tokens, comments } = new Tokenizer(snippet, syntax).read();
  return { nodes: groupsOf(tokens), comments };
}

type Token = Exclude<Node, GroupNode>;

class Tokenizer {
  readonly #tokens: Token[] = [];
  readonly #comments: { readonly start: number; readonly end: number }[] = [];
  /** Those whose text begins with the next line. */
  readonly #heredocs: { readonly delimiter: string; readonly start: number }[] = [];
  readonly #text: string;
  readonly #name: RegExp;
  /** How many holes without an end are still looked for: text with more of them is no such code. */
  readonly #patience = { holes: 50 };
  #index = 0;

  constructor(
    readonly snippet: Snippet,
    readonly syntax: Syntax,
  ) {
    this.#text = snippet.text;
    const sigils = syntax.sigils.replace(/\$/g, "\\$&");
    const hyphens = syntax.flags ? "(?:-[A-Za-z]\\w*)*" : "";
    this.#name = new RegExp(`[A-Za-z_${sigils}][\\w$]*${hyphens}|\\d[\\w.]*`, "y");
  }

  read() {
    while (this.#index < this.#text.length) {
      const isRead =
        this.#readComment() ||
        this.#readBlank() ||
        this.#readHeredocStart() ||
        this.#readString() ||
        this.#readBareUrl();
      if (!isRead) this.#readWord();
    }
    return { tokens: this.#tokens, comments: this.#comments };
  }

  #readComment(): boolean {
    const end = commentAt(this.#text, this.#index, this.syntax);
    if (end === undefined) return false;
    this.#comments.push({ start: this.snippet.at(this.#index), end: this.snippet.at(end) });
    this.#index = end;
    return true;
  }

  /** A line break is a symbol, unless the line goes on behind it; heredocs are part of theirs. */
  #readBlank(): boolean {
    const text = this.#text;
    const character = text.charAt(this.#index);
    if (character === "\n") {
      const heredocs = this.#heredocs.splice(0);
      // The line that they begin in goes on behind them.
      for (const heredoc of heredocs) this.#readHeredoc(heredoc);
      if (heredocs.length === 0) this.#take("symbol", 1);
      return true;
    }
    if (/\s/.test(character)) {
      this.#index++;
      return true;
    }
    const isContinued =
      this.syntax.continuation !== "" &&
      character === this.syntax.continuation &&
      /^[ \t\r]*\n/.test(text.slice(this.#index + 1, this.#index + 40));
    if (isContinued) this.#index = text.indexOf("\n", this.#index) + 1;
    return isContinued;
  }

  #readHeredocStart(): boolean {
    if (!this.syntax.heredocs) return false;
    const ahead = this.#text.slice(this.#index, this.#index + 60);
    const [all, , delimiter = ""] = /^<<[-~]?(["'`]?)([A-Z_]\w*)\1/.exec(ahead) ?? [];
    if (all === undefined) return false;
    this.#heredocs.push({ delimiter, start: this.#index });
    this.#index += all.length;
    return true;
  }

  #readHeredoc({ delimiter, start }: { delimiter: string; start: number }): void {
    const end = heredocEnd(this.#text, this.#index, delimiter);
    const content = slice(this.snippet, this.#index, end.body);
    this.#tokens.push({ kind: "string", content, start, end: end.after });
    this.#index = end.after;
  }

  #readString(): boolean {
    const string = stringAt(this.snippet, this.#index, this.syntax, this.#patience);
    if (!string) return false;
    const isCommand = this.syntax.ticks === true && this.#text.charAt(this.#index) === "`";
    if (isCommand) this.#take("name", 0, "system");
    if (isCommand) this.#take("symbol", 0, "(");
    this.#tokens.push(string);
    this.#index = string.end;
    if (isCommand) this.#take("symbol", 0, ")");
    return true;
  }

  #readBareUrl(): boolean {
    if (!this.syntax.flags || !/\s/.test(this.#before())) return false;
    const start = this.#index;
    const url = matchAt(BARE_URL, this.#text, start);
    if (url === undefined) return false;
    const end = start + url.length;
    this.#tokens.push({ kind: "string", content: slice(this.snippet, start, end), start, end });
    this.#index = end;
    return true;
  }

  #readWord(): void {
    const mayBeFlag = this.syntax.flags && /[\s(]/.test(this.#before());
    const flag = mayBeFlag ? matchAt(FLAG, this.#text, this.#index) : undefined;
    const name = flag ?? matchAt(this.#name, this.#text, this.#index);
    if (name !== undefined) this.#take("name", name.length);
    else this.#take("symbol", matchAt(SYMBOLS, this.#text, this.#index)?.length ?? 1);
  }

  /** Text that is not the file's own stands for what means the same. */
  #take(kind: "name" | "symbol", length: number, text?: string): void {
    const start = this.#index;
    const end = start + length;
    this.#tokens.push({ kind, text: text ?? this.#text.slice(start, end), start, end });
    this.#index = end;
  }

  #before(): string {
    return this.#text.charAt(this.#index - 1);
  }
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

function stringAt(
  snippet: Snippet,
  index: number,
  syntax: Syntax,
  patience: { holes: number },
): StringNode | undefined {
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
      if (!isHole || patience.holes === 0) continue;
      end += balanced(text.slice(end), 1, open, CLOSING[open] ?? "}") - 1;
      if (end + 1 >= text.length) patience.holes--;
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

export function isSymbol(node: Node | undefined, text: string): boolean {
  return node?.kind === "symbol" && node.text === text;
}

export function isNewline(node: Node | undefined): boolean {
  return node?.kind === "symbol" && node.text === "\n";
}
