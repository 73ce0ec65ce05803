import { slice, SnippetBuilder, unescaped, withText, type Snippet } from "./snippet";
import { readFlow } from "./yaml-flow";
import type { YamlNode } from "./yaml-node";

export interface YamlReading {
  readonly nodes: readonly YamlNode[];
  readonly comments: readonly { readonly start: number; readonly end: number }[];
}

interface Growing {
  key?: string;
  isItem: boolean;
  value?: Snippet;
  children: YamlNode[];
  start: number;
  end: number;
  readonly column: number;
}

/** Of one line. */
const MOST_DASHES = 20;
const ENTRY =
  /^(\s*)((?:-[ \t]+)*)(?:("(?:[^"\\]|\\.)*"|'[^']*'|[^\s"'#[{&*!|>%@`,-][^#\n]*?|-[^\s#][^#\n]*?)[ \t]*:(?=[ \t]|\r?$))?[ \t]*(.*)$/;

/**
 * What a YAML file has where: enough of it for files that people write by hand. Anchors, tags and
 * merges are left alone; what cannot be read is taken for text.
 */
export function readYaml(snippet: Snippet): YamlReading {
  const reader = new YamlReader(snippet);
  reader.read();
  return reader;
}

class YamlReader implements YamlReading {
  readonly nodes: YamlNode[] = [];
  readonly comments: { start: number; end: number }[] = [];
  readonly #text: string;
  readonly #stack: Growing[] = [];
  #index = 0;

  constructor(readonly snippet: Snippet) {
    this.#text = snippet.text;
  }

  read(): void {
    while (this.#index < this.#text.length) {
      const line = this.#lineAt(this.#index);
      if (/^\s*(?:#|$)|^(?:---|\.\.\.)/.test(line)) {
        const hash = line.indexOf("#");
        if (hash !== -1) this.#comment(this.#index + hash, this.#index + line.length);
        this.#index += line.length + 1;
      } else this.#readLine(line);
    }
  }

  #lineAt(index: number): string {
    const end = this.#text.indexOf("\n", index);
    return this.#text.slice(index, end === -1 ? this.#text.length : end);
  }

