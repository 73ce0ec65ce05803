import { balanced } from "./brackets";
import type { Command, ShellDialect, ShellReading, Word } from "./shell-dialect";
import { slice, SnippetBuilder, type Snippet } from "./snippet";
import { COMPUTED } from "./template";

/** Takes a script apart into commands, those of substitutions among them. */
export function readShell(snippet: Snippet, dialect: ShellDialect): ShellReading {
  const reader = new ShellReader(snippet, dialect);
  reader.read();
  return reader;
}

const OPERATORS = new Set(["|", ";", "&", "(", ")", "\n"]);

/** Substitutions within substitutions that are still read. */
const DEEPEST = 20;

class ShellReader implements ShellReading {
  readonly commands: Command[] = [];
  readonly comments: { start: number; end: number }[] = [];
  readonly #text: string;
  #index = 0;
  #words: Word[] = [];
  #heredocs: Snippet[] = [];
  #pending: { delimiter: string; into: Snippet[] }[] = [];
  #start: number | undefined;
  #isRedirected = false;
  readonly #blocks: (string | undefined)[] = [];

  constructor(
    readonly snippet: Snippet,
    readonly dialect: ShellDialect,
    readonly outer: readonly string[] = [],
    readonly depth = 0,
  ) {
    this.#text = snippet.text;
  }

  read(): void {
    while (this.#index < this.#text.length) this.#step();
    this.#endCommand();
  }

  #step(): void {
    const text = this.#text;
    const character = text.charAt(this.#index);
    if (this.#isContinuation()) {
      this.#index += text.startsWith("\r", this.#index + 1) ? 3 : 2;
    } else if (character === "\n") {
      this.#index++;
      this.#endCommand();
      this.#readHeredocs();
    } else if (/\s/.test(character)) {
      this.#index++;
    } else if (this.#atComment()) {
      this.#skipComment();
    } else if (character === "<" || character === ">") {
      this.#readRedirection();
    } else if (OPERATORS.has(character)) {
      this.#readOperator(character);
    } else {
      this.#readWord();
    }
  }

  #isContinuation(): boolean {
    const { continuation } = this.dialect;
    return (
      this.#text.startsWith(continuation, this.#index) &&
      /^\r?\n/.test(this.#text.slice(this.#index + 1, this.#index + 3))
    );
  }

  #atComment(): boolean {
    const { comment } = this.dialect;
    comment.lastIndex = this.#index;
    if (!comment.test(this.#text)) return false;
    const before = this.#text.charAt(this.#index - 1);
    return this.#index === 0 || /[\s;&|()]/.test(before);
  }

  #skipComment(): void {
    const end = this.#text.indexOf("\n", this.#index);
    const stop = end === -1 ? this.#text.length : end;
    this.comments.push({ start: this.snippet.at(this.#index), end: this.snippet.at(stop) });
    this.#index = stop;
  }

  #readOperator(operator: string): void {
    const isFunction = /^\(\s*\)/.exec(this.#text.slice(this.#index));
    const [name, ...others] = this.#words;
    if (isFunction && name && others.length <= 1) {
      this.#index += isFunction[0].length;
      const named = name.text === "function" ? (others[0] ?? name) : name;
      this.#words = [];
      this.#start = undefined;
      const brace = /^\s*\{/.exec(this.#text.slice(this.#index));
      if (brace) this.#index += brace[0].length;
      this.#blocks.push(named.text);
      return;
    }
    this.#index++;
    const next = this.#text.charAt(this.#index);
    if (operator === "&" && next === ">") return;
    if (operator === "|" && next !== "|") this.#isRedirected = true;
    this.#endCommand();
  }

  #endCommand(): void {
    if (this.#words.length > 0 && this.#start !== undefined) {
      const functions = [...this.outer, ...this.#blocks].filter((name) => name !== undefined);
      this.commands.push({
        words: this.#words,
        start: this.#start,
        end: this.snippet.at(this.#index),
        heredocs: this.#heredocs,
        isShown: !this.#isRedirected && this.depth === 0,
        functions,
      });
    }
    this.#words = [];
    this.#heredocs = [];
    this.#start = undefined;
    this.#isRedirected = false;
  }

  #readRedirection(): void {
    const rest = this.#text.slice(this.#index);
    const heredoc = /^<<-?\s*(\\?)(["']?)([\w.!-]+)\2/.exec(rest);
    if (heredoc && !rest.startsWith("<<<")) {
      this.#index += heredoc[0].length;
      this.#pending.push({ delimiter: heredoc[3] ?? "", into: this.#heredocs });
      return;
    }
    if (/^[<>]\(/.test(rest)) {
      this.#readWord();
      return;
    }
    if (/^>(?!&\d|\s*\/dev\/(?:stderr|stdout|tty)\b)/.test(rest)) this.#isRedirected = true;
    this.#index += /^(?:<<<|>>|>\||[<>]&|[<>])/.exec(rest)?.[0].length ?? 1;
    while (/[ \t]/.test(this.#text.charAt(this.#index))) this.#index++;
    const isInput = rest.startsWith("<<<");
    const start = this.#start;
    const count = this.#words.length;
    if (!/[\n;|)]/.test(this.#text.charAt(this.#index))) this.#readWord();
    if (isInput) return;
    this.#words = this.#words.slice(0, count);
    this.#start = start;
  }

  /** What follows a line with `<<WORD`; it belongs to the command, which may have ended by now. */
  #readHeredocs(): void {
    for (const { delimiter, into } of this.#pending.splice(0)) {
      const end = new RegExp(`^[ \\t]*${delimiter.replace(/[.!]/g, "\\$&")}[ \\t]*\\r?$`, "m");
      const rest = this.#text.slice(this.#index);
      const match = end.exec(rest);
      const length = match ? match.index : rest.length;
      into.push(slice(this.snippet, this.#index, this.#index + length));
      this.#index += length + (match?.[0].length ?? 0);
    }
  }

  #readWord(): void {
    const from = this.#index;
    const builder = new SnippetBuilder();
    const text = this.#text;
    let arrayDepth = 0;
    while (this.#index < text.length) {
      const character = text.charAt(this.#index);
      const isArray = character === "(" && /^\w+\+?=$/.test(text.slice(from, this.#index));
      if (isArray) arrayDepth++;
      else if (arrayDepth === 0 && (/\s/.test(character) || this.#endsWord(character))) break;
      if (character === ")" && arrayDepth > 0) {
        this.#index++;
        break;
      }
      this.#readPart(character, builder);
    }
    if (this.#index === from) this.#index++;
    const offset = this.snippet.at(from);
    this.#start ??= offset;
    const word = { ...builder.build(this.snippet.at(this.#index)), offset };
    this.#takeWord(word);
  }

  #endsWord(character: string): boolean {
    const redirects = character === "<" || character === ">";
    if (redirects && this.#text.charAt(this.#index + 1) === "(") return false;
    return OPERATORS.has(character) || (redirects && this.#placeholderLength() === 1);
  }

  #takeWord(word: Word): void {
    if (word.text === "{" && this.#words.length <= 2) {
      const isFunction = this.#words[0]?.text === "function";
      this.#blocks.push(isFunction ? this.#words[1]?.text : undefined);
      this.#words = [];
      this.#start = undefined;
    } else if (word.text === "}" && this.#words.length === 0) {
      this.#blocks.pop();
      this.#start = undefined;
    } else {
      this.#words.push(word);
    }
  }

  #readPart(character: string, builder: SnippetBuilder): void {
    const { continuation } = this.dialect;
    if (character === "'" && continuation === "\\") this.#readSingleQuoted(builder);
    else if (character === '"') this.#readDoubleQuoted(builder);
    else if (this.#isContinuation()) this.#index += 2;
    else if (character === continuation) this.#take(builder, 1, 1);
    else if (/[$`]/.test(character) || /^[<>]\(/.test(this.#ahead()))
      this.#readSubstitution(builder);
    else this.#take(builder, this.#placeholderLength());
  }

  #ahead(): string {
    return this.#text.slice(this.#index, this.#index + 2);
  }

  /** Of `{{ name }}` or `<name>`, which somebody puts in before there is a shell. */
  #placeholderLength(): number {
    const rest = this.#text.slice(this.#index, this.#index + 200);
    return /^(?:\{\{.*?\}\}|<[A-Za-z][\w-]*>)/.exec(rest)?.[0].length ?? 1;
  }

  #take(builder: SnippetBuilder, count = 1, skip = 0): void {
    const from = this.#index + skip;
    builder.add(this.#text.slice(from, from + count), this.snippet.at(from));
    this.#index = from + count;
  }

  #readSingleQuoted(builder: SnippetBuilder): void {
    const end = this.#text.indexOf("'", this.#index + 1);
    const stop = end === -1 ? this.#text.length : end;
    this.#take(builder, stop - this.#index - 1, 1);
    this.#index = stop + 1;
  }

  #readDoubleQuoted(builder: SnippetBuilder): void {
    this.#index++;
    while (this.#index < this.#text.length) {
      const character = this.#text.charAt(this.#index);
      if (character === '"') break;
      if (this.#isContinuation()) this.#index += 2;
      else if (character === "\\" && /["\\$`]/.test(this.#text.charAt(this.#index + 1)))
        this.#take(builder, 1, 1);
      else if (character === "$" || character === "`") this.#readSubstitution(builder);
      else this.#take(builder);
    }
    this.#index++;
  }

  /** `$(…)`, `<(…)` and backticks hold commands of their own; all other variables stay as they are. */
  #readSubstitution(builder: SnippetBuilder): void {
    const rest = this.#text.slice(this.#index);
    const variable = this.dialect.make ? /^\$\((\w+)\)/.exec(rest) : null;
    if (variable) {
      builder.replace(`\${${variable[1] ?? ""}}`, this.snippet.at(this.#index));
      this.#index += variable[0].length;
      return;
    }
    if (this.dialect.make && rest.startsWith("$$")) {
      this.#index++;
      return;
    }
    if (rest.startsWith("${")) {
      this.#take(builder, balanced(rest, 1, "{", "}"));
      return;
    }
    const isTick = rest.startsWith("`");
    if (!isTick && !/^[$<>]\(/.test(rest)) {
      this.#take(builder);
      return;
    }
    const tick = rest.indexOf("`", 1);
    const length = isTick ? (tick === -1 ? rest.length : tick + 1) : balanced(rest, 1, "(", ")");
    const inside = slice(this.snippet, this.#index + (isTick ? 1 : 2), this.#index + length - 1);
    const names = [...this.outer, ...this.#blocks].filter((name) => name !== undefined);
    if (this.depth < DEEPEST) {
      const inner = new ShellReader(inside, this.dialect, names, this.depth + 1);
      inner.read();
      this.commands.push(...inner.commands);
      this.comments.push(...inner.comments);
    }
    builder.replace(COMPUTED, this.snippet.at(this.#index));
    this.#index += length;
  }
}