  #comment(start: number, end: number): void {
    this.comments.push({ start: this.snippet.at(start), end: this.snippet.at(end) });
  }

  #readLine(line: string): void {
    const start = this.#index;
    const [, indent = "", dashes = "", quotedKey, rest = ""] = ENTRY.exec(line) ?? [];
    const last = this.#stack.at(-1);
    const isEntry = dashes !== "" || quotedKey !== undefined || /^-\s*$/.test(rest);
    if (!isEntry && last?.value && indent.length > last.column) {
      this.#index += line.length + 1;
      this.#extend(last, start + line.length);
      return;
    }
    let column = indent.length;
    const items = dashes.match(/-[ \t]+/g) ?? (/^-\s*$/.test(rest) ? ["-"] : []);
    for (const dash of items.slice(0, MOST_DASHES)) {
      this.#push({
        isItem: true,
        children: [],
        start: start + column,
        end: start + line.length,
        column,
      });
      column += dash.length;
    }
    if (/^-\s*$/.test(rest)) {
      this.#index += line.length + 1;
      return;
    }
    const from = start + line.length - rest.length;
    const key = quotedKey?.replace(/^["']|["']$/g, "");
    if (key !== undefined) {
      this.#push({
        key,
        isItem: false,
        children: [],
        start: start + column,
        end: start + line.length,
        column,
      });
    } else if (items.length === 0) {
      this.#push({
        isItem: false,
        children: [],
        start: start + column,
        end: start + line.length,
        column,
      });
    }
    this.#index = start + line.length + 1;
    this.#readValue(rest, from, indent.length);
  }

  #push(node: Growing): void {
    while (this.#stack.length > 0) {
      const top = this.#stack.at(-1);
      // Items may stand under their key without being indented.
      const isUnderKey =
        node.isItem && top?.column === node.column && !top.isItem && top.key !== undefined;
      if (top && (top.column < node.column || isUnderKey)) break;
      this.#stack.pop();
    }
    const parent = this.#stack.at(-1);
    (parent ? parent.children : this.nodes).push(node);
    this.#stack.push(node);
    this.#touch(node.end);
  }

  #touch(end: number): void {
    for (const open of this.#stack) open.end = Math.max(open.end, this.snippet.at(end));
  }

  #readValue(rest: string, from: number, indent: number): void {
    const node = this.#stack.at(-1);
    const text = rest.replace(/^(?:[&!][^\s]*\s+)+/, "");
    const offset = from + rest.length - text.length;
    if (!node || text.trim() === "") return;
    const block = /^([|>])[+-]?\d*[+-]?\s*(?:#.*)?$/.exec(text.trimEnd());
    if (block) this.#readBlock(node, indent, block[1] === ">");
    else if (/^["']/.test(text)) this.#readQuoted(node, text.charAt(0), offset);
    else if (/^[[{](?!\{)/.test(text)) this.#readFlow(node, offset);
    else {
      const comment = /(?:^|\s)#/.exec(text);
      const length = comment ? comment.index : text.trimEnd().length;
      if (comment) this.#comment(offset + comment.index, offset + text.length);
      if (length > 0) node.value = slice(this.snippet, offset, offset + length);
    }
    if (node.value) this.#touch(this.#index - 1);
  }

  /** Lines that are indented more than the key. */
  #readBlock(node: Growing, indent: number, isFolded: boolean): void {
    const from = this.#index;
    let end = from;
    while (this.#index < this.#text.length) {
      const line = this.#lineAt(this.#index);
      const isInside =
        /^\s*$/.test(line) ||
        (/^\s*/.exec(line)?.[0].length !== undefined &&
          (/^\s*/.exec(line)?.[0].length ?? 0) >
            Math.max(indent, node.key === undefined ? indent : node.column));
      if (!isInside) break;
      this.#index += line.length + 1;
      if (line.trim() !== "") end = this.#index - 1;
    }
    const raw = slice(this.snippet, from, Math.min(end, this.#text.length));
    node.value = isFolded ? withText(raw, folded(raw.text)) : raw;
  }

  #readQuoted(node: Growing, quote: string, offset: number): void {
    let end = offset + 1;
    for (; end < this.#text.length; end++) {
      const character = this.#text.charAt(end);
      if (character === "\\" && quote === '"') end++;
      else if (character === quote) {
        if (quote !== "'" || this.#text.charAt(end + 1) !== "'") break;
        end++;
      }
    }
    const raw = slice(this.snippet, offset + 1, end);
    const joined = quote === '"' ? withoutEscapedBreaks(raw) : raw;
    const text = joined.text.replace(/\r?\n[ \t]*/g, (gap) => gap.replace(/\n/g, " "));
    const content = withText(joined, text);
    node.value = unescaped(content, quote === '"' ? "\\" : "");
    this.#skipLinesUntil(end);
  }

  #readFlow(node: Growing, offset: number): void {
    let depth = 0;
    let quote = "";
    let end = offset;
    for (; end < this.#text.length; end++) {
      const character = this.#text.charAt(end);
      if (quote !== "") quote = character === quote ? "" : quote;
      else if (character === '"' || character === "'") quote = character;
      else if (/[[{]/.test(character)) depth++;
      else if (/[\]}]/.test(character) && --depth === 0) break;
    }
    node.children.push(...readFlow(slice(this.snippet, offset, end + 1)));
    this.#skipLinesUntil(end);
  }

  #skipLinesUntil(end: number): void {
    if (end < this.#index) return;
    const next = this.#text.indexOf("\n", end);
    this.#index = next === -1 ? this.#text.length : next + 1;
  }

  /** A plain value goes on in the next, deeper line. */
  #extend(node: Growing, end: number): void {
    const { value } = node;
    if (!value) return;
    const raw = this.#text.slice(this.#localOf(value), end);
    const whole = slice(this.snippet, this.#localOf(value), end);
    node.value = withText(whole, folded(raw));
    this.#touch(end);
  }

  /** Values begin where the file has them, and the snippet is the file. */
  #localOf(value: Snippet): number {
    return value.at(0) - this.snippet.at(0);
  }
}

/** Character for character: line breaks become spaces but where a line is empty. */
function folded(text: string): string {
  return text.replace(/\n(?=[ \t]*\S)/g, " ");
}

/** A backslash at the end of a line of a quoted value: the next line follows without a gap. */
function withoutEscapedBreaks(raw: Snippet): Snippet {
  const builder = new SnippetBuilder();
  let from = 0;
  for (const match of raw.text.matchAll(/\\\r?\n[ \t]*/g)) {
    builder.add(raw.text.slice(from, match.index), raw.at(from));
    from = match.index + match[0].length;
  }
  if (from === 0) return raw;
  builder.add(raw.text.slice(from), raw.at(from));
  return builder.build(raw.at(raw.text.length));
}
